// Limits that apply before the tree is built: at each limit and one above it; and bombs, of which only the beginning
// may be read.
import { describe, expect, test } from "bun:test";
import { AGENT_LIMITS, OPERATOR_LIMITS, type ParseLimits, parseRuleFile } from "../../src/rule/parse-rule-file.ts";
import { placesOf } from "../../src/yaml/text-places.ts";
import { scanYaml, type YamlScan } from "../../src/yaml/scan-yaml.ts";
import { format } from "../support/rule/file.ts";

function scan(text: string, limits: ParseLimits = OPERATOR_LIMITS): YamlScan {
  return scanYaml(text, limits, placesOf("f", text));
}

const count = (size: number, each: (index: number) => string): string =>
  Array.from({ length: size }, (_, i) => each(i)).join("");

describe("scanYaml: nesting", () => {
  test.each([
    { note: "maps by indentation", make: (depth: number) => count(depth, (i) => `${" ".repeat(i)}a:\n`) },
    { note: "maps in a line", make: (depth: number) => `${"a: ".repeat(depth)}` },
    { note: "explicit keys", make: (depth: number) => "? ".repeat(depth) },
    { note: "empty keys", make: (depth: number) => ": ".repeat(depth) },
    { note: "lists in a line", make: (depth: number) => "- ".repeat(depth) },
    { note: "lists by indentation", make: (depth: number) => count(depth, (i) => `${" ".repeat(i)}-\n`) },
    { note: "flow lists", make: (depth: number) => "[".repeat(depth) + "]".repeat(depth) },
    { note: "flow lists left open", make: (depth: number) => "[".repeat(depth) },
    { note: "flow maps", make: (depth: number) => "{a: ".repeat(depth) + "}".repeat(depth) },
    { note: "quoted keys over lines", make: (depth: number) => `"a\n b": `.repeat(depth) },
    {
      note: "lists in maps",
      make: (depth: number) =>
        count(depth / 2, (i) => `${" ".repeat(i)}a:\n${" ".repeat(i)}-\n`) +
        (depth % 2 ? `${" ".repeat(depth)}a:` : ""),
    },
  ])("$note", ({ make }) => {
    expect(scan(make(32)).findings).toEqual([]);
    const deep = scan(make(33) + " x".repeat(1000));
    expect(deep.findings.map(({ code, message }) => `${code} ${message}`)).toEqual([
      "rule.limit nested over 32 levels",
    ]);
    // A few tokens for each level, and none after the limit.
    expect(deep.tokens).toBeLessThan(33 * 7);
  });

  test("what was closed does not count", () => {
    expect(scan(`a: ${"[[]], ".repeat(100)}`).findings).toEqual([]);
    expect(scan(`[${"[[]],".repeat(100)}]`).findings).toEqual([]);
    expect(scan(count(100, (i) => `k${i}:\n  - a: b\n`)).findings).toEqual([]);
  });
});

describe("scanYaml: anchors and aliases", () => {
  test.each([
    { note: "anchors", make: (size: number) => `[${count(size, (i) => `&a${i} 1, `)}]` },
    { note: "aliases", make: (size: number) => `[&a 1, ${"*a, ".repeat(size - 1)}]` },
    { note: "anchors before nothing", make: (size: number) => "&a ".repeat(size) },
  ])("$note", ({ make }) => {
    expect(scan(make(32)).findings).toEqual([]);
    const many = scan(make(33) + make(1000));
    expect(many.findings.map(({ code, message }) => `${code} ${message}`)).toEqual([
      "rule.limit over 32 anchors and aliases",
    ]);
    expect(many.tokens).toBeLessThan(33 * 5);
  });

  test("none where none are allowed", () => {
    const findings = scan("a: &b c", { ...AGENT_LIMITS, anchors: 0 }).findings;
    expect(findings.map(format)).toEqual(["1:4-1:6 rule.limit anchors and aliases are not allowed here"]);
  });

  test("marks in texts and comments are none", () => {
    expect(scan(`a: "${"&a *b !c ".repeat(100)}" # ${"&a *b !c ".repeat(100)}`).findings).toEqual([]);
    expect(scan(`a: |\n ${"&a *b !c %d ---\n ".repeat(100)}`).findings).toEqual([]);
  });
});

describe("scanYaml: tokens", () => {
  test.each([{ note: "an operator's", limits: OPERATOR_LIMITS }, { note: "an agent's", limits: AGENT_LIMITS }])(
    "of $note text",
    ({ limits }) => {
      // A line of a map is five tokens: key, colon, space, value, line feed.
      const full = "a: b\n".repeat(limits.tokens / 5);
      expect(scan(full, limits)).toMatchObject({ findings: [], tokens: limits.tokens });
      const over = scan(`${full}a${": b\na".repeat(1000)}`, limits);
      expect(over.tokens).toBe(limits.tokens + 1);
      const line = limits.tokens / 5 + 1;
      expect(over.findings.map(format)).toEqual([`${line}:1-${line}:2 rule.limit over ${limits.tokens} YAML tokens`]);
    },
  );
});

describe("scanYaml refuses", () => {
  test.each([
    {
      note: "a version directive",
      text: "%YAML 1.1\n---\na: yes\n",
      findings: ['1:1-1:10 rule.yaml directive "%YAML 1.1" is not allowed'],
    },
    {
      note: "any directive",
      text: "# a\n%TAG ! tag:x,2000:\n---\na: b\n",
      findings: ['2:1-2:19 rule.yaml directive "%TAG ! tag:x,2000:" is not allowed'],
    },
    { note: "a tag", text: "a: !!str 1\n", findings: ['1:4-1:9 rule.yaml tag "!!str" is not allowed'] },
    { note: "a tag without a name", text: "a: ! 1\n", findings: ['1:4-1:5 rule.yaml tag "!" is not allowed'] },
    {
      note: "each of several tags",
      text: "!a b: !<c> d\ne: [!f g, !!set {}]\n",
      findings: ["1:1-1:3", "1:7-1:11", "2:5-2:7", "2:11-2:16"].map((place, i) =>
        `${place} rule.yaml tag "${["!a", "!<c>", "!f", "!!set"][i]}" is not allowed`
      ),
    },
    { note: "a second document", text: "a: b\n---\nc: d\n", findings: ["2:1-2:4 rule.yaml a second document"] },
    { note: "an empty second document", text: "---\n---\n", findings: ["2:1-2:4 rule.yaml a second document"] },
    {
      note: "a document behind the end of one",
      text: "a: b\n...\nc: d\n",
      findings: ["3:1-3:2 rule.yaml a second document"],
    },
  ])("$note", ({ text, findings }) => {
    expect(scan(text).findings.map(format)).toEqual([...findings]);
    expect(parseRuleFile("f", text, OPERATOR_LIMITS)).toMatchObject({ document: null, findings: scan(text).findings });
  });

  test("more tags and directives than it reports", () => {
    const { findings, tokens } = scan("%a\n".repeat(10_000));
    expect(findings.length).toBe(20);
    expect(tokens).toBeLessThan(50);
  });
});

/**
 * Texts that cost a YAML parser far more than their size, with the number of tokens that are read before each is
 * refused.
 */
const BOMBS: readonly { readonly note: string; readonly unit: string; readonly tokens: number }[] = [
  { note: "maps in maps", unit: "a: ", tokens: 33 * 3 },
  { note: "lists in lists", unit: "- ", tokens: 33 * 2 },
  { note: "flow lists", unit: "[", tokens: 33 },
  { note: "flow maps", unit: "{", tokens: 33 },
  { note: "anchors", unit: "&a ", tokens: 33 * 2 },
  { note: "aliases", unit: "*a ", tokens: 33 * 2 },
  { note: "documents", unit: "---\n", tokens: 3 },
  { note: "keys", unit: "a:\n", tokens: 10_001 },
  { note: "closing brackets", unit: "]", tokens: 10_001 },
  { note: "list items", unit: "-\n", tokens: 10_001 },
  { note: "blank lines", unit: "\n", tokens: 10_001 },
];

test.each(BOMBS)("an agent's bomb of $note is refused at its beginning", ({ unit, tokens }) => {
  const text = unit.repeat(AGENT_LIMITS.sizeBytes / unit.length);
  const seen = scan(text, AGENT_LIMITS);
  expect(seen.findings.length).toBe(1);
  expect(seen.tokens).toBeLessThanOrEqual(tokens);
  expect(parseRuleFile("f", text, AGENT_LIMITS).findings).toEqual([...seen.findings]);
});

test.each([
  { note: "8,192 keys as an agent's text", size: 8192, limits: AGENT_LIMITS, tokens: 10_001 },
  { note: "100,000 keys as an operator's", size: 100_000, limits: OPERATOR_LIMITS, tokens: 300_001 },
])("$note are too many tokens", ({ size, limits, tokens }) => {
  const text = count(size, (i) => `${i.toString(36)}: 1\n`);
  const seen = scan(text, limits);
  expect(seen.tokens).toBe(tokens);
  expect(seen.findings.map(({ code }) => code)).toEqual(["rule.limit"]);
});

test("8,192 keys of an operator are one finding each, up to the limit of findings", () => {
  const { findings } = parseRuleFile("f", `version: "1"\n${count(8192, (i) => `k${i}: 1\n`)}`, OPERATOR_LIMITS);
  expect(findings.length).toBe(1001);
});

test("aliases of aliases stop at their number", () => {
  const levels = count(9, (i) => `a${i}: &a${i} [${i === 0 ? "x" : `${`*a${i - 1}, `.repeat(9)}`}]\n`);
  expect(scan(levels).findings.map(({ code }) => code)).toEqual(["rule.limit"]);
});

test("blank lines and comments between members are taken in any number", () => {
  const gap = `${"\n".repeat(100_000)}${"  # a\n".repeat(40_000)}`;
  const { findings } = parseRuleFile("f", `version: "1"\n${gap}rules:\n`, OPERATOR_LIMITS);
  expect(findings).toEqual([]);
});
