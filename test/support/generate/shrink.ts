// A failing generated case -> the smallest case that still fails, and its text for `test/conformance/found.yaml`.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { formatTree } from "../../../src/cel/format-tree.ts";
import { parse } from "../../../src/cel/parse-expression.ts";
import { children } from "../../../src/cel/walk-tree.ts";
import type { Context } from "../../../src/core/context.ts";
import type { Json } from "../../../src/core/json.ts";
import { type GeneratedSet, writeFiles } from "./rules.ts";
import { decidePlain, orderPlain, type PlainFile } from "../plain/rules.ts";

/** A rule set and one request. */
export type GeneratedCase = GeneratedSet & { readonly context: Context };

/** The largest number of cases to try while shrinking. */
const TRIES = 5_000;

/** Makes a case smaller, step by step, as long as it still fails. */
export async function shrink(
  failing: GeneratedCase,
  fails: (smaller: GeneratedCase) => Promise<boolean>,
): Promise<GeneratedCase> {
  let smallest = failing;
  let tries = 0;
  for (let again = true; again && tries < TRIES;) {
    again = false;
    for (const smaller of smallerCases(smallest)) {
      if (tries++ > TRIES || !await fails(smaller)) continue;
      smallest = smaller;
      again = true;
      break;
    }
  }
  return smallest;
}

function* smallerCases(given: GeneratedCase): Generator<GeneratedCase> {
  const { files } = given;
  for (const file of files) yield { ...given, files: files.filter((each) => each !== file) };
  for (const file of files) {
    for (const smaller of smallerFiles(file)) {
      yield { ...given, files: files.map((each) => (each === file ? smaller : each)) };
    }
  }
  for (const context of withoutMember(given.context)) yield { ...given, context: context as Context };
}

function* smallerFiles(file: PlainFile): Generator<PlainFile> {
  const { rules, definitions } = file;
  for (const rule of rules) yield { ...file, rules: rules.filter((each) => each !== rule) };
  for (const name of Object.keys(definitions)) {
    const others = Object.entries(definitions).filter(([each]) => each !== name);
    yield { ...file, definitions: Object.fromEntries(others) };
  }
  for (const rule of rules) {
    for (const condition of smallerTexts(rule.condition)) {
      yield { ...file, rules: rules.map((each) => (each === rule ? { ...rule, condition } : each)) };
    }
  }
  for (const [name, text] of Object.entries(definitions)) {
    for (const smaller of smallerTexts(text)) yield { ...file, definitions: { ...definitions, [name]: smaller } };
  }
}

// The parts of an expression, and an && or || chain without one of its operands.
function smallerTexts(text: string): readonly string[] {
  const parsed = parse(text, { references: true });
  if (!parsed.ok) return [];
  const { tree } = parsed.value;
  const parts = children(tree).flatMap((child) => [formatTree(child), ...children(child).map(formatTree)]);
  const shorter = tree.kind === "logical" && tree.operands.length > 2
    ? tree.operands.map((operand) =>
      formatTree({ ...tree, operands: tree.operands.filter((each) => each !== operand) })
    )
    : [];
  return [...parts, ...shorter].filter((each) => each.length < text.length);
}

function withoutMember(value: object): readonly object[] {
  return Object.entries(value).flatMap(([key, member]: [string, Json]) => {
    const others = Object.entries(value).filter(([each]) => each !== key);
    const inner = typeof member === "object" && member !== null && !Array.isArray(member) ? withoutMember(member) : [];
    return [
      Object.fromEntries(others),
      ...inner.map((smaller) => Object.fromEntries([...others, [key, smaller]])),
    ];
  });
}

/** The case as an entry of a conformance file, with the plain evaluator's result. */
export function caseText(found: GeneratedCase, note: string): string {
  const { context, files, hooks } = found;
  const { decision, matched_rule: rule, file } = decidePlain(
    orderPlain(files),
    context,
    (script) => hooks[script] ?? null,
  );
  const scripts = Object.fromEntries(Object.entries(hooks).map(([name, output]) => [name, scriptText(output)]));
  const texts = Object.fromEntries(writeFiles(files).map(({ name, text }) => [name, text]));
  return `- ${JSON.stringify({ note, files: texts, scripts, requests: [{ context, decision, rule, file }] })}\n`;
}

function scriptText(output: Json): string {
  return `#!/bin/sh\n${output === null ? "exit 1" : `cat <<'END'\n${JSON.stringify(output)}\nEND`}\n`;
}

const FOUND = join(import.meta.dir, "..", "..", "conformance", "found.yaml");

/** Adds a case to the conformance tests, so that it always runs from now on; CI only prints it. */
export function keepCase(text: string): void {
  if (process.env["CI"] === "true") return;
  if (!existsSync(FOUND)) writeFileSync(FOUND, "# Cases in which the engine and the plain evaluator once disagreed.\n");
  writeFileSync(FOUND, text, { flag: "a" });
}
