// Every limit, at the limit and one above it.
import { describe, expect, test } from "bun:test";
import { bind } from "../../src/cel/bind.ts";
import { check } from "../../src/cel/check-expression.ts";
import { compile } from "../../src/cel/compile-expression.ts";
import { createMeter, evaluate, isSpent, type Meter, type Outcome } from "../../src/cel/evaluate-condition.ts";
import {
  COMPREHENSION_NESTING,
  CONDITION_STEPS,
  EVALUATION_STEPS,
  EXPANDED_BYTES,
  EXPANDED_NESTING,
  EXPRESSION_INSTRUCTIONS,
  LIST_ELEMENTS,
  NESTING,
  NODES,
  PATTERN_INSTRUCTIONS,
  PATTERN_TEXT_BYTES,
  WRITTEN_BYTES,
} from "../../src/cel/limits.ts";
import { parse } from "../../src/cel/parse-expression.ts";
import type { Context } from "../../src/core/context.ts";
import { codesOf, RULES } from "../support/cel/rules.ts";

function parseCode(text: string): string {
  const parsed = parse(text);
  return parsed.ok ? "ok" : parsed.error.code;
}

function padded(bytes: number, text = "true"): string {
  return text + " ".repeat(bytes - new TextEncoder().encode(text).length);
}

describe("limits of text and tree", () => {
  const cases: readonly (readonly [note: string, give: (size: number) => string, limit: number])[] = [
    ["bytes as written", (size) => padded(size), WRITTEN_BYTES],
    ["bytes as written, not characters", (size) => padded(size, '"é" != ""'), WRITTEN_BYTES],
    ["parentheses", (size) => `${"(".repeat(size)}true${")".repeat(size)}`, NESTING],
    ["brackets of lists", (size) => `${"[".repeat(size)}${"]".repeat(size)}`, NESTING],
    ["brackets of calls", (size) => `${"size(".repeat(size)}1${")".repeat(size)}`, NESTING],
    ["exclamation marks", (size) => `${"!".repeat(size)}true`, NESTING],
    ["selections", (size) => `a${".b".repeat(size)}`, NESTING],
    ["indexes", (size) => `a${"[0]".repeat(size)}`, NESTING],
    ["sums", (size) => `1${" + 1".repeat(size)}`, NESTING],
    ["conditionals", (size) => `${"a ? b : ".repeat(size)}c`, NESTING],
    ["elements of a list", (size) => `[${Array(size).fill("1").join(",")}]`, LIST_ELEMENTS],
    [
      "entries of a map",
      (size) => `{${Array.from({ length: size }, (_, key) => `${key}:1`).join(",")}}`,
      LIST_ELEMENTS,
    ],
    ["nodes", (size) => Array((size + 1) / 2).fill("a").join("||"), NODES - 1],
    ["comprehensions", (size) => `${"[1].all(x, ".repeat(size)}true${")".repeat(size)}`, COMPREHENSION_NESTING],
  ];
  for (const [note, give, limit] of cases) {
    test(`parse: ${note}`, () => {
      expect(parseCode(give(limit))).toBe("ok");
      expect(parseCode(give(limit + (note === "nodes" ? 2 : 1)))).toBe("rule.limit");
    });
  }

  test("check: bytes expanded", () => {
    expect(codesOf(padded(EXPANDED_BYTES))).toBe("ok: bool");
    expect(codesOf(padded(EXPANDED_BYTES + 1))).toBe("rule.limit");
  });

  test("check: the limit of parentheses leaves room for 64 levels of definitions", () => {
    const nested = (levels: number): string => `${"(".repeat(levels)}true${")".repeat(levels)}`;
    expect(codesOf(nested(EXPANDED_NESTING))).toBe("ok: bool");
    expect(codesOf(nested(EXPANDED_NESTING + 1))).toBe("rule.limit");
  });

  test("comprehensions one after another are not nested", () => {
    expect(codesOf("[1].map(a, a).map(b, b).map(c, c).all(d, d == 1)")).toBe("ok: bool");
  });

  test("check: instructions of one pattern and of all", () => {
    // A literal pattern compiles to one instruction per character, plus three.
    const pattern = (instructions: number): string =>
      `http.path.matches("${"ab".repeat(instructions).slice(0, instructions - 2)}")`;
    expect(codesOf(pattern(PATTERN_INSTRUCTIONS))).toBe("ok: bool");
    expect(codesOf(pattern(PATTERN_INSTRUCTIONS + 1))).toBe("rule.regex");
    const full = EXPRESSION_INSTRUCTIONS / PATTERN_INSTRUCTIONS;
    expect(codesOf(Array(full).fill(pattern(PATTERN_INSTRUCTIONS)).join(" && "))).toBe("ok: bool");
    expect(codesOf(Array(full + 1).fill(pattern(PATTERN_INSTRUCTIONS)).join(" && "))).toBe("rule.limit");
  });
});

function run(text: string, context: Context, meter: Meter = createMeter()): Outcome {
  const checked = check(text, RULES);
  if (!checked.ok) throw new Error(checked.error.map(({ message }) => message).join("; "));
  return evaluate(compile(checked.value, RULES), bind(RULES, context, {}), meter);
}

function stepsOf(text: string, context: Context): number {
  const meter = createMeter();
  run(text, context, meter);
  return EVALUATION_STEPS - meter.remaining;
}

const args = (length: number): Context => ({ run: { args: Array(length).fill("a") } });
const OVER: Outcome = { kind: "error", reason: `over ${CONDITION_STEPS} steps` };

describe("limits of evaluation", () => {
  test("a node and an element are a step each", () => {
    expect(stepsOf("true", {})).toBe(1);
    expect(stepsOf("http.host == http.path", { http: {} })).toBe(3);
    expect(stepsOf("run.args.all(a, a != run.tool)", args(10))).toBe(2 + 10 * (1 + 3));
    expect(stepsOf("run.args.exists(a, a == 'b')", args(10))).toBe(2 + 10 * (1 + 3));
  });

  test("parts that are not evaluated cost no steps", () => {
    expect(stepsOf("false && http.host == http.path", {})).toBe(2);
    expect(stepsOf("true ? false : http.host == http.path", {})).toBe(3);
  });

  test("steps of a condition", () => {
    // 3 steps for the two outer nodes and the comparison of a length, then 1 + 1 for each element.
    const most = (CONDITION_STEPS - 2) / 2;
    expect(run("run.args.all(a, true)", args(most))).toEqual({ kind: "value", value: true });
    expect(run("run.args.all(a, true)", args(most + 1))).toEqual(OVER);
  });

  test("nothing absorbs that a condition was over its limit", () => {
    expect(run("run.args.all(a, true) || true", args(CONDITION_STEPS))).toEqual(OVER);
    expect(run("run.args.exists(a, false) && false", args(CONDITION_STEPS))).toEqual(OVER);
    expect(run("run.args.all(a, true) ? true : true", args(CONDITION_STEPS))).toEqual(OVER);
  });

  test("steps of an evaluation, over its conditions", () => {
    const meter = createMeter();
    const full = args((CONDITION_STEPS - 2) / 2);
    for (let index = 0; index < EVALUATION_STEPS / CONDITION_STEPS; index++) {
      expect(run("run.args.all(a, true)", full, meter).kind).toBe("value");
      expect(isSpent(meter)).toBe(false);
    }
    expect(meter.remaining).toBe(0);
    run("true", {}, meter);
    expect(isSpent(meter)).toBe(true);
  });

  test("a condition that exceeds its limit costs the evaluation no more than that limit", () => {
    const meter = createMeter();
    run("run.args.all(a, true)", args(CONDITION_STEPS), meter);
    expect(meter.remaining).toBe(EVALUATION_STEPS - CONDITION_STEPS);
    expect(isSpent(meter)).toBe(false);
  });

  test("text of a pattern, in bytes", () => {
    const path = (text: string): Context => ({ http: { path: text } });
    expect(run("http.path.matches('b')", path("a".repeat(PATTERN_TEXT_BYTES)))).toEqual({
      kind: "value",
      value: false,
    });
    const long: Outcome = { kind: "error", reason: "text is too long for a pattern" };
    expect(run("http.path.matches('b')", path("a".repeat(PATTERN_TEXT_BYTES + 1)))).toEqual(long);
    expect(run("http.path.matches('b')", path("é".repeat(PATTERN_TEXT_BYTES / 2 + 1)))).toEqual(long);
  });
});
