// Warnings about rules that match more, or less, than they seem to.
import { describe, expect, test } from "bun:test";
import { warningsIn } from "../support/rule/findings.ts";

function file(...each: readonly (readonly [condition: string, action: string, more?: string])[]): string {
  const lines = each.map(([condition, action, more = ""], at) => {
    return `  - {id: r${at}, action: ${action}${more}, condition: ${JSON.stringify(condition)}}\n`;
  });
  return `version: "1"\nrules:\n${lines.join("")}`;
}

describe("rule.unscoped-allow", () => {
  const cases: readonly (readonly [condition: string, unscoped: boolean])[] = [
    ["true", true],
    // A4: a test of the action type makes clear what the rule is about.
    ['action_type == "tool_exec"', false],
    ['action_type in ["tool_exec", "shell_exec"] && target == "x"', false],
    ['"tool_exec" == action_type && has(metadata.a)', false],
    ['action_type == "tool_exec" || target == "x"', true],
    ['action_type != "tool_exec"', true],
    ['!(action_type == "tool_exec")', true],
    ['target.startsWith("/x")', true],
    ["has(metadata.a) && metadata.a == 1", true],
    ["has(enriched.a) && enriched.a == 1", true],
    ["[1].exists(http, http == 1)", true],
    ['agent.name == "a"', false],
    ["envelope.verified", false],
    ["has(dns.query)", false],
    ['target == "a" && network.port == 443', false],
  ];
  for (const [condition, unscoped] of cases) {
    test(`${condition}: ${unscoped ? "a warning" : "none"}, and none for a block`, () => {
      const found = warningsIn(file([condition, "allow"]), "rule.unscoped-allow");
      expect(found.map((each) => each.replace(/^\S+ /, ""))).toEqual(
        unscoped
          ? [
            'warning rule.unscoped-allow [r0] rule "r0": allows without naming a namespace, so it holds for every kind of request',
          ]
          : [],
      );
      expect(warningsIn(file([condition, "block"]), "rule.unscoped-allow")).toEqual([]);
    });
  }
});

describe("rule.omittable", () => {
  const BLOCK = 'http.method == "DELETE"';
  const cases: readonly (readonly [note: string, block: string, allow: string, omittable: boolean])[] = [
    ["an allow about the same host", `network.hostname == "a" && ${BLOCK}`, 'network.hostname == "a"', true],
    ["an allow about whatever host", `network.hostname == "a" && ${BLOCK}`, "network.port == 443", true],
    ["an allow about another host", `network.hostname == "a" && ${BLOCK}`, 'network.hostname == "b"', false],
    [
      "an allow about other hosts",
      `network.hostname in ["a", "b"] && ${BLOCK}`,
      'network.hostname in ["c", "d"]',
      false,
    ],
    ["an allow about some of the hosts", `network.hostname in ["a", "b"] && ${BLOCK}`, '"b" == network.hostname', true],
    ["an allow about nothing", BLOCK, "true", true],
    ["an allow that needs http too", BLOCK, 'http.host == "a"', false],
    ["an allow that needs it to be there", BLOCK, "has(http.host)", false],
    ["an allow that need not", BLOCK, 'http.host == "a" || network.port == 22', true],
    ["an allow of programs", BLOCK, 'run.tool == "git"', false],
    ["an allow of names", BLOCK, 'dns.query == "a"', false],
    ["an allow of containers", BLOCK, 'docker.image == "a"', false],
    ["a block that need not have http", 'http.method == "DELETE" || network.port == 22', "network.port == 443", false],
    [
      "a block of what is not all of two things",
      '!(http.method == "GET" && network.port == 443)',
      "network.port == 22",
      false,
    ],
    ["a block of anything but one method", '!(http.method == "GET")', "network.port == 22", true],
    ["a block by a header", '"x-bad" in http.headers', "network.port == 443", true],
  ];
  for (const [note, block, allow, omittable] of cases) {
    test(note, () => {
      const found = warningsIn(file([block, "block"], [allow, "allow"]), "rule.omittable");
      expect(found.map((each) => each.replace(/^\S+ /, ""))).toEqual(
        omittable
          ? [
            'warning rule.omittable [r0] rule "r0": needs http, but the later rule "r1" can allow the same request without it, so an agent can leave http out',
          ]
          : [],
      );
    });
  }

  test("an allow before it, by place or by priority, is none", () => {
    expect(warningsIn(file(["network.port == 443", "allow"], [BLOCK, "block"]), "rule.omittable")).toEqual([]);
    expect(warningsIn(file([BLOCK, "block"], ["network.port == 443", "allow", ", priority: 1"]), "rule.omittable"))
      .toEqual([]);
  });

  test("one warning for each block, with the first allow", () => {
    const rules = file([BLOCK, "block"], ['http.method == "PUT"', "block"], ["network.port == 1", "allow"], [
      "network.port == 2",
      "allow",
    ]);
    const found = warningsIn(rules, "rule.omittable");
    expect(found).toHaveLength(2);
    expect(found.every((each) => each.includes('the later rule "r2" can'))).toBe(true);
  });

  test("a set of thousands is looked at, and no longer than is good", () => {
    const many = Array.from(
      { length: 3_000 },
      (_, at) => [`network.hostname == "b${at}" && ${BLOCK}`, "block"] as const,
    );
    const allows = Array.from({ length: 3_000 }, (_, at) => [`network.hostname == "a${at}"`, "allow"] as const);
    expect(warningsIn(file(...many, ...allows), "rule.omittable")).toEqual([]);
  });
});
