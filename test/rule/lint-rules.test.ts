// Warnings about single rules; all warnings are found together and sorted by place.
import { describe, expect, test } from "bun:test";
import { AGENT_TIMEOUT_MS, APPROVED_PRIORITY, HOOK_TIMEOUT_MS } from "../../src/rule/lint-rules.ts";
import { loadRuleFiles } from "../../src/rule/load-rules.ts";
import { rules, warningsIn } from "../support/rule/findings.ts";

describe("rule.not-boolean", () => {
  const cases: readonly (readonly [condition: string, type: string | null])[] = [
    ["network.hostname", "string"],
    ["network.port + 1", "int"],
    ["run.args", "list<string>"],
    ["http.headers", "map<string, string>"],
    ["null", "null"],
    ["run.parsed", null],
    ["run.context.a", null],
    ["metadata", "map<string, dyn>"],
    ["run.parsed ? run.context.a : true", null],
  ];
  for (const [condition, type] of cases) {
    test(condition, () => {
      for (const action of ["allow", "block"]) {
        const text = rules(`id: r, condition: '${condition}', action: ${action}`);
        const end = 25 + condition.length;
        expect(warningsIn(text, "rule.not-boolean")).toEqual(
          type === null ? [] : [
            `a.yaml:3:25-3:${end} warning rule.not-boolean [r] rule "r": condition is of type ${type}, never a boolean`,
          ],
        );
        expect(loadRuleFiles([{ name: "a.yaml", text }]).set).not.toBeNull();
      }
    });
  }
});

describe("rule.priority-range", () => {
  test("is from 1,000,000 on", () => {
    expect(APPROVED_PRIORITY).toBe(1_000_000);
    const text = (priority: number): string =>
      rules(`id: r, condition: dns.query == "x", action: block, priority: ${priority}`);
    for (const priority of [-1, 100, 999_999]) expect(warningsIn(text(priority), "rule.priority-range")).toEqual([]);
    for (const priority of [1_000_000, 2_147_483_647]) {
      expect(warningsIn(text(priority), "rule.priority-range")).toEqual([
        `a.yaml:3:67-3:${
          67 + String(priority).length
        } warning rule.priority-range [r] rule "r": priority ${priority} is in the range of approved requests, 1000000 and above`,
      ]);
    }
  });
});

describe("rule.hook-timeout", () => {
  const hook = (more: string): string =>
    rules(`id: r, condition: dns.query == "x", action: enrich, enrich: {script: a.sh${more}}`);

  const warning = (timeoutMs: number): string =>
    `a.yaml:3:75-3:79 warning rule.hook-timeout [r] rule "r": the hook may run for ${timeoutMs} ms, but the daemon gives up an ` +
    `agent's evaluation after 5000 ms | set enrich.timeout_ms below 5000, or raise --agent-timeout`;

  test("is the default at the daemon's default", () => {
    expect([HOOK_TIMEOUT_MS, AGENT_TIMEOUT_MS]).toEqual([5_000, 5_000]);
    expect(warningsIn(hook(""), "rule.hook-timeout")).toEqual([warning(5_000)]);
    expect(warningsIn(hook(", timeout_ms: 4999"), "rule.hook-timeout")).toEqual([]);
    expect(warningsIn(hook(", timeout_ms: 5000"), "rule.hook-timeout")).toEqual([warning(5_000)]);
    expect(warningsIn(hook(", timeout_ms: 60000"), "rule.hook-timeout")).toEqual([warning(60_000)]);
  });
});

describe("A4: a warning about a definition", () => {
  const DEFINITIONS =
    'version: "1"\ndefinitions:\n  key: metadata.a == 1\n  never: network.hostname == "A"\n  text: run.tool\n' +
    '  always: "true"\n  loose: network.hostname.endsWith("x.example")\n  hook: "\\"a\\" in run.context"\n';
  const of = (...each: readonly (readonly [condition: string, action: string])[]): readonly string[] =>
    warningsIn(
      `${DEFINITIONS}rules:\n${
        each.map(([condition, action], at) => {
          const hook = action === "enrich" ? ", enrich: {script: a.sh, timeout_ms: 1}" : "";
          return `  - {id: r${at}, action: ${action}${hook}, condition: ${JSON.stringify(condition)}}\n`;
        }).join("")
      }`,
    ).filter((each) => !/unused-definition|unreachable|hook-missing/.test(each));

  test("is reported once, with the number of rules that use the definition", () => {
    const found = of(["$key && run.parsed", "allow"], ["$key && run.path == 'x'", "block"], [
      "$key && run.path == 'y'",
      "allow",
    ]);
    expect(found).toEqual([
      'a.yaml:3:8-3:18 warning rule.unguarded-index [r0] rule "r0" and 2 other rules, in definition "key": reads key "a" of ' +
      'metadata without testing that it is there | write "a" in metadata && ...; without it, the rule blocks every request ' +
      "without the key",
    ]);
  });

  const codes: readonly (readonly [code: string, condition: string, action: string])[] = [
    ["rule.never", "run.parsed && $never", "block"],
    ["rule.loose", "network.port == 443 && $loose", "allow"],
    ["rule.not-boolean", "$text", "block"],
    ["rule.constant", "$always", "allow"],
    ["rule.unscoped-allow", "$always", "allow"],
    ["rule.spoofable", "$hook && run.parsed", "allow"],
  ];
  for (const [code, condition, action] of codes) {
    test(`${code}: once for two rules`, () => {
      const found = of(["run.path == 'h'", "enrich"], [condition, action], [condition, action]).filter((each) =>
        each.includes(code)
      );
      expect(found).toHaveLength(1);
      expect(found[0]).toContain('[r1] rule "r1" and 1 other rule, in definition ');
    });
  }

  test("is counted for thousands of rules without delay", () => {
    const rules = Array.from({ length: 5_000 }, (_, at) => [`$never && run.path == "/${at}"`, "block"] as const);
    expect(of(...rules).map((each) => each.replace(/ \| .*/, ""))).toEqual([
      'a.yaml:4:30-4:33 warning rule.never [r0] rule "r0" and 4999 other rules, in definition "never": network.hostname is ' +
      'never "A": hosts are in lower case',
    ]);
  });
});

test("all warnings of a set are found together, sorted by place", () => {
  const text = `version: "1"
definitions: {unused: 'true'}
rules:
  - {id: hook, condition: 'true', action: enrich, priority: 1000000, enrich: {script: a.sh}}
  - {id: key, condition: run.context.a == 1, action: allow}
  - {id: all, condition: 'true', action: allow}
  - {id: never, condition: network.port, action: block}
`;
  expect(warningsIn(text).map((each) => each.split(" ").slice(0, 4).join(" "))).toEqual([
    "a.yaml:2:15-2:21 warning rule.unused-definition definition",
    "a.yaml:4:10-4:14 warning rule.unreachable [hook]",
    "a.yaml:4:28-4:32 warning rule.constant [hook]",
    "a.yaml:4:61-4:68 warning rule.priority-range [hook]",
    "a.yaml:4:87-4:91 warning rule.hook-timeout [hook]",
    "a.yaml:5:26-5:39 warning rule.spoofable [key]",
    "a.yaml:5:26-5:39 warning rule.unguarded-index [key]",
    "a.yaml:6:27-6:31 warning rule.constant [all]",
    "a.yaml:6:27-6:31 warning rule.unscoped-allow [all]",
    "a.yaml:7:10-7:15 warning rule.unreachable [never]",
    "a.yaml:7:28-7:40 warning rule.not-boolean [never]",
  ]);
});
