// The functions on addresses in conditions: type checks, failures and costs.
import { describe, expect, test } from "bun:test";
import { bind } from "../../src/cel/bind.ts";
import { check } from "../../src/cel/check-expression.ts";
import { compile } from "../../src/cel/compile-expression.ts";
import { createMeter, evaluate } from "../../src/cel/evaluate-condition.ts";
import { ADDRESS_STEPS, RANGE_STEPS } from "../../src/cel/network-functions.ts";
import type { Context } from "../../src/core/context.ts";
import { loadRuleFiles } from "../../src/rule/load-rules.ts";
import { codesOf, outcomeOf, RULES } from "../support/cel/rules.ts";

const CONTEXT: Context = { network: { ip: "10.1.2.3" }, metadata: { ip: "10.1.2.3", net: "10.0.0.0/8", n: 1 } };

describe("the checker", () => {
  const cases: readonly (readonly [text: string, codes: string])[] = [
    ['ip(network.ip) == ip("1.2.3.4")', "ok: bool"],
    ['ip("1.2.3.4") in [ip(network.ip)]', "ok: bool"],
    ['cidr("10.0.0.0/8") != cidr("10.0.0.1/8")', "ok: bool"],
    ['["10.1.2.3"].exists(ip, network.ip == ip)', "ok: bool"],
    ["ip(metadata.ip).isPrivate()", "ok: bool"],
    ["ip(network.ip).family() + 1 == 5", "ok: bool"],
    ['ip("1.2.3.4") == "1.2.3.4"', "rule.type"],
    ['ip("1.2.3.4") == cidr("1.2.3.4/32")', "rule.type"],
    ['ip("1.2.3.4") < ip("1.2.3.5")', "rule.type"],
    ["network.ip.isPrivate()", "rule.type"],
    ['ip(ip("1.2.3.4")).isPrivate()', "rule.type"],
    ['cidr("10.0.0.0/8").containsIP(1)', "rule.type"],
    ['cidr("10.0.0.0/8").containsIP(cidr("10.0.0.0/8"))', "rule.type"],
    ["isIP(network.port)", "rule.type"],
    ["network.ip.isIP()", "rule.type"],
    ["family(ip(network.ip)) == 4", "rule.type"],
    ['{ip("1.2.3.4"): true}.size() == 1', "rule.type"],
    ["string(ip(network.ip)) == network.ip", "rule.type"],
    ["ip(network.ip).isUnspecified()", "rule.type"],
    // A literal that is not an address always fails, so the checker refuses it.
    ['ip("10.0.0.256").isPrivate()', "rule.type"],
    ['ip(("::ffff:1.2.3.4")).isPrivate()', "rule.type"],
    ['cidr("10.0.0.0/8").containsIP("10.0.0.0/8")', "rule.type"],
    ['cidr("10.0.0.0/8").containsCIDR("10.0.0.1")', "rule.type"],
    ['cidr("10.0.0.0").containsIP(network.ip)', "rule.type"],
    ['isIP("10.0.0.256") || isCIDR("x")', "ok: bool"],
  ];
  for (const [text, codes] of cases) test(`${text}: ${codes}`, () => expect(codesOf(text)).toBe(codes));

  test("a malformed literal inside of nested definitions is reported in the definition that has it", () => {
    const yaml = [
      'version: "1"',
      "definitions:",
      "  inner: cidr('10.0.0.0/40')",
      "  outer: $inner.containsIP(network.ip)",
      "rules:",
      "  - { id: a, condition: $outer, action: block }",
    ].join("\n");
    const { set, findings } = loadRuleFiles([{ name: "a.yaml", text: yaml }]);
    expect(set).toBeNull();
    expect(findings.map(({ code, place }) => [code, place.line])).toEqual([["rule.type", 3]]);
  });
});

describe("values", () => {
  const cases: readonly (readonly [text: string, outcome: unknown])[] = [
    ["ip(metadata.ip).isPrivate()", true],
    ["cidr(metadata.net).containsIP(metadata.ip)", true],
    ["cidr(metadata.net).containsIP(ip(metadata.ip))", true],
    ["cidr(metadata.net).containsCIDR(cidr(metadata.net))", true],
    ["ip(metadata.ip) in [ip('10.1.2.4'), ip('10.1.2.3')]", true],
    ["cidr('10.0.0.1/8') == cidr('10.0.0.0/8')", false],
    ["metadata.ip == ip(metadata.ip)", false],
    ["type(ip(metadata.ip)) == string", false],
    ["{'a': ip(network.ip)}.a == ip('10.1.2.3')", true],
    ["ip(metadata.n).isPrivate()", "error: int cannot become ip"],
    ["isIP(metadata.n)", "error: int cannot become ip"],
    ["cidr(metadata.net).containsIP(metadata.n)", "error: int cannot become ip"],
    ["cidr(metadata.net).containsIP(metadata.net)", "error: string is not an IP address"],
    ["metadata.ip.isPrivate()", "error: function does not take (string)"],
    ["metadata.net.containsIP(network.ip)", "error: string cannot become cidr"],
    ["ip(http.host).isPrivate()", "no-value"],
  ];
  for (const [text, outcome] of cases) test(text, () => expect(outcomeOf(text, CONTEXT)).toBe(outcome));
});

function stepsOf(text: string): number {
  const checked = check(text, RULES);
  if (!checked.ok) throw new Error(text);
  const meter = createMeter();
  const before = meter.remaining;
  evaluate(compile(checked.value, RULES), bind(RULES, CONTEXT, {}), meter);
  return before - meter.remaining;
}

describe("steps", () => {
  test("reading an address and comparing it with ranges are charged, also for a text that is none", () => {
    expect(stepsOf("isIP(network.ip)")).toBe(2 + ADDRESS_STEPS);
    expect(stepsOf("isIP(metadata.net)")).toBe(3 + ADDRESS_STEPS);
    expect(stepsOf("ip(network.ip).isPrivate()")).toBe(3 + ADDRESS_STEPS + RANGE_STEPS);
  });

  test("a literal is read when the rule is loaded", () => {
    expect(stepsOf('cidr("10.0.0.0/8").containsIP(network.ip)')).toBe(4 + ADDRESS_STEPS);
    expect(stepsOf('cidr("10.0.0.0/8").containsIP("10.0.0.1")')).toBe(4);
  });

  test("a condition over its steps is unevaluable", () => {
    const many = Array.from({ length: 4_000 }, () => "10.0.0.1");
    expect(outcomeOf("run.args.all(a, isIP(a))", { run: { args: many } })).toBe("error: over 100000 steps");
  });
});
