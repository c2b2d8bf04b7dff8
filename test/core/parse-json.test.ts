// parseJson() is JSON.parse, except that it refuses objects with duplicate members.
import { describe, expect, test } from "bun:test";
import { describeJsonFault, parseJson } from "../../src/core/parse-json.ts";
import type { Json } from "../../src/core/json.ts";
import { CASES } from "../support/cases.ts";
import { type Random, seededRandom } from "../support/random.ts";

describe("A9: a member that an object has twice is refused", () => {
  const cases: readonly [text: string, twice: string][] = [
    ['{"a":1,"a":2}', "a"],
    ['{"a":1, "b" : 2 ,\n"a"\t:1}', "a"],
    ['{"a":1,"\\u0061":2}', "a"],
    ['{"":1,"":2}', ""],
    ['{"__proto__":1,"__proto__":2}', "__proto__"],
    ['{"x":{"y":[1,{"z":1,"z":1}]}}', "z"],
    ['[{"a":1},{"a":1,"a":1}]', "a"],
    ['{"a\\"":1,"a\\"":2}', 'a"'],
    ['{"a\\\\":1,"a\\\\":2}', "a\\"],
    ['{"\\uD83D\\uDE00":1,"😀":2}', "😀"],
  ];
  test.each(cases)("%s", (text, twice) => {
    expect(parseJson(text)).toEqual({ ok: false, error: { twice } });
  });

  test("its name is escaped in words", () => {
    expect(describeJsonFault({ twice: "\u001b[2J" })).toBe('duplicate member "\\u{1b}[2J"');
    expect(describeJsonFault({ twice: null })).toBe("not JSON");
  });
});

test.each([
  '{"a":{"a":{"a":1}},"b":{"a":2}}',
  '[{"a":1},{"a":1}]',
  '{"a":"a","b":"\\"b\\":","c":["a","a"]}',
  '"a:a"',
  " 1 ",
  '{"a":"{","b":"}"}',
  "{}",
])("a text without any is read: %s", (text) => {
  expect(parseJson(text)).toEqual({ ok: true, value: JSON.parse(text) });
});

test.each(["", "{", '{"a":1,}', "nul", '{"a":1}{}', "{'a':1}", "\uFEFF{}"])("no JSON: %p", (text) => {
  expect(parseJson(text)).toEqual({ ok: false, error: { twice: null } });
});

test("a text at the largest size that is read takes time in proportion to its length", () => {
  for (const piece of ['"\\\\"', '"\\""', "{}", '"a"', "[[]]"]) {
    const text = `[${Array.from({ length: 2 ** 20 / (piece.length + 1) }, () => piece).join(",")}]`;
    const startMs = performance.now();
    expect(parseJson(text).ok).toBe(true);
    expect(performance.now() - startMs).toBeLessThan(2_000);
  }
});

const SEED = Number(process.env["OUTCALL_SEED"] ?? Date.now() % 1_000_000_000);

test(`every value comes back from its text, and never from one with a member more (seed ${SEED})`, () => {
  const random = seededRandom(SEED);
  for (let round = 0; round < CASES; round++) {
    const value = { first: randomValue(random, 3) };
    const text = JSON.stringify(value);
    expect(parseJson(text)).toEqual({ ok: true, value });
    expect(parseJson(text.replace('"first":', '"first":0,"f\\u0069rst":'))).toEqual({
      ok: false,
      error: { twice: "first" },
    });
  }
});

function randomValue(random: Random, depth: number): Json {
  const text = () => ["", "a", "first", '"', "\\", ":", "{", "}", "é\n", "\u2028"][random.below(10)] ?? "";
  const kind = random.below(depth === 0 ? 3 : 5);
  if (kind === 0) return text();
  if (kind === 1) return random.below(1_000) / 8;
  if (kind === 2) return random.pick([null, true, false]);
  const items = Array.from({ length: random.below(4) }, () => randomValue(random, depth - 1));
  return kind === 3 ? items : Object.fromEntries(items.map((item, index) => [`${text()}${index}`, item]));
}
