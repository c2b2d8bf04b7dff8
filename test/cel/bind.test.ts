import { describe, expect, test } from "bun:test";
import { ALWAYS_GIVEN, type Context, NAMESPACES, VARIABLES } from "../../src/core/context.ts";
import { codesOf, outcomeOf } from "../support/cel/rules.ts";

const ZERO: Readonly<Record<string, string>> = {
  string: '""',
  int: "0",
  bool: "false",
  "list<string>": "[]",
  "map<string, string>": "{}",
  "map<string, dyn>": "{}",
};

const EMPTY: Context = { network: {}, http: {}, dns: {}, docker: {}, run: {}, agent: {}, envelope: {} };

describe("bind", () => {
  for (const [namespace, fields] of Object.entries(NAMESPACES)) {
    for (const [field, type] of Object.entries(fields)) {
      test(`${namespace}.${field}: absent, not given, given`, () => {
        const name = `${namespace}.${field}`;
        const zero = ZERO[type] ?? "";
        expect(codesOf(`${name} == ${zero}`)).toBe("ok: bool");
        expect(outcomeOf(`${name} == ${zero}`)).toBe("no-value");
        expect(outcomeOf(`${name} == ${zero}`, EMPTY)).toBe(true);
        expect(outcomeOf(`has(${name})`)).toBe(false);
        expect(outcomeOf(`has(${name})`, EMPTY)).toBe(false);
        const given = { string: "", int: 0, bool: false, "list<string>": [] }[type as string] ?? {};
        expect(outcomeOf(`has(${name})`, { [namespace]: { [field]: given } })).toBe(true);
      });
    }
  }

  for (const [name, type] of Object.entries(VARIABLES)) {
    if (ALWAYS_GIVEN.has(name)) continue;
    test(`${name}: absent and given`, () => {
      const text = type === "string" ? `${name} == "x"` : `${name}.k == "x"`;
      expect(outcomeOf(text)).toBe("no-value");
      expect(outcomeOf(text, type === "string" ? { [name]: "x" } : { [name]: { k: "x" } })).toBe(true);
    });
  }

  const cases: readonly (readonly [note: string, text: string, outcome: unknown])[] = [
    ["enriched is always there", "size(enriched) == 1 && enriched.e == 'x'", true],
    ["observed is always there", "!observed && (observed || true)", true],
    ["a whole number is an int", "type(metadata.whole) == int && metadata.whole == 3", true],
    ["the greatest whole number", "metadata.great == 9007199254740991", true],
    ["a fraction is a double", "type(metadata.part) == double", true],
    ["null", "metadata.none == null && has(metadata.none)", true],
    ["nested", "metadata.deep.list[1].x == [1, 2]", true],
    ["keys in a list", "metadata.deep.list.all(e, type(e) == map || e == 'a')", true],
    ["keys of objects that JavaScript knows", "!has(metadata.toString) && !('constructor' in metadata)", true],
    ["__proto__ given as a key", '"__proto__" in metadata.odd && metadata.odd["__proto__"] == 1', true],
    ["equal maps", "metadata.a == metadata.b && metadata.a == {'x': 1, 'y': 2}", true],
    ["a map through its keys", "metadata.a.all(k, k in ['x', 'y'])", true],
    ["header names", "http.headers['x-a'] == 'b' && size(http.headers) == 1", true],
  ];
  test("observed: false where it is not given", () => {
    expect(outcomeOf("observed")).toBe(false);
    expect(outcomeOf("observed", { observed: true })).toBe(true);
  });

  const context: Context = {
    http: { headers: { "x-a": "b" } },
    metadata: {
      whole: 3,
      great: Number.MAX_SAFE_INTEGER,
      part: 0.5,
      none: null,
      deep: { list: ["a", { x: [1, 2] }] },
      odd: JSON.parse('{"__proto__": 1}'),
      a: { x: 1, y: 2 },
      b: { y: 2, x: 1 },
    },
  };
  for (const [note, text, outcome] of cases) {
    test(note, () => expect(outcomeOf(text, context, { e: "x" })).toEqual(outcome));
  }
});
