// The reference graph of a file: undefined references, cycles, and excessive depth or length.
import { describe, expect, test } from "bun:test";
import type { SourceText } from "../../src/core/source-text.ts";
import { placeAt } from "../../src/core/span.ts";
import { EXPANDED_LENGTH } from "../../src/rule/expansion-budget.ts";
import { buildReferenceGraph, DEFINITION_DEPTH } from "../../src/rule/references.ts";

function source(text: string): SourceText {
  return { text, place: (start, end) => ({ file: "a", line: 1, column: start, endLine: 1, endColumn: end }) };
}

function graphOf(definitions: Readonly<Record<string, string>>, unusable: readonly string[] = []) {
  const names = Object.keys(definitions);
  const documents = Object.entries(definitions).map(([name, text]) => {
    return { name, place: placeAt(name), expression: source(text) };
  });
  return buildReferenceGraph(documents, new Set(names.filter((name) => !unusable.includes(name))));
}

function findingsOf(definitions: Readonly<Record<string, string>>): readonly string[] {
  return graphOf(definitions).findings.map(({ definition, finding }) =>
    `${definition}: ${finding.code} ${finding.message}${finding.hint === undefined ? "" : ` | ${finding.hint}`}`
  );
}

// d0 refers to d1, d1 to d2, and so on.
function chain(length: number, last = "true"): Record<string, string> {
  const names = Array.from({ length }, (_, at) => `d${at}`);
  return Object.fromEntries(names.map((name, at) => [name, at === length - 1 ? last : `$d${at + 1}`]));
}

describe("buildReferenceGraph", () => {
  const CIRCLE = "rule.definition-cycle definitions refer to each other in a circle:";
  const cases: readonly (readonly [note: string, definitions: Record<string, string>, ...findings: string[]])[] = [
    ["nothing", {}],
    ["no references", { a: "1", b: '"$nope" // $nope' }],
    ["a name used twice is no circle", { a: "$b + $b", b: "1" }],
    ["two ways to one name are no circle", { a: "$b + $c", b: "$d", c: "$d", d: "1" }],
    ["a definition of itself", { a: "$a" }, `a: ${CIRCLE} a -> a`],
    ["two of each other", { a: "$b", b: "1 + $a" }, `a: ${CIRCLE} a -> b -> a`],
    ["a circle is named from where it begins", { x: "$a", a: "$b", b: "$c", c: "$a" }, `a: ${CIRCLE} a -> b -> c -> a`],
    ["two circles", { a: "$a", b: "$b" }, `a: ${CIRCLE} a -> a`, `b: ${CIRCLE} b -> b`],
    ["a circle within a circle", { a: "$b", b: "$b + $a" }, `b: ${CIRCLE} b -> b`, `a: ${CIRCLE} a -> b -> a`],
    ["a circle that is closed twice", { a: "$b + $b", b: "$a + $a" }, `a: ${CIRCLE} a -> b -> a`],
    [
      "eleven names in a circle are shown",
      { ...chain(11, "$d0") },
      `d0: ${CIRCLE} d0 -> d1 -> d2 -> d3 -> d4 -> d5 -> d6 -> d7 -> d8 -> d9 -> d10 -> d0`,
    ],
    [
      "of twelve, ten",
      { ...chain(12, "$d0") },
      `d0: ${CIRCLE} d0 -> d1 -> d2 -> d3 -> d4 -> d5 -> d6 -> d7 -> d8 -> d9 -> ... -> d0`,
    ],
    [
      "an undefined name",
      { github: "$githb" },
      'github: rule.undefined-definition definition "github": undefined definition "$githb" | did you mean "github"?',
    ],
    [
      "each undefined name",
      { a: "$x + $y" },
      'a: rule.undefined-definition definition "a": undefined definition "$x" | did you mean "a"?',
      'a: rule.undefined-definition definition "a": undefined definition "$y" | did you mean "a"?',
    ],
    [
      "names of JavaScript's own",
      { a: "$constructor + $__proto__ + $toString" },
      'a: rule.undefined-definition definition "a": undefined definition "$constructor"',
      'a: rule.undefined-definition definition "a": undefined definition "$__proto__"',
      'a: rule.undefined-definition definition "a": undefined definition "$toString"',
    ],
  ];
  for (const [note, definitions, ...findings] of cases) {
    test(note, () => expect(findingsOf(definitions)).toEqual(findings));
  }

  test("a definition is valid only if everything that it refers to is", () => {
    const { sound } = graphOf({ a: "$b", b: "$nope", c: "$d", d: "$d", e: "$f", f: "broken", g: "$h", h: "1" }, ["f"]);
    expect([...sound.keys()]).toEqual(["h", "g"]);
  });

  test(`definitions nest ${DEFINITION_DEPTH} levels, and no more`, () => {
    expect(DEFINITION_DEPTH).toBe(64);
    expect(findingsOf(chain(DEFINITION_DEPTH))).toEqual([]);
    expect(findingsOf(chain(DEFINITION_DEPTH + 1))).toEqual([
      'd0: rule.limit definition "d0" definitions nest over 64 levels',
    ]);
  });

  test("one definition expands to 256 KiB, and no further", () => {
    // Three times a quarter of the limit with its parentheses, plus the operators between them.
    const fourth = `"${"x".repeat(EXPANDED_LENGTH / 4 - 4)}"`;
    const used = "$a+$a+$a+";
    const rest = EXPANDED_LENGTH - 3 * (fourth.length + 2) - 3;
    expect(EXPANDED_LENGTH).toBe(256 * 1024);
    const full = { a: fourth, b: `${used}${"1".repeat(rest)}` };
    expect(findingsOf(full)).toEqual([]);
    expect(graphOf(full).sound.get("b")?.length).toBe(EXPANDED_LENGTH);
    expect(findingsOf({ a: fourth, b: `${used}${"1".repeat(rest + 1)}` })).toEqual([
      'b: rule.limit definition "b" expands to over 256 KiB',
    ]);
  });

  test("a bomb of definitions is measured, not built", () => {
    const bomb = Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [`d${at}`, at === 0 ? "1" : `$d${at - 1}+$d${at - 1}`]),
    );
    const [first, ...others] = findingsOf(bomb);
    expect(first).toBe('d16: rule.limit definition "d16" expands to over 256 KiB');
    // Rules that use it have no finding of their own.
    expect(others).toEqual([]);
  });

  test("a long circle that is closed thousands of times is one finding", () => {
    const closing = Array.from({ length: 10_000 }, () => "$d0").join("+");
    expect(findingsOf(chain(2_000, closing))).toHaveLength(1);
  });

  test("a chain of thousands does not recurse", () => {
    const { sound, findings } = graphOf(chain(50_000));
    expect(sound.size).toBe(DEFINITION_DEPTH);
    expect(findings).toHaveLength(1);
  });

  test("thousands of wrong names in thousands of definitions: all are found, not all are compared", () => {
    const definitions = Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`aaaaaaa${at}`, "1"]));
    const findings = findingsOf({ ...definitions, last: Array.from({ length: 5_000 }, () => "$aaaaaaab").join("+") });
    expect(findings).toHaveLength(5_000);
    const hints = findings.filter((finding) => finding.includes(" | "));
    expect(hints.length).toBeGreaterThan(0);
    expect(hints.length).toBeLessThan(100);
  });
});
