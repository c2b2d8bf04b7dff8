import { describe, expect, test } from "bun:test";
import { escapeWhole } from "../../src/core/quote.ts";
import { parseEnvelope } from "../../src/rulespec/parse-envelope.ts";
import { formatYaml } from "../../src/rulespec/format-yaml.ts";
import { AGENT_TEXT, OPERATOR_TEXT, type TextLimits } from "../../src/rulespec/read-yaml.ts";
import { generateRulespec } from "../support/generate/rulespec.ts";
import { seededRandom } from "../support/random.ts";
import { factsOf } from "../support/rulespec/rulespec.ts";

function refusal(text: string | Uint8Array, limits: TextLimits = AGENT_TEXT) {
  const envelope = parseEnvelope("e.yaml", text, limits);
  if (envelope.ok) return [];
  return envelope.error.map(({ code, message, place, hint }) => ({
    code,
    message,
    line: place.line,
    hint: hint ?? "",
  }));
}

describe("parseEnvelope", () => {
  test("returns the facts, and drops the envelope's own statements about its verification", () => {
    const text = "facts: {a: 1, b: null, c: [x, {d: true}]}\nverified: {outcome: verified, stamp: forged}\n";
    expect(parseEnvelope("e.yaml", text, AGENT_TEXT)).toEqual({
      ok: true,
      value: { facts: Object.assign(Object.create(null), { a: 1, b: null, c: ["x", { d: true }] }) },
    });
  });

  const refused = [
    { note: "nothing", text: "", says: "an envelope must be a map, found nothing", line: 1 },
    { note: "a list", text: "- facts\n", says: "an envelope must be a map, found a list", line: 1 },
    { note: "a text", text: "facts\n", says: 'an envelope must be a map, found the string "facts"', line: 1 },
    { note: "an empty map", text: "{}\n", says: 'missing member "facts"', line: 1 },
    { note: "only what is dropped", text: "verified: true\n", says: 'missing member "facts"', line: 1 },
    { note: "no facts", text: "facts:\n", says: "facts must be a map with members, found nothing", line: 1 },
    { note: "empty facts", text: "facts: {}\n", says: "facts must be a map with members, found an empty map", line: 1 },
    { note: "a list of facts", text: "facts: [a]\n", says: "facts must be a map with members, found a list", line: 1 },
    {
      note: "a text of facts",
      text: "facts: a\n",
      says: 'facts must be a map with members, found the string "a"',
      line: 1,
    },
  ];
  for (const { note, text, says, line } of refused) {
    test(`refuses ${note}`, () => {
      expect(refusal(text)).toEqual([expect.objectContaining({ code: "rulespec.envelope", message: says, line })]);
    });
  }

  test("names the usual mistake, the forgotten wrapper", () => {
    const found = refusal("csv_importer: {file: src/a.rs}\nbreaking_changes: null\n");
    expect(found.map(({ message }) => message)).toEqual([
      'missing member "facts"',
      'unknown member "csv_importer" of an envelope: was the "facts:" wrapper forgotten?',
      'unknown member "breaking_changes" of an envelope: was the "facts:" wrapper forgotten?',
    ]);
    expect(found[0]?.hint).toBe('an envelope is one member "facts" with all facts below it');
  });

  test("a member next to facts is refused too, and a misspelt wrapper gets a suggestion", () => {
    expect(refusal("facts: {a: 1}\nnotes: x\n")).toMatchObject([{
      message: expect.stringContaining('unknown member "notes" of an envelope'),
      line: 2,
    }]);
    expect(refusal("fact: {a: 1}\n")[1]?.hint).toBe('did you mean "facts"?');
  });

  const yaml = [
    { note: "broken syntax", text: "facts: {a: [\n", code: "rulespec.yaml" },
    { note: "a duplicate key", text: "facts: {a: 1, a: 2}\n", code: "rulespec.yaml" },
    { note: "a second document", text: "facts: {a: 1}\n---\nfacts: {a: 2}\n", code: "rulespec.yaml" },
    { note: "a directive", text: "%YAML 1.1\n---\nfacts: {a: yes}\n", code: "rulespec.yaml" },
    { note: "a tag", text: "facts: {a: !!str 1}\n", code: "rulespec.yaml" },
    { note: "bytes that are no UTF-8", text: new Uint8Array([0x66, 0xff]), code: "rulespec.yaml" },
    { note: "NUL", text: "facts: {a: \0}\n", code: "rulespec.yaml" },
    { note: "a number that is not finite", text: "facts: {a: .nan}\n", code: "rulespec.value" },
    { note: "a number over the greatest float", text: "facts: {a: 1e999}\n", code: "rulespec.value" },
    { note: "a whole number that is not exact", text: "facts: {a: -9007199254740992}\n", code: "rulespec.value" },
  ];
  for (const { note, text, code } of yaml) {
    test(`refuses ${note}`, () => expect(refusal(text)).toContainEqual(expect.objectContaining({ code })));
  }

  const bounds: readonly {
    readonly note: string;
    readonly at: string;
    readonly over: string;
    readonly says: string;
  }[] = [
    {
      note: "bytes",
      at: `facts: {a: ${"x".repeat(AGENT_TEXT.sizeBytes - 13)}}\n`,
      over: `facts: {a: ${"x".repeat(AGENT_TEXT.sizeBytes - 12)}}\n`,
      says: "over 65536 bytes of text",
    },
    {
      note: "nesting",
      at: `facts: {a: ${"[".repeat(30)}${"]".repeat(30)}}\n`,
      over: `facts: {a: ${"[".repeat(31)}${"]".repeat(31)}}\n`,
      says: "nested over 32 levels",
    },
    {
      note: "nesting by aliases",
      at: `facts: {a: &a ${"[".repeat(15)}${"]".repeat(15)}, b: ${"[".repeat(15)}*a${"]".repeat(15)}}\n`,
      over: `facts: {a: &a ${"[".repeat(15)}${"]".repeat(15)}, b: ${"[".repeat(16)}*a${"]".repeat(16)}}\n`,
      says: "nested over 32 levels",
    },
    {
      note: "anchors and aliases",
      at: `facts: {a: &a x, b: [${"*a, ".repeat(31)}]}\n`,
      over: `facts: {a: &a x, b: [${"*a, ".repeat(32)}]}\n`,
      says: "over 32 anchors and aliases",
    },
    {
      // The document, facts, the two lists, and the texts: once at the anchor, and once for each of ten aliases.
      note: "values, where aliases count each time",
      at: `facts: {a: &a [${"x, ".repeat(907)}], b: [${"*a, ".repeat(10)}y, y, y, y, y, y, y, y, y]}\n`,
      over: `facts: {a: &a [${"x, ".repeat(907)}], b: [${"*a, ".repeat(10)}y, y, y, y, y, y, y, y, y, y]}\n`,
      says: "over 10000 values",
    },
  ];
  for (const { note, at, over, says } of bounds) {
    test(`an agent's limit of ${note}: at it, and one over`, () => {
      expect(refusal(at)).toEqual([]);
      expect(refusal(over)).toEqual([
        expect.objectContaining({ code: "rulespec.limit", message: expect.stringContaining(says) }),
      ]);
    });
  }

  test("an agent's limit of tokens", () => {
    const [found] = refusal(`facts: {a: [${"x,".repeat(5_000)}]}\n`);
    expect(found).toMatchObject({ code: "rulespec.limit", message: "over 10000 YAML tokens" });
    expect(refusal(`facts: {a: [${"x,".repeat(4_900)}]}\n`)).toEqual([]);
  });

  test("an alias bomb is refused by its expanded size", () => {
    const levels = Array.from(
      { length: 8 },
      (_, at) => `l${at}: &l${at} [${at === 0 ? "x, x, x" : `*l${at - 1}, *l${at - 1}, *l${at - 1}`}]`,
    );
    const [found] = refusal(`facts: {${levels.join(", ")}}\n`);
    expect(found?.code).toBe("rulespec.limit");
  });

  test("a file of an operator may be 16 MiB", () => {
    const text = (size: number) => `facts: {a: ${"x".repeat(size - 13)}}\n`;
    expect(refusal(text(OPERATOR_TEXT.sizeBytes), OPERATOR_TEXT)).toEqual([]);
    expect(refusal(text(OPERATOR_TEXT.sizeBytes + 1), OPERATOR_TEXT)).toMatchObject([{ code: "rulespec.limit" }]);
  });
});

test("formatYaml writes what reads back as the same facts", () => {
  const random = seededRandom(11);
  for (let index = 0; index < 300; index++) {
    const { facts } = generateRulespec(random, { predicates: 0, hostile: true });
    const text = formatYaml({ facts });
    expect(escapeWhole(text.replaceAll("\n", ""))).toBe(text.replaceAll("\n", ""));
    expect(JSON.stringify(factsOf(text))).toBe(JSON.stringify(facts));
  }
});

test("formatYaml writes keys of any length, and what is empty", () => {
  const facts = { ["k".repeat(5_000)]: { ['"'.repeat(2_000)]: [[], {}, [[1]], [{ a: [] }]] }, "": "", a: -0 };
  expect(JSON.stringify(factsOf(formatYaml({ facts })))).toBe(JSON.stringify(facts));
});
