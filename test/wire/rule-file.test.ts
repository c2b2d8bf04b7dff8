// The schema of rule files for other tools: printed as JSON, closed everywhere, with patterns that mean the same with
// and without the flag `u`.
import { expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { BlockRuleSchema, HOOK_TIMEOUT_RANGE, PRIORITY_RANGE, RuleFileSchema } from "../../src/wire/rule-file.ts";

/** Every object in a JSON document. */
function objectsOf(value: unknown): readonly object[] {
  if (typeof value !== "object" || value === null) return [];
  return [value, ...Object.values(value).flatMap(objectsOf)];
}

test("RuleFileSchema prints as a JSON Schema in which every map is closed and every member described", () => {
  const printed: unknown = JSON.parse(JSON.stringify(RuleFileSchema));
  expect(printed).toMatchObject({ $schema: "http://json-schema.org/draft-07/schema#", type: "object" });
  const maps = objectsOf(printed).filter((part) => "type" in part && part.type === "object");
  expect(maps.length).toBe(7);
  for (const map of maps) expect(map).toMatchObject({ additionalProperties: false });
  const enrich = objectsOf(printed).filter((part) => "timeout_ms" in part);
  expect(enrich).toMatchObject([{ script: { type: "string" }, timeout_ms: { ...HOOK_TIMEOUT_RANGE, default: 5000 } }]);
  expect(PRIORITY_RANGE).toEqual({ minimum: -2147483648, maximum: 2147483647 });
});

test.each([
  { note: "the longest", reason: "x".repeat(200), fits: true },
  { note: "one too long", reason: "x".repeat(201), fits: false },
  { note: "the longest of pairs", reason: "😀".repeat(200), fits: true },
  { note: "one too long of pairs", reason: "😀".repeat(201), fits: false },
  { note: "empty", reason: "", fits: false },
  { note: "two lines", reason: "a\nb", fits: false },
  { note: "a line feed at the end", reason: "a\n", fits: false },
  { note: "a line separator", reason: "a\u2028b", fits: false },
  { note: "an escape sequence", reason: "\x1b[0m", fits: false },
  { note: "a next-line character", reason: "a\u0085", fits: false },
])("the pattern of reasons means the same with and without u: $note", ({ reason, fits }) => {
  const { pattern } = BlockRuleSchema.properties.reason;
  expect(new RegExp(pattern ?? "").test(reason)).toBe(fits);
  expect(new RegExp(pattern ?? "", "u").test(reason)).toBe(fits);
  const rule = { id: "r", condition: "true", action: "block", reason };
  expect(Value.Check(RuleFileSchema, { version: "1", rules: [rule] })).toBe(fits);
});
