// Random rule sets, and their files as YAML in several styles.
import type { RuleAction } from "../../../src/core/decision.ts";
import type { JsonObject } from "../../../src/core/json.ts";
import type { RuleText } from "../../../src/rule/load-rules.ts";
import { ConditionGenerator, NO_SCOPE, quoted, type Scope } from "./condition.ts";
import { generateMap } from "./context.ts";
import type { PlainFile, PlainRule } from "../plain/rules.ts";
import type { Random } from "../random.ts";

/** A rule set with the output of its hooks; null is a hook that fails. */
export type GeneratedSet = {
  readonly files: readonly PlainFile[];
  readonly hooks: { readonly [script: string]: JsonObject | null };
};

// Names whose order by code unit differs from the order by number, by letter and by code point.
const FILE_NAMES = ["00-base.yaml", "10.yaml", "9.yaml", "B.yaml", "a.yaml", "é.yaml", "\uffee.yaml", "\u{10400}.yaml"];

const ACTIONS: readonly RuleAction[] = ["allow", "allow", "allow", "block", "block", "enrich"];
const PRIORITIES = [100, 100, 99, 101, -1, 0, 1, -(2 ** 31), 2 ** 31 - 1];

// Times around the plain evaluator's fixed time, and far from it.
const ENDS = [
  ...["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "2030-01-01T00:00:00Z", "2030-01-01T00:00:00.001Z"],
  ...["2029-12-31T23:59:59.999Z", "2030-01-01T01:00:00+02:00", "2029-12-31T23:00:00-02:00"],
];

/** Makes a rule set. */
export function generateSet(random: Random): GeneratedSet {
  const output = (): JsonObject | null => (random.below(5) === 0 ? null : generateMap(random, 1));
  const hooks = { "h1.sh": output(), "h2.sh": output() };
  const names = FILE_NAMES.toSorted(() => random.below(3) - 1).slice(0, 1 + random.below(4));
  let count = 0;
  const files = names.map((name): PlainFile => {
    const { definitions, scope } = generateDefinitions(random);
    const rules = Array.from({ length: random.below(6) }, () => {
      return { id: `r${count++}`, ...generateRule(random, () => generateCondition(random, scope, hooks)) };
    });
    return { name, definitions, rules };
  });
  return { files, hooks };
}

function generateDefinitions(random: Random): { definitions: Record<string, string>; scope: Scope } {
  const conditions = new ConditionGenerator(random);
  const definitions: Record<string, string> = {};
  let scope = NO_SCOPE;
  for (const name of ["gh", "_x", "deep", "Last"].slice(0, random.below(5))) {
    // Anything after the definition in its own text would end with the definition.
    const end = random.pick(["", "", "\n", " // all )", " // $gh\n"]);
    definitions[name] = `${conditions.bool(random.below(3), scope)}${end}`;
    scope = { ...scope, bools: [...scope.bools, name] };
  }
  if (random.below(3) === 0) {
    definitions["host"] = conditions.text(1, NO_SCOPE);
    scope = { ...scope, texts: ["host"] };
  }
  return { definitions, scope };
}

function generateRule(random: Random, condition: () => string): Omit<PlainRule, "id"> {
  const action = random.pick(ACTIONS);
  return {
    condition: action === "enrich" && random.below(2) === 0 ? "true" : condition(),
    action,
    ...(random.below(3) === 0 ? { priority: random.pick(PRIORITIES) } : {}),
    ...(random.below(3) === 0 ? { log: random.below(2) === 0 } : {}),
    ...(action === "allow" && random.below(6) === 0 ? { expires: random.pick(ENDS) } : {}),
    ...(action === "enrich" ? { script: random.pick(["h1.sh", "h2.sh"]) } : {}),
  };
}

function generateCondition(random: Random, scope: Scope, hooks: GeneratedSet["hooks"]): string {
  switch (random.below(10)) {
    case 0:
      return random.pick(["metadata.flag", "run.context", "run.tool", "enriched.a"]);
    case 1:
    case 2: {
      // Possible output of a hook, or text at its place.
      const [key, value] = random.pick([...Object.entries(random.pick(Object.values(hooks)) ?? {}), [
        "target",
        "main",
      ]]);
      const isPlain = typeof value !== "object" && !(typeof value === "number" && value < 0);
      return `${random.pick(["enriched", "run.context"])}[${quoted(key)}] ${random.pick(["==", "!="])} ${
        isPlain ? quoted(value) : "null"
      }`;
    }
    default:
      return new ConditionGenerator(random).bool(random.pick([0, 1, 1, 2, 2, 3]), scope);
  }
}

/** The files as YAML. */
export function writeFiles(files: readonly PlainFile[], random?: Random): readonly RuleText[] {
  return files.map((file) => ({ name: file.name, text: writeFile(file, random) }));
}

function writeFile({ definitions, rules }: PlainFile, random: Random | undefined): string {
  const lines = ['version: "1"', "definitions:"];
  for (const [name, text] of Object.entries(definitions)) lines.push(`  ${name}: ${scalar(text, random)}`);
  lines.push("rules:");
  for (const rule of rules) {
    lines.push(`  - id: ${rule.id}`, `    condition: ${scalar(rule.condition, random)}`, `    action: ${rule.action}`);
    if (rule.priority !== undefined) lines.push(`    priority: ${rule.priority}`);
    if (rule.log !== undefined) lines.push(`    log: ${rule.log}`);
    if (rule.expires !== undefined) lines.push(`    expires: ${rule.expires}`);
    if (rule.script !== undefined) lines.push(`    enrich: {script: ${rule.script}}`);
  }
  return `${lines.join("\n")}\n`;
}

// The same text in one of YAML's styles for strings.
function scalar(text: string, random: Random | undefined): string {
  switch (random?.below(4)) {
    case 0:
      return `|2-\n${indented(text)}`;
    case 1:
      return text.includes("\n") ? quoted(text) : `'${text.replaceAll("'", "''")}'`;
    case 2:
      return text.includes("\n") ? `|2+\n${indented(text)}` : `>2-\n${indented(text)}`;
    default:
      return quoted(text);
  }
}

function indented(text: string): string {
  return text.split("\n").map((line) => `        ${line}`).join("\n");
}
