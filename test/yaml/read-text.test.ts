// Which bytes of a file may reach the YAML library.
import { expect, test } from "bun:test";
import { AGENT_LIMITS, OPERATOR_LIMITS, parseRuleFile } from "../../src/rule/parse-rule-file.ts";
import { readYamlText } from "../../src/yaml/read-text.ts";
import { format } from "../support/rule/file.ts";

function bytes(...parts: readonly (string | readonly number[])[]): Uint8Array {
  return Uint8Array.from(
    parts.flatMap((part) => typeof part === "string" ? [...new TextEncoder().encode(part)] : part),
  );
}

test.each([
  { note: "NUL", source: "a: b\nc: \0", finding: "2:4-2:5 rule.yaml character U+0000, which YAML does not allow" },
  {
    note: "an escape sequence",
    source: "\x1b[2J",
    finding: "1:1-1:2 rule.yaml character U+001B, which YAML does not allow",
  },
  {
    note: "a mark of the lexer",
    source: "a: |\x02",
    finding: "1:5-1:6 rule.yaml character U+0002, which YAML does not allow",
  },
  {
    note: "a delete character",
    source: "\x7f",
    finding: "1:1-1:2 rule.yaml character U+007F, which YAML does not allow",
  },
  {
    note: "a noncharacter",
    source: "é\uffff",
    finding: "1:2-1:3 rule.yaml character U+FFFF, which YAML does not allow",
  },
  { note: "a carriage return", source: "a: b\rc: d", finding: "1:5-1:6 rule.yaml carriage return without a line feed" },
  { note: "half a pair", source: "😀\n\ud83d.", finding: "2:1-2:2 rule.yaml half of a surrogate pair" },
  {
    note: "a lone byte",
    source: bytes("a: é\nb: é", [0xff], "x"),
    finding: "2:5-2:6 rule.yaml bytes that are not UTF-8",
  },
  {
    note: "a cut character",
    source: bytes("a: ", [0xe2, 0x82]),
    finding: "1:4-1:5 rule.yaml bytes that are not UTF-8",
  },
  { note: "an overlong NUL", source: bytes([0xc0, 0x80]), finding: "1:1-1:2 rule.yaml bytes that are not UTF-8" },
  { note: "an encoded half", source: bytes([0xed, 0xa0, 0x80]), finding: "1:1-1:2 rule.yaml bytes that are not UTF-8" },
  { note: "UTF-16", source: bytes([0xff, 0xfe, 0x61, 0x00]), finding: "1:1-1:2 rule.yaml bytes that are not UTF-8" },
])("readYamlText refuses $note", ({ source, finding }) => {
  const text = readYamlText("f", source, 100);
  expect(text.ok ? text.value : format(text.error)).toBe(finding);
});

test.each([
  {
    note: "everything printable",
    source: "\t\n\r\n é\u0085\u00a0\u2028\ufffd😀",
    text: "\t\n\r\n é\u0085\u00a0\u2028\ufffd😀",
  },
  { note: "without its byte order mark", source: "\ufeffa: \ufeff", text: "a: \ufeff" },
  { note: "nothing", source: "", text: "" },
])("readYamlText gives $note", ({ source, text }) => {
  expect(readYamlText("f", source, 100)).toEqual({ ok: true, value: text });
  expect(readYamlText("f", new TextEncoder().encode(source), 100)).toEqual({ ok: true, value: text });
});

test.each([
  { note: "an operator's", limits: OPERATOR_LIMITS, size: 2 * 1024 * 1024 },
  { note: "an agent's", limits: AGENT_LIMITS, size: 64 * 1024 },
])("parseRuleFile takes $note text up to its size", ({ limits, size }) => {
  const head = `version: "1" # `;
  const fitting = head +
    "é".repeat((size - head.length) / 2 | 0).padEnd(size - head.length - ((size - head.length) >> 1), "x");
  expect(new TextEncoder().encode(fitting).length).toBe(size);
  expect(parseRuleFile("f", fitting, limits).findings).toEqual([]);
  const { document, findings } = parseRuleFile("f", `${fitting}x`, limits);
  expect(document).toBeNull();
  expect(findings.map(format)).toEqual([`1:1-1:1 rule.limit over ${size} bytes of text, found ${size + 1}`]);
});
