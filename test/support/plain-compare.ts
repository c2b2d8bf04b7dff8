// The engine and the plain evaluator on the same rule set and request, and a smaller one on which they still differ.
import { formatTree } from "../../src/cel/format.ts";
import { parse } from "../../src/cel/parse.ts";
import { children } from "../../src/cel/walk.ts";
import type { Context } from "../../src/core/context.ts";
import { err, ok } from "../../src/core/result.ts";
import { evaluateWithHooks, type RunHook } from "../../src/rule/evaluate.ts";
import { loadRuleFiles, type RuleText } from "../../src/rule/load.ts";
import type { RuleSet } from "../../src/rule/rule-set.ts";
import { decidePlain, orderPlain, type PlacedRule, type PlainDecision, type PlainFile } from "./plain-rules.ts";
import { type PlainSet, type Spelling, writeYaml } from "./plain-yaml.ts";

/** A rule set as each of the two sees it. */
export type Opened = {
  readonly set: RuleSet;
  readonly placed: readonly PlacedRule[];
  readonly hooks: PlainSet["hooks"];
};

/** The texts of a set's files. */
export function textsOf({ files }: PlainSet, spell?: () => Spelling): readonly RuleText[] {
  return files.map((file) => ({ name: file.name, text: writeYaml(file, spell) }));
}

/** Loads a set for both, or gives null for one that does not load. */
export function open(plain: PlainSet, spell?: () => Spelling): Opened | null {
  const { set } = loadRuleFiles(textsOf(plain, spell));
  return set === null ? null : { set, placed: orderPlain(plain.files), hooks: plain.hooks };
}

/** What the engine decides, and the rules that it warns about. */
export async function decideCompiled(set: RuleSet, hooks: PlainSet["hooks"], context: Context): Promise<PlainDecision> {
  const runHook: RunHook = (rule) => {
    const output = hooks[rule.enrich?.script ?? ""] ?? null;
    return Promise.resolve(output === null ? err("failed") : ok(output));
  };
  const turn = { asker: "test", signal: new AbortController().signal };
  const { decision, warnings } = await evaluateWithHooks(set, context, { runHook, turn });
  return { ...decision, warned: warnings.map(({ rule }) => rule) };
}

/** Both decisions, as text, and whether they differ. */
export type Compared = { readonly compiled: PlainDecision; readonly plain: PlainDecision; readonly differ: boolean };

/** Asks both. */
export async function compare({ set, placed, hooks }: Opened, context: Context): Promise<Compared> {
  const compiled = await decideCompiled(set, hooks, context);
  const plain = decidePlain(placed, context, (script) => hooks[script] ?? null);
  const differ = JSON.stringify(inOrder(compiled)) !== JSON.stringify(inOrder(plain));
  return { compiled, plain, differ };
}

function inOrder({ decision, matched_rule, file, logged, warned }: PlainDecision): readonly unknown[] {
  return [decision, matched_rule, file, logged, warned];
}

/** A set and a request. */
export type PlainCase = { readonly set: PlainSet; readonly context: Context };

/** A smaller case on which the two still differ. */
export async function shrink(found: PlainCase): Promise<PlainCase> {
  let smallest = found;
  for (let tries = 0; tries < 200; tries++) {
    const smaller = await firstDiffering(smallerCases(smallest));
    if (smaller === undefined) break;
    smallest = smaller;
  }
  return smallest;
}

async function firstDiffering(cases: Iterable<PlainCase>): Promise<PlainCase | undefined> {
  for (const each of cases) {
    const opened = open(each.set);
    if (opened !== null && (await compare(opened, each.context)).differ) return each;
  }
  return undefined;
}

function* smallerCases({ set, context }: PlainCase): Generator<PlainCase> {
  const { files, hooks } = set;
  for (const at of files.keys()) yield { set: { files: files.toSpliced(at, 1), hooks }, context };
  for (const [at, file] of files.entries()) {
    for (const smaller of smallerFiles(file)) yield { set: { files: files.with(at, smaller), hooks }, context };
  }
  for (const hook of Object.keys(hooks)) {
    if (files.some(({ rules }) => rules.some(({ script }) => script === hook))) continue;
    yield { set: { files, hooks: without(hooks, hook) }, context };
  }
  for (const [name, value] of Object.entries(context)) {
    yield { set, context: without(context, name) };
    if (typeof value !== "object") continue;
    for (const field of Object.keys(value)) yield { set, context: { ...context, [name]: without(value, field) } };
  }
}

function* smallerFiles(file: PlainFile): Generator<PlainFile> {
  const { rules, definitions } = file;
  for (const at of rules.keys()) yield { ...file, rules: rules.toSpliced(at, 1) };
  for (const name of Object.keys(definitions)) yield { ...file, definitions: without(definitions, name) };
  for (const [at, rule] of rules.entries()) {
    for (const condition of smallerTexts(rule.condition)) {
      yield { ...file, rules: rules.with(at, { ...rule, condition }) };
    }
  }
  for (const [name, text] of Object.entries(definitions)) {
    for (const smaller of smallerTexts(text)) yield { ...file, definitions: { ...definitions, [name]: smaller } };
  }
}

function smallerTexts(text: string): readonly string[] {
  const parsed = parse(text, { references: true });
  return parsed.ok ? children(parsed.value.tree).map(formatTree).filter((part) => part.length < text.length) : [];
}

function without<T extends object>(members: T, name: string): T {
  const copy = { ...members };
  Reflect.deleteProperty(copy, name);
  return copy;
}
