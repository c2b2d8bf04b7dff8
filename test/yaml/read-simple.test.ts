// Which texts the fast reader accepts, and which it leaves to the library. test/differential shows that both give the
// same result.
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { AGENT_LIMITS, OPERATOR_LIMITS, type ParseLimits } from "../../src/rule/parse-rule-file.ts";
import { readSimple, SIMPLE_DEPTH } from "../../src/yaml/read-simple.ts";
import { workloadFiles } from "../support/generate/workload.ts";

function read(text: string, limits: ParseLimits = OPERATOR_LIMITS): string | null {
  const root = readSimple("f", text, limits);
  return root === null ? null : JSON.stringify(root.value);
}

const READ: readonly (readonly [note: string, text: string, value: unknown])[] = [
  ["a map", "a: b\nc: 1\n", { a: "b", c: 1 }],
  ["without a line feed at the end", "a: b", { a: "b" }],
  ["comments and blank lines", "# a\n\na: b # c\n   # d\n\nc: d#e\n", { a: "b", c: "d#e" }],
  ["maps in maps", "a:\n  b:\n    c: d\n  e: f\n", { a: { b: { c: "d" }, e: "f" } }],
  ["a list", "- a\n- 1\n", ["a", 1]],
  ["a list below its key", "a:\n  - b\nc: d\n", { a: ["b"], c: "d" }],
  ["a list as far in as its key", "a:\n- b\n- c\nd: e\n", { a: ["b", "c"], d: "e" }],
  ["maps in a list", "- a: b\n  c: d\n-   e: f\n    g: h\n", [{ a: "b", c: "d" }, { e: "f", g: "h" }]],
  ["an item below its dash", "-\n  a: b\n", [{ a: "b" }]],
  ["flow collections", "a: {b: [c, 'd', \"e\"], f: {}, g: []}\n", { a: { b: ["c", "d", "e"], f: {}, g: [] } }],
  ["single quotes", "a: 'b''c: # \"d'\n", { a: "b'c: # \"d" }],
  ["double quotes", 'a: "b\\"c\\\\d\\n: #"\n', { a: 'b"c\\d\n: #' }],
  ["plain texts", 'a: b == "c" && d:e, [f]\nb: 10.0.0.0/8\nc: $d\n', {
    a: 'b == "c" && d:e, [f]',
    b: "10.0.0.0/8",
    c: "$d",
  }],
  ["booleans and numbers", "a: true\nb: false\nc: 0\nd: 100\n", { a: true, b: false, c: 0, d: 100 }],
  ["literal blocks", "a: |\n  b\n\n    c\nd: |-\n  e\n", { a: "b\n\n  c\n", d: "e" }],
  ["words that are no keys elsewhere", "null: a\ntrue: b\n", { null: "a", true: "b" }],
];

describe("readSimple reads", () => {
  for (const [note, text, value] of READ) test(note, () => expect(read(text)).toBe(JSON.stringify(value)));

  test("a key __proto__ like any other", () => expect(read("__proto__: a\n")).toBe('{"__proto__":"a"}'));

  test("the examples", () => {
    const dir = join(import.meta.dir, "../../examples/rules.d");
    const texts = readdirSync(dir).map((name) => readFileSync(join(dir, name), "utf8"));
    expect(texts.map((text) => read(text) !== null)).toEqual(texts.map(() => true));
  });

  test("the workload of the benchmarks", () => {
    const texts = workloadFiles(2_000).map(({ text }) => String(text));
    expect(texts.map((text) => read(text) !== null)).toEqual([true, true]);
  });
});

const LEFT: readonly (readonly [note: string, text: string])[] = [
  ["nothing", ""],
  ["comments alone", "# a\n"],
  ["a scalar", "a\n"],
  ["a flow map", "{a: b}\n"],
  ["what does not begin its line", "  a: b\n"],
  ["a directive", "%YAML 1.2\n---\na: b\n"],
  ["a document's beginning", "---\na: b\n"],
  ["a document's end", "a: b\n...\n"],
  ["an anchor", "a: &b c\n"],
  ["an alias", "a: *b\n"],
  ["a tag", "a: !!str b\n"],
  ["a tab", "a:\tb\n"],
  ["a carriage return", "a: b\r\n"],
  ["a byte order mark", "a: \ufeffb\n"],
  ["an explicit key", "? a\n: b\n"],
  ["a quoted key", "'a': b\n"],
  ["a key with a space", "a b: c\n"],
  ["a key and no space", "a:b\n"],
  ["the same key twice", "a: b\na: c\n"],
  ["the same key twice in a line", "a: {b: c, b: d}\n"],
  ["an empty value", "a:\nb: c\n"],
  ["an empty item", "-\n- a\n"],
  ["an empty value in a line", "a: {b: }\n"],
  ["a map in a text", "a: b: c\n"],
  ["a list in a text", "a: - b\n"],
  ["a list in a list's line", "- - a\n"],
  ["a text of two lines", "a: b\n  c\n"],
  ["a quoted text of two lines", "a: 'b\n  c'\n"],
  ["a quoted text without an end", "a: 'b\n"],
  ["a text behind a quoted one", "a: 'b' c\n"],
  ["a comment without a space", "a: 'b'#c\n"],
  ["a flow list of two lines", "a: [b,\n  c]\n"],
  ["a flow list without an end", "a: [b\n"],
  ["a comma at the end", "a: [b,]\n"],
  ["a pair in a list", "a: [b: c]\n"],
  ["a bracket in a text of a list", "a: [b[c]]\n"],
  ["an escape that stands for more", 'a: "\\u0061"\n'],
  ["an escape that is none", 'a: "\\q"\n'],
  ["a null", "a: null\n"],
  ["a null by a tilde", "a: ~\n"],
  ["another spelling of a boolean", "a: TRUE\n"],
  ["an octal number", "a: 0o7\n"],
  ["a hexadecimal number", "a: 0x1f\n"],
  ["a number with a sign", "a: -1\n"],
  ["a fraction", "a: 1.5\n"],
  ["an exponent", "a: 1e3\n"],
  ["a number with a zero before it", "a: 007\n"],
  ["a number that may not be exact", "a: 1234567890123456\n"],
  ["a text that looks like a number", "a: 10.0.0.1\n"],
  ["a plain text that is not ASCII", "a: b\u00e9\n"],
  ["a folded block", "a: >\n  b\n"],
  ["a block that says how far in it is", "a: |2\n   b\n"],
  ["a block that keeps its end", "a: |+\n  b\n"],
  ["a comment behind a block's header", "a: | # b\n  c\n"],
  ["a block in a list", "- |\n  a\n"],
  ["a block that begins blank", "a: |\n\n  b\n"],
  ["a block with spaces in a blank line", "a: |\n  b\n \n  c\n"],
  ["a block whose lines come out", "a: |\n    b\n  c\n"],
  ["a block without an end", "a: |\n  b"],
  ["a block without a line", "a: |\nb: c\n"],
  ["lines further in than their map", "a: b\n  c: d\n"],
  ["lines between two indentations", "a:\n    b: c\n  d: e\n"],
  ["a list after its map", "a: b\n- c\n"],
];

describe("readSimple leaves to the library", () => {
  for (const [note, text] of LEFT) test(note, () => expect(read(text)).toBeNull());

  test("what could have too many tokens", () => {
    const text = `a: ${"b".repeat(AGENT_LIMITS.tokens - 3)}`;
    expect(read(text, AGENT_LIMITS)).not.toBeNull();
    expect(read(`${text}b`, AGENT_LIMITS)).toBeNull();
  });

  test.each([
    ["maps by indentation", (depth: number) => lines(depth, (at) => `${" ".repeat(at)}a:\n`)],
    ["lists by indentation", (depth: number) => `a:\n${lines(depth - 1, (at) => `${" ".repeat(at)}-\n`)}`],
    ["maps in lists", (depth: number) => lines(depth / 2, (at) => `${" ".repeat(2 * at)}- a:\n`)],
    ["flow lists", (depth: number) => `a: ${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}\n`],
    ["flow maps", (depth: number) => `a: ${"{a: ".repeat(depth - 2)}{}${"}".repeat(depth - 2)}\n`],
  ])("what is nested deeper than it looks: %s", (note, make) => {
    const [inner, step] = [note.startsWith("flow") ? "" : `${" ".repeat(30)}b: c\n`, note === "maps in lists" ? 2 : 1];
    const deepest = note.startsWith("flow") ? SIMPLE_DEPTH : SIMPLE_DEPTH - step;
    expect(read(make(deepest) + inner)).not.toBeNull();
    expect(read(make(deepest + step) + inner)).toBeNull();
  });

  test("everything, if fewer levels of nesting are allowed than it handles", () => {
    expect(read("a: b\n", { ...OPERATOR_LIMITS, depth: SIMPLE_DEPTH })).not.toBeNull();
    expect(read("a: b\n", { ...OPERATOR_LIMITS, depth: SIMPLE_DEPTH - 1 })).toBeNull();
  });
});

function lines(count: number, make: (at: number) => string): string {
  return Array.from({ length: count }, (_, at) => make(at)).join("");
}
