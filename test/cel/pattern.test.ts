import { describe, expect, test } from "bun:test";
import { RE2JS } from "re2js";
import { compilePattern, literalPrefix } from "../../src/cel/pattern.ts";
import { measurePattern } from "../../src/cel/pattern-size.ts";
import { randomFrom } from "../support/random.ts";

describe("literalPrefix", () => {
  const cases: readonly (readonly [pattern: string, prefix: string])[] = [
    ["^/v1/users/[0-9]+$", "/v1/users/"],
    ["^api\\.example\\.com$", "api.example.com"],
    ["^ab*", "a"],
    ["^ab?c", "a"],
    ["^ab{0,2}", "a"],
    ["^ab+", "a"],
    ["^a\\.?b", "a"],
    ["^a|b", ""],
    ["^(?i)ab", ""],
    ["(?i)^ab", ""],
    ["ab", ""],
    ["^", ""],
    ["^a\\", "a"],
    ["^\\d", ""],
    ["^\\Qa\\E", ""],
    ["^é", ""],
  ];
  for (const [pattern, prefix] of cases) {
    test(pattern, () => expect(literalPrefix(pattern)).toBe(prefix));
  }

  const seed = Date.now() % 1_000_000_000;
  test(`never turns away what the pattern matches (seed ${seed})`, () => {
    const random = randomFrom(seed);
    const pick = (items: readonly string[]): string => items[Math.floor(random() * items.length)] ?? "";
    let matches = 0;
    for (let index = 0; index < 2_000; index++) {
      const parts = Array.from(
        { length: 4 },
        () => pick(["a", "b", "ab", "\\.", "a*", "b?", "(a|b)", "a{0,1}", "[ab]", "(?:b)", "|", "$"]),
      );
      const compiled = compilePattern(`^${parts.join("")}`);
      const text = Array.from({ length: 4 }, () => pick(["a", "b", ".", ""])).join("");
      if (!compiled.ok || compiled.value.test(text) !== true) continue;
      matches++;
      expect(text.startsWith(compiled.value.prefix), `^${parts.join("")} on ${text}`).toBe(true);
    }
    expect(matches).toBeGreaterThan(0);
  });
});

describe("measurePattern: atoms", () => {
  const cases: readonly (readonly [pattern: string, size: number])[] = [
    ["abc", 3],
    ["a{10}", 10],
    ["(?:ab){3}", 6],
    ["a{2,5}b{3,}", 8],
    ["(a{10}){10}", 120],
    ["((a{10}){10}){10}", 1220],
    ["[a-z{9}]{2}", 2],
    ["[]a]{2}[^]]", 3],
    ["[[:alpha:]]{3}", 3],
    ["\\{9}", 3],
    ["\\Qa{9}\\E", 8],
    ["a{b}", 4],
    ["a{,5}", 5],
    ["\\x{61}{3}", 3],
    ["{(a{9}){9}}", 101],
    ["a|b*", 4],
    ["a)b", 1],
    ["(?i)a(?:b)(?P<n>c)", 5],
    ["(?<name>a){2}", 6],
  ];
  for (const [pattern, size] of cases) {
    test(pattern, () => expect(measurePattern(pattern).atoms).toBe(size));
  }

  test("is not far below the size of the program", () => {
    for (const pattern of ["a{100}", "(?:ab){50}", "(?:a{10}){10}", "(a|b){30}x{20}", "[a-z]{1,90}", "(?:a?){40}"]) {
      const compiled = compilePattern(pattern);
      expect(compiled.ok && compiled.value.instructions).toBeLessThanOrEqual(2 * measurePattern(pattern).atoms + 4);
    }
  });
});

describe("compilePattern", () => {
  test("refuses what RE2 does not have, in one printable line", () => {
    for (const pattern of ["(", "a**", "(?=a)", "(?<=a)b", "\\1", "a{2,1}", "[z-a]", "(?P<\u202e>a)", "\\C"]) {
      const compiled = compilePattern(pattern);
      expect(compiled.ok ? "ok" : compiled.error).toMatch(/^pattern is not RE2: [\x20-\x7e]+$/);
    }
  });

  test("costs its instructions for every 64 characters", () => {
    const compiled = compilePattern("abc");
    expect(compiled.ok && compiled.value.cost("x".repeat(640)) / compiled.value.instructions).toBe(10);
  });
});

describe("measurePattern: classes", () => {
  const cases: readonly (readonly [pattern: string, classes: number, note: string])[] = [
    ["[a-z0-9]", 0, "a few ranges are an instruction"],
    ["[a-z0-9]{100}", 0, "so is each copy of them"],
    [`[${"a-b".repeat(80)}]`, 9, "eight ranges cost as much as an instruction"],
    [`[${"a-b".repeat(80)}]{3}`, 27, "copies keep their ranges"],
    ["(?i)[a-z]", 25, "the width of a range"],
    ["(?i)[a-z]{10}", 25, "which is visited once"],
    ["(?i)[\\x{41}-\\x5A]", 25, "escapes"],
    ["(?i)[\\101-\\132]", 25, "octal escapes"],
    ["(?i)[\\n-\\r]", 3, "control characters"],
    ["(?i:a)[a-z]", 0, "a flag ends with its group"],
    ["(?i)(?-i)[a-z]", 0, "a flag is taken back"],
    ["((?i)a)[a-z]", 0, "a flag ends with the group around it"],
    ["((?i)a[a-z])", 25, "and holds within"],
    ["\\(?i)[a-z]", 0, "an escaped parenthesis is no flag"],
    ["[(?i)][a-z]", 0, "nor is what stands in a class"],
    ["\\pL", 299, "a category"],
    ["\\P{Greek}", 299, "a script"],
    ["[\\pL\\pN]", 599, "two of them"],
    ["\\pL{3}", 497, "copies of a category"],
    ["(?i)\\d", 127, "a name of ASCII, of either case"],
    ["(?i)[[:alpha:]]", 127, "another"],
  ];
  test.each(cases)("A6: %s costs %p: %s", (pattern, classes) => {
    expect(measurePattern(pattern).classes).toBe(classes);
  });

  test("A6: ordinary rules are within the limit", () => {
    for (
      const pattern of [
        "^([a-z0-9-]{1,63}\\.){1,4}example\\.com$",
        "(?i)^[a-z0-9-]{1,63}\\.example\\.com$",
        "(?i)^/(api|v[0-9]+)/[a-z0-9_.~-]*$",
        "^\\p{L}[\\p{L}\\p{N} ]*$",
        "^[\\w.+-]+@[\\w-]+\\.[\\w.-]+$",
        "^(?:a|b|c|d|e){1,255}$",
      ]
    ) expect(compilePattern(pattern).ok, pattern).toBe(true);
  });

  const seed = Date.now() % 1_000_000_000;
  test(`A6: no program keeps more ranges than were counted (seed ${seed})`, () => {
    const random = randomFrom(seed);
    const pick = (items: readonly string[]): string => items[Math.floor(random() * items.length)] ?? "";
    const classOf = () =>
      `[${pick(["", "^"])}${Array.from({ length: 1 + Math.floor(random() * 4) }, () => pick(CLASS_PARTS)).join("")}]`;
    let compiled = 0;
    for (let index = 0; index < 3_000; index++) {
      const parts = Array.from(
        { length: 1 + Math.floor(random() * 4) },
        () => random() < 0.5 ? classOf() : pick(PATTERN_PARTS),
      );
      const source = parts.join("");
      const found = compilePattern(source);
      if (!found.ok) continue;
      compiled++;
      const { atoms, classes } = measurePattern(source);
      const ranges = rangesOf(source);
      expect(ranges, source).toBeLessThanOrEqual(8 * (atoms + classes + 1));
    }
    expect(compiled).toBeGreaterThan(1_000);
  });
});

const CLASS_PARTS = [
  "a-z",
  "]",
  "[:alpha:]",
  "\\pL",
  "\\x{100}-\\x{180}",
  "\\]",
  "-",
  "k",
  "\\d",
  "\\n-a",
  "(?i)",
  "\\101",
  "é",
];
const PATTERN_PARTS = [
  "(?i)",
  "(?i:a)",
  "(",
  ")",
  "|",
  "{2}",
  "a",
  "\\pN",
  "{",
  "}",
  "\\Q[\\E",
  "\\[",
  "(?-i)",
  "[:a:]",
];

/** The number of ranges in the instructions of a program. */
function rangesOf(source: string): number {
  const inst: readonly { readonly runes: ArrayLike<number> | null }[] = RE2JS.compile(source).re2().prog.inst;
  return inst.reduce((sum, { runes }) => sum + (runes?.length ?? 0) / 2, 0);
}
