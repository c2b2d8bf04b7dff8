import { describe, expect, test } from "bun:test";
import { check } from "../../src/cel/check-expression.ts";
import { codesOf, RULES } from "../support/cel/rules.ts";

describe("check", () => {
  const cases: readonly (readonly [note: string, text: string, codes: string])[] = [
    ["a comparison", 'network.hostname == "x"', "ok: bool"],
    ["a type that is not bool", "network.hostname", "ok: string"],
    ["dyn stays dyn", "run.context.flag", "ok: dyn"],
    ["an element of nothing is dyn", "[][0]", "ok: dyn"],
    ["dyn as an operand", "true && run.context.flag", "ok: bool"],
    ["both forms of matches", 'http.path.matches("x") && matches(http.path, "x")', "ok: bool"],
    ["every macro", "run.args.all(a, a != '') && size(run.args.map(a, a.size()).filter(n, n > 1)) == 0", "ok: bool"],
    ["map with a condition", "run.args.map(a, a != '', a.size()).exists_one(n, n == 1)", "ok: bool"],
    ["the variable of a comprehension hides a namespace", "[1].exists(http, http == 1)", "ok: bool"],
    ["cut off", "network.hostname ==", "rule.cel-syntax"],
    ["two expressions", "true false", "rule.cel-syntax"],
    ["nothing", "", "rule.cel-syntax"],
    ["a reference", "$x", "rule.cel-syntax"],
    ["optional selection", "http.?host", "rule.cel-syntax"],
    ["an int beyond 64 bits", "9223372036854775808 == 1", "rule.cel-syntax"],
    ["the least int", "-9223372036854775808 == 1", "ok: bool"],
    ["below the least int", "-9223372036854775809 == 1", "rule.cel-syntax"],
    ["unknown field", 'network.hostnam == "x"', "rule.unknown-field"],
    ["unknown namespace", "net.port == 1", "rule.unknown-field"],
    ["unknown field inside has()", "has(network.nope)", "rule.unknown-field"],
    ["unknown namespace inside has()", "has(nope.port)", "rule.unknown-field"],
    ["a field of an int inside has()", "has(network.port.x)", "rule.type"],
    ["has() of a namespace", "has(network)", "rule.type"],
    ["a namespace as a value, twice", "network == network", "rule.type, rule.type"],
    ["an indexed namespace", 'http["host"] == ""', "rule.type"],
    ["operands of different types", 'network.port == "443"', "rule.type"],
    ["a double and an int", "1.0 == 1", "rule.type"],
    ["a mixed list", "[1, 2u].size() == 2", "rule.type"],
    ["unknown function", "nope(1) == 1", "rule.type"],
    ["wrong argument", "http.path.startsWith(1)", "rule.type"],
    ["a method as a function", 'startsWith(http.path, "/")', "rule.type"],
    ["a function as a method", "http.path.string()", "rule.type"],
    ["dyn", "dyn(1) == 1", "rule.type"],
    ["cel.bind", "cel.bind(x, 1, x == 1)", "rule.type"],
    ["optionals, both functions", "optional.of(1).hasValue()", "rule.type, rule.type"],
    ["what the library offers beyond CEL", 'b"a".hex() == ""', "rule.type"],
    ["an operand that is no bool", "http.host && true", "rule.type"],
    ["a key that cannot be one", "{[1]: 2}.size() == 1", "rule.type"],
    ["a pattern that is no RE2", 'http.path.matches("(")', "rule.regex"],
    ["a back reference", 'http.path.matches("(a)\\\\1")', "rule.regex"],
    ["a pattern that is no literal", "http.path.matches(http.host)", "rule.regex"],
    [
      "own checks report all",
      "http.nope == 1 && dns.nah == 2 && nope()",
      "rule.unknown-field, rule.unknown-field, rule.type",
    ],
    ["the library's finding beside them", 'network.port == "x" && http.nope == 1', "rule.type, rule.unknown-field"],
    ["what makes the library throw a plain error", "[].all(e, e > 0)", "rule.type"],
  ];
  for (const [note, text, codes] of cases) {
    test(note, () => expect(codesOf(text)).toBe(codes));
  }

  test("places and hints", () => {
    const checked = check('http.host == "a" &&\n  network.hostnam == "x"', RULES);
    expect(checked).toEqual({
      ok: false,
      error: [{
        code: "rule.unknown-field",
        message: 'namespace network has no field "hostnam"',
        span: { start: 30, end: 37 },
        hint: 'did you mean "hostname"?',
      }],
    });
  });
});
