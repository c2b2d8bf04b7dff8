import { describe, expect, test } from "bun:test";
import { compilePattern, literalPrefix } from "../../src/cel/pattern.ts";
import { expandedSize } from "../../src/cel/pattern-size.ts";
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

describe("expandedSize", () => {
  const cases: readonly (readonly [pattern: string, size: number])[] = [
    ["abc", 3],
    ["a{10}", 10],
    ["(?:ab){3}", 18],
    ["a{2,5}b{3,}", 8],
    ["(a{10}){10}", 120],
    ["((a{10}){10}){10}", 1220],
    ["[a-z{9}]{2}", 2],
    ["[]a]{2}[^]]", 3],
    ["[[:alpha:]]{3}", 3],
    ["\\{9}", 3],
    ["\\Qa{9}\\E", 8],
    ["a{b}", 1],
    ["a|b*", 4],
    ["a)b", Infinity],
  ];
  for (const [pattern, size] of cases) {
    test(pattern, () => expect(expandedSize(pattern)).toBe(size));
  }

  test("is not far below the size of the program", () => {
    for (const pattern of ["a{100}", "(?:ab){50}", "(?:a{10}){10}", "(a|b){30}x{20}", "[a-z]{1,90}", "(?:a?){40}"]) {
      const compiled = compilePattern(pattern);
      expect(compiled.ok && compiled.value.instructions).toBeLessThanOrEqual(2 * expandedSize(pattern) + 4);
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
