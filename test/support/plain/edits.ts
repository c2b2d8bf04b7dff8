// Edits of rule sets: some do not change the meaning, others do.
import { formatTree } from "../../../src/cel/format-tree.ts";
import { findReferences } from "../../../src/cel/scan-tokens.ts";
import type { RuleAction } from "../../../src/core/decision.ts";
import { expandPlain, type PlainFile, type PlainRule } from "./rules.ts";
import type { PlainSet } from "./yaml.ts";
import type { Random } from "../random.ts";

/** An edit; it returns null if the set has nothing to edit. */
export type Edit = { readonly note: string; readonly edit: (set: PlainSet, random: Random) => PlainSet | null };

/** Edits that do not change the meaning. */
export const SAME: readonly Edit[] = [
  { note: "descriptions", edit: everyRule((rule) => ({ ...rule, description: `${rule.description ?? ""} more` })) },
  { note: "comments in conditions", edit: everyText((text) => `${text} // said by "nobody"`) },
  { note: "white space in conditions", edit: everyText((text) => `\n ${text.replaceAll(" && ", "\t&&\r\n  ")}\n`) },
  { note: "parentheses", edit: everyText((text) => `((${text.replace(/ \/\/.*/, "")}))`) },
  { note: "names of definitions", edit: renameDefinitions },
  { note: "definitions put in their places", edit: putDefinitionsIn },
  { note: "a definition that nothing uses", edit: everyFile((file) => withDefinition(file, "unused", "1 + 1")) },
  { note: "the default priority said", edit: everyRule((rule) => ({ ...rule, priority: rule.priority ?? 100 })) },
  { note: "the default log said", edit: everyRule((rule) => ({ ...rule, log: rule.log ?? false })) },
  {
    note: "a file without rules",
    edit: ({ files, hooks }) => ({ files: [{ name: "50-none.yaml", definitions: {}, rules: [] }, ...files], hooks }),
  },
];

/** Edits that change the meaning, whether or not a given request shows it. */
export const OTHER: readonly Edit[] = [
  { note: "an id", edit: oneRule((rule) => ({ ...rule, id: `${rule.id}x` })) },
  { note: "a condition", edit: oneRule((rule) => ({ ...rule, condition: `!(${rule.condition}\n)` })) },
  { note: "a definition that is used", edit: negateDefinition },
  {
    note: "an action",
    edit: oneRule((rule) => (rule.action === "enrich" ? null : { ...rule, action: OPPOSITE[rule.action] })),
  },
  { note: "a priority", edit: oneRule((rule) => ({ ...rule, priority: (rule.priority ?? 100) - 1 })) },
  { note: "a reason", edit: oneRule((rule) => ({ ...rule, reason: `${rule.reason ?? ""}no` })) },
  { note: "log", edit: oneRule((rule) => ({ ...rule, log: !(rule.log ?? false) })) },
  {
    note: "a hook",
    edit: oneRule((rule) => (rule.script === undefined ? null : { ...rule, script: `sub/${rule.script}` })),
  },
  {
    note: "a file's name",
    edit: ({ files, hooks }, random) => {
      const filled = files.filter(({ rules }) => rules.length > 0);
      if (filled.length === 0) return null;
      const file = random.pick(filled);
      return { files: files.with(files.indexOf(file), { ...file, name: `x${file.name}` }), hooks };
    },
  },
  { note: "a rule taken away", edit: oneRuleOf((rules, at) => rules.toSpliced(at, 1)) },
  {
    note: "a rule added",
    edit: oneRuleOf((rules, at) => rules.toSpliced(at, 0, { id: "added", condition: "false", action: "block" })),
  },
  { note: "the order of two rules of one priority", edit: oneRuleOf(swapWithNext) },
];

/** The set with a change to one file and one of its rules, chosen at random. */
export function oneRuleOf(
  change: (rules: readonly PlainRule[], at: number) => readonly PlainRule[] | null,
): Edit["edit"] {
  return ({ files, hooks }, random) => {
    const places = files.flatMap(({ rules }, file) => rules.map((_, rule) => ({ file, rule })));
    if (places.length === 0) return null;
    const { file, rule } = random.pick(places);
    const changed = files[file];
    const rules = changed === undefined ? null : change(changed.rules, rule);
    if (changed === undefined || rules === null) return null;
    return { files: files.with(file, { ...changed, rules }), hooks };
  };
}

/** The set with one of its rules changed. */
function oneRule(change: (rule: PlainRule) => PlainRule | null): Edit["edit"] {
  return oneRuleOf((rules, at) => {
    const rule = rules[at];
    const changed = rule === undefined ? null : change(rule);
    return changed === null ? null : rules.with(at, changed);
  });
}

/** The set with every rule changed. */
export function everyRule(change: (rule: PlainRule) => PlainRule): Edit["edit"] {
  return everyFile((file) => ({ ...file, rules: file.rules.map(change) }));
}

const OPPOSITE = { allow: "block", block: "allow" } as const satisfies Partial<Record<RuleAction, RuleAction>>;

function swapWithNext(rules: readonly PlainRule[], at: number): readonly PlainRule[] | null {
  const [first, second] = [rules[at], rules[at + 1]];
  if (first === undefined || second === undefined || (first.priority ?? 100) !== (second.priority ?? 100)) return null;
  return rules.toSpliced(at, 2, second, first);
}

function everyFile(change: (file: PlainFile) => PlainFile): Edit["edit"] {
  return ({ files, hooks }) => ({ files: files.map(change), hooks });
}

function everyText(change: (text: string) => string): Edit["edit"] {
  return everyFile(({ name, definitions, rules }) => ({
    name,
    definitions: mapValues(definitions, change),
    rules: rules.map((rule) => ({ ...rule, condition: change(rule.condition) })),
  }));
}

function mapValues(
  texts: Readonly<Record<string, string>>,
  change: (text: string) => string,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, change(text)]));
}

function withDefinition(file: PlainFile, name: string, text: string): PlainFile {
  return { ...file, definitions: { ...file.definitions, [name]: text } };
}

// Also reverses the order of the definitions.
function renameDefinitions({ files, hooks }: PlainSet): PlainSet {
  const renamed = everyText((text) => {
    let out = text;
    for (const { name, span } of findReferences(text).toReversed()) {
      out = `${out.slice(0, span.start)}$_${name}_${out.slice(span.end)}`;
    }
    return out;
  });
  const turned = files.map((file) => {
    const definitions = Object.entries(file.definitions).toReversed();
    return { ...file, definitions: Object.fromEntries(definitions.map(([name, text]) => [`_${name}_`, text])) };
  });
  return renamed({ files: turned, hooks }, NO_RANDOM) ?? { files: turned, hooks };
}

// Edits of every rule choose nothing, so this source of random numbers is never used.
const NO_RANDOM: Random = {
  below: () => 0,
  pick: () => {
    throw new Error("nothing is picked");
  },
};

function putDefinitionsIn({ files, hooks }: PlainSet): PlainSet {
  const written = files.map(({ name, definitions, rules }) => ({
    name,
    definitions: {},
    rules: rules.map((rule) => ({ ...rule, condition: formatTree(expandPlain(rule.condition, definitions)) })),
  }));
  return { files: written, hooks };
}

function negateDefinition({ files, hooks }: PlainSet, random: Random): PlainSet | null {
  const used = files.flatMap((file) =>
    file.rules.flatMap(({ condition }) => findReferences(condition).map(({ name }) => ({ file, name })))
  );
  if (used.length === 0) return null;
  const { file, name } = random.pick(used);
  const negated = withDefinition(file, name, `!(${file.definitions[name]}\n)`);
  return { files: files.with(files.indexOf(file), negated), hooks };
}
