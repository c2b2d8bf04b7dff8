import { expect, test } from "bun:test";
import { bind } from "../../src/cel/bind.ts";
import { check } from "../../src/cel/check-expression.ts";
import { compile } from "../../src/cel/compile-expression.ts";
import { createMeter, evaluate } from "../../src/cel/evaluate-condition.ts";
import { formatTree } from "../../src/cel/format-tree.ts";
import { parse } from "../../src/cel/parse-expression.ts";
import type { CelProblem } from "../../src/cel/cel-problem.ts";
import { findReferences } from "../../src/cel/scan-tokens.ts";
import { Generator } from "../support/cel/generate.ts";
import { name, select } from "../support/cel/values.ts";
import { randomFrom } from "../support/random.ts";
import { RULES } from "../support/cel/rules.ts";
import { CASES } from "../support/cases.ts";

const TIMEOUT_MS = 10_000 + 10 * CASES;
const SEED = Number(process.env["OUTCALL_SEED"] ?? Date.now() % 1_000_000_000);

const PIECES = [
  "(",
  ")",
  "[",
  "]",
  "{",
  "}",
  "!",
  "-",
  "&&",
  "||",
  "==",
  "<",
  " in ",
  "?",
  ":",
  ",",
  ".",
  "$",
  "$x",
  "\\",
  '"',
  "'",
  '"""',
  "r'",
  'b"',
  "//",
  "\n",
  "\r",
  "\t",
  "\0",
  "\u2028",
  "\ud800",
  "é",
  "😀",
  "0",
  "1u",
  "9223372036854775808",
  "0x",
  "1e",
  "1e999",
  "has(",
  ".all(x, ",
  ".map(x, x, x)",
  "http.",
  "metadata.x",
  "null",
  "true",
  "__proto__",
  "constructor",
  "matches",
  "`a`",
  ";",
];

function isSound({ message, span, hint }: CelProblem, text: string): boolean {
  const printable = /^[\x20-\x7e\u00a0-\uffff]+$/.test(message) && !(hint ?? "").includes("\n");
  return printable && span.start >= 0 && span.start <= span.end && span.end <= text.length;
}

function examine(text: string): "ok" | "refused" {
  for (const references of [false, true]) {
    const parsed = parse(text, { references });
    if (!parsed.ok) {
      expect(isSound(parsed.error, text), `${JSON.stringify(text)}: ${JSON.stringify(parsed.error)}`).toBe(true);
      continue;
    }
    const formatted = formatTree(parsed.value.tree);
    const again = parse(formatted, { references });
    expect(again.ok && formatTree(again.value.tree), JSON.stringify(text)).toBe(formatted);
  }
  for (const { span, name } of findReferences(text)) expect(text.slice(span.start, span.end)).toBe(`$${name}`);
  const checked = check(text, RULES);
  if (!checked.ok) {
    expect(checked.error.length).toBeGreaterThan(0);
    for (const problem of checked.error) expect(isSound(problem, text), JSON.stringify({ text, problem })).toBe(true);
    return "refused";
  }
  const activation = bind(RULES, { http: { host: "a" }, run: { args: ["a"] }, metadata: { x: [1, null, "a"] } }, {});
  const outcome = evaluate(compile(checked.value, RULES), activation, createMeter());
  expect(["value", "no-value", "error"]).toContain(outcome.kind);
  return "ok";
}

test(`nothing throws on mutated expressions (seed ${SEED})`, () => {
  const random = randomFrom(SEED);
  const generator = new Generator(random, {
    string: [select(name("http"), "host")],
    list: [select(name("run"), "args")],
    map: [name("metadata")],
  });
  const counts = { ok: 0, refused: 0 };
  for (let index = 0; index < CASES; index++) {
    let text = formatTree(generator.tree("bool", 3));
    for (let change = Math.floor(random() * 3); change > 0; change--) {
      const at = Math.floor(random() * (text.length + 1));
      const removed = random() < 0.5 ? 0 : Math.floor(random() * 6);
      text = text.slice(0, at) + (random() < 0.8 ? generator.pick(PIECES) : "") + text.slice(at + removed);
    }
    counts[examine(text)]++;
  }
  expect(counts.ok).toBeGreaterThan(0);
  expect(counts.refused).toBeGreaterThan(0);
}, TIMEOUT_MS);

test(`nothing throws on random pieces and characters (seed ${SEED})`, () => {
  const random = randomFrom(SEED + 1);
  const generator = new Generator(random, {});
  for (let index = 0; index < CASES; index++) {
    const length = Math.floor(random() * 12);
    const pieces = Array.from(
      { length },
      () => random() < 0.7 ? generator.pick(PIECES) : String.fromCharCode(Math.floor(random() * 0x250)),
    );
    examine(pieces.join(""));
  }
}, TIMEOUT_MS);
