// Patterns that are short as text and expensive to compile, as an agent would submit them. The counted cost comes
// first; then each is analysed in a process of its own, within ten times the 100 ms and 64 MB that an agent's text may
// use.
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { PATTERN_INSTRUCTIONS } from "../../src/cel/limits.ts";
import { compilePattern } from "../../src/cel/pattern.ts";
import { measurePattern } from "../../src/cel/pattern-size.ts";
import { SUBMISSION_LIMIT_BYTES } from "../../src/request/submission-limits.ts";

const TIME_GUARD_MS = 1_000;
const MEMORY_GUARD_BYTES = 640 * 1024 * 1024;
const PROGRAM = join(import.meta.dir, "../support/request/analyze-one.ts");

/** Fills a submission almost completely with repetitions of one part. */
const FULL = SUBMISSION_LIMIT_BYTES - 150;

function filled(part: string, before = "", after = ""): string {
  const [each, around] = [part, before + after].map((text) => new TextEncoder().encode(text).length);
  return before + part.repeat(Math.floor((FULL - (around ?? 0)) / (each ?? 1))) + after;
}

const wide = "k-\u{1E000}";

/** Refused before RE2 compiles them, because the cost of their character classes is above the limit. */
const CLASSES: readonly (readonly [note: string, pattern: string])[] = [
  ["thousands of wide ranges of letters of either case", filled(wide, "(?i)[", "]")],
  ["one wide range", `(?i)[${wide}]`],
  ["wide ranges as escapes", filled("k-\\x{1E000}", "(?i)[", "]")],
  ["octal escapes", filled("\\153-\u{1E000}", "(?i)[", "]")],
  ["a negated class", filled(wide, "(?i)[^", "]")],
  ["classes one after another", filled(`[${wide}]`, "(?i)")],
  ["an alternation of classes", filled(`[${wide}]|`, "(?i)")],
  ["the flag in the middle", filled(wide, "a(?i)[", "]")],
  ["the flag of a group", filled(wide, "(?i:[", "])")],
  ["the flag beside others", filled(wide, "(?s-U)(?mi-s:[", "])")],
  ["the flag in a group around", filled(wide, "(?i)(a(?s:[", "]))")],
  ["the flag behind a group that ends without it", filled(wide, "(?i)(?-i:a)[", "]")],
  ["the flag behind what only looks like a class", filled(wide, "\\[(?i)[", "]")],
  ["the flag behind quoted text", filled(wide, "\\Q[(?-i)\\E(?i)[", "]")],
  ["a class behind braces that repeat nothing", filled(wide, "(?i)a{[", "]}")],
  ["a class that begins with a bracket", filled(wide, "(?i)[]", "]")],
  ["a class with what is no name in it", filled(wide, "(?i)[[:x", "]")],
  ["a range behind a dash", filled(wide, "(?i)[-", "]")],
  ["names of either case", filled("[:alpha:]", "(?i)[", "]")],
  ["Perl's names of either case", filled("\\W", "(?i)[", "]")],
  ["categories", filled("\\pL", "[", "]")],
  ["negated categories, which take memory", filled("\\PL", "[", "]")],
  ["categories one after another", filled("\\PL")],
  ["scripts", filled("\\p{Greek}", "[", "]")],
  ["negated scripts", filled("\\p{^Greek}", "[", "]")],
  ["a category a thousand times", "^\\pL{990}$"],
  [
    "a class of many ranges a thousand times",
    `^[${Array.from({ length: 500 }, (_, at) => String.fromCodePoint(0x4e00 + 2 * at)).join("")}]{990}$`,
  ],
  ["a class in repetitions of repetitions", "^(?:(?:[\\pL\\pN]{10}){10}){10}$"],
];

/** Refused for another reason, or accepted, in bounded time. */
const OTHERS: readonly (readonly [note: string, pattern: string])[] = [
  ["repetitions", filled("a{1000}")],
  ["repetitions of groups", filled("(?:a?){1000}")],
  ["groups", filled("()")],
  ["open groups", filled("(?:")],
  ["flags", filled("(?i)")],
  ["open names of classes", filled("[:", "[")],
  ["alternatives", filled("ab|cd|")],
  ["alternatives that share a beginning", Array.from({ length: 175 }, (_, at) => "a".repeat(at)).join("|")],
  ["ranges that are cheap", filled("\u4e00-\u4e01", "[", "]")],
  ["dots", filled(".*")],
];

const text = (pattern: string) => `network.hostname.matches(r"${pattern}")`;
const rule = (id: number, condition: string) =>
  `  - id: r${id}\n    action: allow\n    condition: |-\n      ${condition}\n`;
const fileOf = (conditions: readonly string[]) =>
  `version: "1"\nrules:\n${conditions.map((condition, at) => rule(at, condition)).join("")}`;

/** Many patterns in one submission, each within its limit. */
const MANY: readonly (readonly [note: string, file: string])[] = [
  [
    "20 rules that use a definition of as many instructions as it may have",
    `version: "1"
definitions: {p: '${Array(5).fill('network.hostname.matches("a{990}b{990}")').join(" || ")}'}
rules:
${Array.from({ length: 20 }, (_, at) => rule(at, "$p")).join("")}`,
  ],
  ["20 rules of categories", fileOf(Array(20).fill(Array(5).fill(text("\\pL".repeat(6))).join(" || ")))],
  ["20 rules of folded ranges", fileOf(Array(20).fill(Array(5).fill(text("(?i)[\\x{100}-\\x{868}]")).join(" || ")))],
  ["20 rules of patterns that are compiled and then refused", fileOf(Array(20).fill(text("ab|".repeat(200))))],
  [
    "patterns that have a mistake at their end",
    fileOf(Array(20).fill(Array(9).fill(text(`${"\\pL".repeat(6)}(`)).join(" || "))),
  ],
];

describe("A6: patterns that are refused before they are compiled", () => {
  test.each(CLASSES)("A6: %s", (_note, pattern) => {
    expect(measurePattern(pattern).classes).toBeGreaterThan(PATTERN_INSTRUCTIONS);
    const compiled = compilePattern(pattern);
    expect(compiled.ok ? "ok" : compiled.error).toMatch(/^pattern has \d+ instructions, more than 2000$/);
  });
});

describe("A6: the same and others, as text from an agent", () => {
  const bombs = [
    ...[...CLASSES, ...OTHERS].map(([note, pattern]) => [note, fileOf([text(pattern)])] as const),
    ...MANY,
  ];
  const { maxRSS: baseline } = analyze(fileOf(["true"]));

  test.each(bombs)("A6: %s: within its time and memory", (_note, file) => {
    expect(new TextEncoder().encode(file).length).toBeLessThanOrEqual(SUBMISSION_LIMIT_BYTES);
    const { ms, result, maxRSS } = analyze(file);
    if (process.env["OUTCALL_SHOW"] !== undefined) console.log(_note, ms, (maxRSS - baseline) / 1e6, result);
    expect(ms).toBeLessThan(TIME_GUARD_MS);
    expect(maxRSS - baseline).toBeLessThan(MEMORY_GUARD_BYTES);
  });
});

function analyze(file: string): { readonly ms: number; readonly result: string; readonly maxRSS: number } {
  const done = Bun.spawnSync([process.execPath, PROGRAM], { stdin: new TextEncoder().encode(file), timeout: 60_000 });
  return { ...JSON.parse(done.stdout.toString()), maxRSS: done.resourceUsage.maxRSS };
}
