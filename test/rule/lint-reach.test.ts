// Warnings about constant conditions and unreachable rules.
import { describe, expect, test } from "bun:test";
import { warningsIn } from "../support/rule/findings.ts";

type Rule = readonly [condition: string, action: string, more?: string];

function file(...each: readonly Rule[]): string {
  const lines = each.map(([condition, action, more = ""], at) => {
    const hook = action === "enrich" ? ", enrich: {script: a.sh}" : "";
    return `  - {id: r${at}, action: ${action}${hook}${more}, condition: ${JSON.stringify(condition)}}\n`;
  });
  return `version: "1"\nrules:\n${lines.join("")}`;
}

describe("rule.constant", () => {
  const cases: readonly (readonly [condition: string, always: boolean | null])[] = [
    ["true", true],
    ["(true)", true],
    ["false", false],
    ["!false", true],
    ["dns.query == 'x' || true", true],
    ["true || dns.query == 'x'", true],
    ["dns.query == 'x' && false", false],
    ["!(dns.query == 'x' && false)", true],
    ["true && (false || true)", true],
    ["true ? false : dns.query == 'x'", false],
    ["1 == 1", true],
    ["1 != 1", false],
    ["'a' == 'b'", false],
    ["dns.query == 'x'", null],
    ["dns.query == 'x' || false", null],
    ["dns.query == 'x' && true", null],
    ["dns.query == 'x' ? true : true", null],
    // A4: a condition that uses no member of a request is evaluated.
    ["1 < 2", true],
    ["2 <= 1", false],
    ["1 + 1 == 2", true],
    ["'a' + 'b' == 'ab'", true],
    ["'b' in ['a', 'b']", true],
    ["size('abc') > 3 || dns.query == 'x' && 1 > 2", false],
    ["!(1 < 2) && dns.query == 'x'", false],
    ["1 < 2 ? false : dns.query == 'x'", false],
    ["'abc'.startsWith('a')", true],
    ["'abc'.matches('^b')", false],
    ["[1, 2].all(x, x > 0)", true],
    ["b'a' == b'a'", true],
    ["type(1) == int", true],
    ["1 / 0 == 1", null],
    ["[1, 2].all(x, dns.query == 'x')", null],
    ["has(dns.query) && 1 < 2", null],
  ];
  for (const [condition, always] of cases) {
    test(condition, () => {
      for (const action of ["allow", "block", "enrich"]) {
        const spared = action === "block" && /^\(?true\)?$/.test(condition);
        const column = 23 + action.length + (action === "enrich" ? ", enrich: {script: a.sh}".length : 0);
        const found = warningsIn(file([condition, action]), "rule.constant");
        expect(found.map((each) => each.replace(/^a\.yaml:3:\d+-3:\d+ /, ""))).toEqual(
          always === null || spared ? [] : [`warning rule.constant [r0] rule "r0": condition is always ${always}`],
        );
        // The place is inside of the condition, which comes after the action.
        for (const each of found) expect(Number(/^a\.yaml:3:(\d+)/.exec(each)?.[1])).toBeGreaterThan(column);
      }
    });
  }
});

test("A4: a constant that takes long to evaluate is not called constant, and the load does not wait for it", () => {
  const list = `[${Array.from({ length: 4_000 }, (_, at) => at).join(", ")}]`;
  const condition = `${list}.all(x, ${list}.all(y, x + y >= 0))`;
  const started = performance.now();
  expect(warningsIn(file([condition, "block"]), "rule.constant")).toEqual([]);
  expect(performance.now() - started).toBeLessThan(2_000);
});

describe("rule.unreachable", () => {
  const SAME = "network.port == 443";
  const FAILS = "metadata.a == 1";
  const HOOK: Rule = ["dns.query == 'x'", "enrich"];

  const cases: readonly (readonly [
    note: string,
    rules: readonly Rule[],
    ...unreachable: (readonly [rule: string, by: string])[],
  ])[] = [
    ["behind an allow that is literally true", [["true", "allow"], [SAME, "block"], [SAME, "allow"]], ["r1", "r0"], [
      "r2",
      "r0",
    ]],
    ["behind a block that is literally true", [["true", "block"], [SAME, "enrich"]], ["r1", "r0"]],
    ["behind a definition that is", [["(true)", "block"], [SAME, "allow"]], ["r1", "r0"]],
    ["before it", [[SAME, "allow"], ["true", "block"]]],
    ["behind an enrich rule that is", [["true", "enrich"], [SAME, "allow"]]],
    ["behind what is always true, but not literally", [["1 == 1", "allow"], [SAME, "allow"]]],
    ["behind false", [["false", "allow"], [SAME, "allow"]]],
    ["the same tree, of the same action", [[SAME, "allow"], [SAME, "allow"]], ["r1", "r0"]],
    ["in another spelling", [[SAME, "block"], ["(network.port)==443", "block"]], ["r1", "r0"]],
    ["of another action, and it cannot fail", [[SAME, "allow"], [SAME, "block"]], ["r1", "r0"]],
    ["of another action, and it can", [[FAILS, "allow"], [FAILS, "block"]]],
    ["of the same action, and it can", [[FAILS, "allow"], [FAILS, "allow"]], ["r1", "r0"]],
    ["another spelling of a comparison", [[SAME, "allow"], ["443 == network.port", "allow"]], ["r1", "r0"]],
    ["another tree that means the same", [["run.parsed", "allow"], ["run.parsed == true", "allow"]]],
    ["two of an enrich rule", [[SAME, "enrich"], [SAME, "enrich"]]],
    ["an enrich rule behind an allow", [[SAME, "allow"], [SAME, "enrich"]], ["r1", "r0"]],
    ["a hook between that changes nothing of it", [[SAME, "allow"], HOOK, [SAME, "allow"]], ["r2", "r0"]],
    ["a hook between that may", [["enriched.a == 1", "allow"], HOOK, ["enriched.a == 1", "allow"]]],
    ["a hook before both", [HOOK, ["enriched.a == 1", "allow"], ["enriched.a == 1", "allow"]], ["r2", "r1"]],
    ["after the hook, the second of two", [["enriched.a == 1", "allow"], HOOK, ["enriched.a == 1", "allow"], [
      "enriched.a == 1",
      "allow",
    ]], ["r3", "r2"]],
    ["a third rule names the first", [[SAME, "allow"], [SAME, "block"], [SAME, "allow"]], ["r1", "r0"], ["r2", "r0"]],
    ["asked in the order of priorities", [[SAME, "allow"], [SAME, "block", ", priority: 1"]], ["r0", "r1"]],
    ["A10: an allow narrower than a block", [["network.hostname == 'x'", "block"], [
      `network.hostname == 'x' && ${SAME}`,
      "allow",
    ]], ["r1", "r0"]],
    ["A10: an allow narrower than an allow", [[SAME, "allow"], [`run.parsed && ${SAME}`, "allow"]], ["r1", "r0"]],
    ["A10: a value of the list that a block has", [["network.port in [80, 443]", "block"], [
      `${SAME} && run.parsed`,
      "allow",
    ]], ["r1", "r0"]],
    ["A10: a list within a list", [["network.port in [1, 2, 3]", "block"], ["network.port in [3, 1]", "allow"]], [
      "r1",
      "r0",
    ]],
    ["A10: a list that is not within it", [["network.port in [1, 2, 3]", "block"], [
      "network.port in [1, 4]",
      "allow",
    ]]],
    ["A10: every alternative is blocked", [["network.port < 100", "block"], [
      "network.port < 100 && run.parsed || network.port < 100 && run.tool == 'x'",
      "allow",
    ]], ["r1", "r0"]],
    ["A10: one alternative is not", [["network.port < 100", "block"], [
      "network.port < 100 && run.parsed || run.tool == 'x'",
      "allow",
    ]]],
    ["A10: an alternative of the block", [["network.port < 100 || dns.query == 'x'", "block"], [
      "network.port < 100 && run.parsed",
      "allow",
    ]], ["r1", "r0"]],
    ["A10: all parts of the block, in another order", [["run.parsed && network.port < 100", "block"], [
      "network.port < 100 && run.tool == 'x' && run.parsed",
      "allow",
    ]], ["r1", "r0"]],
    ["A10: one part of the block too few", [["run.parsed && network.port < 100", "block"], [
      "network.port < 100 && run.tool == 'x'",
      "allow",
    ]]],
    ["A10: a wider allow", [[`network.hostname == 'x' && ${SAME}`, "block"], ["network.hostname == 'x'", "allow"]]],
    ["A10: behind it by priority", [[`${SAME} && run.parsed`, "allow"], [SAME, "block", ", priority: 1"]], [
      "r0",
      "r1",
    ]],
    ["A10: the first of two names itself", [["run.parsed", "block"], [SAME, "block"], [
      `${SAME} && run.parsed`,
      "allow",
    ]], ["r2", "r0"]],
    ["A10: a narrower block that cannot fail", [[SAME, "allow"], [`${SAME} && run.parsed`, "block"]], ["r1", "r0"]],
    ["A10: a narrower block that may fail, and then blocks", [[SAME, "allow"], [`${SAME} && ${FAILS}`, "block"]]],
    ["A10: a narrower hook that may fail, and then counts", [[SAME, "allow"], [`${SAME} && ${FAILS}`, "enrich"]]],
    ["A10: a hook between that may change it", [["enriched.a == 1", "block"], HOOK, [
      "enriched.a == 1 && run.parsed",
      "allow",
    ]]],
    ["A10: a hook between that changes nothing of it", [[SAME, "block"], HOOK, [`${SAME} && run.parsed`, "allow"]], [
      "r2",
      "r0",
    ]],
    ["a hook that failed makes even has() fail", [["has(run.context)", "allow"], ["has(run.context)", "block"]]],
  ];
  for (const [note, rules, ...unreachable] of cases) {
    test(note, () => {
      expect(warningsIn(file(...rules), "rule.unreachable")).toEqual(unreachable.map(([rule, by]) => {
        const at = Number(rule.slice(1)) + 3;
        const other = `rule "${by}" at a.yaml:${Number(by.slice(1)) + 3}`;
        return `a.yaml:${at}:10-${at}:12 warning rule.unreachable [${rule}] rule "${rule}": can never be reached, ${other} decides before it`;
      }));
    });
  }

  const safe = [
    'http.host.startsWith("a") && http.host.endsWith("b") || http.host in ["c", "d"]',
    'has(http.host) ? size(http.host) > 3 : !("a" in run.args)',
    'network.port < 1024 && http.host.lowerAscii() != "x"',
    '"a" in metadata',
  ];
  for (const condition of safe) {
    test(`cannot fail: ${condition}`, () => {
      expect(warningsIn(file([condition, "allow"], [condition, "block"]), "rule.unreachable")).toHaveLength(1);
    });
  }

  const unsafe = [
    "http.body_size + 1 == 2",
    'http.headers["a"] == "b"',
    'http.path.matches("a")',
    'run.args[0] == "a"',
    'run.args.exists(a, a == "b")',
    "int(http.host) == 1",
    "-network.port == -1",
    'http.host.substring(1) == "a"',
    '"a" in enriched',
    '"a" in run.context',
    "has(enriched.a)",
    "has(run.context.a)",
    "size([http.host.charAt(1)]) == 1",
  ];
  for (const condition of unsafe) {
    test(`may fail: ${condition}`, () => {
      expect(warningsIn(file([condition, "allow"], [condition, "block"]), "rule.unreachable")).toEqual([]);
    });
  }
});

test("A10: thousands of rules with a common part are compared no longer than is good", () => {
  const rules = Array.from({ length: 5_000 }, (_, at): Rule => [
    `run.parsed && (network.port < ${at} || run.args == ["${at}"])`,
    at % 2 === 0 ? "block" : "allow",
  ]);
  const started = performance.now();
  expect(warningsIn(file(...rules), "rule.unreachable")).toEqual([]);
  expect(performance.now() - started).toBeLessThan(10_000);
});
