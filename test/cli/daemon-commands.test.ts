// The commands about rules that ask a daemon, run against a fake daemon.
import { afterEach, describe, expect, test } from "bun:test";
import { against, data, expectSchema, stopDaemons } from "../support/program/against.ts";

afterEach(stopDaemons);

const RULES = [
  { id: "allow-github-api", file: "00-base.yaml", action: "allow", condition_preview: "$is_github", description: null },
  { id: "b", file: "a\u001b[2J.yaml", action: "block", condition_preview: 'x == "\u202e"', description: "d" },
];

describe("rule list", () => {
  test("prints a table, foreign text escaped", async () => {
    const { stdout, stderr, exit, received } = await against([data(RULES)], ["rule", "list"]);
    expect({ stdout, stderr, exit }).toEqual({
      stdout: `ID                FILE             ACTION  CONDITION
allow-github-api  00-base.yaml     allow   $is_github
b                 a\\u{1b}[2J.yaml  block   x == "\\u{202e}"
`,
      stderr: "",
      exit: 0,
    });
    expect(received.map(({ method, path }) => `${method} ${path}`)).toEqual(["GET /api/v1/rules"]);
  });

  test("D: an empty rule set is said", async () => {
    expect(await against([data([])], ["rule", "list"])).toMatchObject({
      stdout: "no rules are loaded: every request is blocked\n",
      exit: 0,
    });
  });

  test("prints JSON that fits its schema, rules for rule", async () => {
    const { stdout } = await against([data(RULES)], ["rules", "list", "--json"]);
    expect(JSON.parse(stdout)).toEqual({ version: 1, rules: RULES });
    expect(stdout).not.toContain("\u202e");
    expectSchema("rule-list", stdout);
  });
});

const RULE = {
  id: "a",
  file: "00-base.yaml",
  line: 7,
  condition: '(network.hostname == "github.com") &&\nhttp.method == "GET"',
  action: "allow",
  log: true,
  description: null,
  priority: 100,
  reason: null,
  egress: null,
  enrich: null,
};

describe("rule show", () => {
  test("prints aligned lines", async () => {
    const { stdout, exit, received } = await against([data(RULE)], ["rule", "show", "a"]);
    expect(exit).toBe(0);
    expect(stdout).toBe(
      `Rule:         a
File:         00-base.yaml
Action:       allow
Priority:     100
Log:          true
Description:  -
Condition:    (network.hostname == "github.com") &&
              http.method == "GET"
`,
    );
    expect(received[0]?.path).toBe("/api/v1/rule/a");
  });

  test("prints the optional members of a rule", async () => {
    const rule = { ...RULE, reason: "ask ops", egress: { mode: "proxy" }, enrich: { script: "h/x", timeout_ms: 5 } };
    const { stdout } = await against([data(rule)], ["rule", "show", "a"]);
    expect(stdout).toContain("Reason:       ask ops\nEgress:       proxy\nEnrich:       h/x, at most 5 ms\nCondition:");
    const addresses = ["10.0.0.0/8", "[fd00::5]:5432"];
    const ending = { ...RULE, egress: { mode: "proxy", addresses }, expires: "2026-12-31T18:00:00Z" };
    expect((await against([data(ending)], ["rule", "show", "a"])).stdout).toContain(
      "Egress:       proxy, 10.0.0.0/8, [fd00::5]:5432\nExpires:      2026-12-31T18:00:00Z\nCondition:",
    );
    const { egress: _, ...other } = ending;
    const alone = { ...other, egress: { addresses } };
    expect((await against([data(alone)], ["rule", "show", "a"])).stdout).toContain(
      "Egress:       10.0.0.0/8, [fd00::5]:5432\n",
    );
  });

  test("prints JSON of a rule that ends", async () => {
    const ending = { ...RULE, egress: { addresses: ["10.0.0.5"] }, expires: "2026-12-31T18:00:00Z" };
    const { stdout } = await against([data(ending)], ["rule", "show", "a", "--json"]);
    expect(JSON.parse(stdout)).toEqual({ version: 1, rule: ending });
    expectSchema("rule-show", stdout);
  });

  test("prints JSON that fits its schema", async () => {
    const { stdout } = await against([data(RULE)], ["rule", "show", "a", "--json"]);
    expect(JSON.parse(stdout)).toEqual({ version: 1, rule: RULE });
    expectSchema("rule-show", stdout);
  });

  test("an id is one part of the path, whatever it holds", async () => {
    const { stdout, stderr, exit, received } = await against(
      [[404, { success: false, error: 'rule not found: "../x?y"' }]],
      ["rule", "show", "../x?y"],
    );
    expect({ stdout, stderr, exit }).toEqual({ stdout: "", stderr: 'Error: rule not found: "../x?y"\n', exit: 1 });
    expect(received[0]?.path).toBe("/api/v1/rule/..%2Fx%3Fy");
  });
});

describe("rule test", () => {
  const argv = ["rule", "test", "--expr", "true", "--context", '{"dns":{"query":"x"}}'];
  const cases = [
    { note: "true", answer: { result: true, error: null }, stdout: "Result: true\n", stderr: "", exit: 0 },
    { note: "false", answer: { result: false, error: null }, stdout: "Result: false\n", stderr: "", exit: 0 },
    {
      note: "an error",
      answer: { result: false, error: "a\u001bb" },
      stdout: "",
      stderr: "Error: a\\u{1b}b\n",
      exit: 1,
    },
  ];
  for (const { note, answer, stdout, stderr, exit } of cases) {
    test(`prints ${note}`, async () => {
      const run = await against([data(answer)], argv);
      expect([run.stdout, run.stderr, run.exit]).toEqual([stdout, stderr, exit]);
      expect(JSON.parse(run.received[0]?.body ?? "")).toEqual({ expression: "true", context: { dns: { query: "x" } } });
    });
    test(`prints ${note} as JSON that fits its schema`, async () => {
      const run = await against([data(answer)], [...argv, "--json"]);
      expect([JSON.parse(run.stdout), run.stderr, run.exit]).toEqual([{ version: 1, ...answer }, "", exit]);
      expectSchema("rule-test", run.stdout);
    });
  }
});

describe("rule evaluate", () => {
  const allow = { decision: "allow", matched_rule: "a", file: "00.yaml", logged: true };
  const block = { decision: "block", matched_rule: null, file: null, logged: false };

  test("prints a line for each decision", async () => {
    const allowed = await against([data(allow)], ["rule", "evaluate", "--context", "{}"]);
    expect([allowed.stdout, allowed.stderr, allowed.exit]).toEqual(['allow by rule "a" of 00.yaml, logged\n', "", 0]);
    const blocked = await against([data(block)], ["rule", "evaluate", "--context", "{}"]);
    expect([blocked.stdout, blocked.stderr, blocked.exit]).toEqual(["block by default, no rule matched\n", "", 0]);
  });

  test("asks for each line of standard input over one connection and prints a line for each", async () => {
    const run = await against([data(allow), data(block)], ["rule", "evaluate", "--context", "-", "--json"], {
      stdin: ['{"target":"a"}\n\n{"tar', 'get":"b"}'],
    });
    expect(run.exit).toBe(0);
    const lines = run.stdout.trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { version: 1, ...allow, warnings: [] },
      { version: 1, ...block, warnings: [] },
    ]);
    for (const line of lines) expectSchema("rule-evaluate", line);
    expect(run.received.map(({ body }) => JSON.parse(body))).toEqual([
      { context: { target: "a" } },
      { context: { target: "b" } },
    ]);
    expect(new Set(run.received.map(({ connection }) => connection)).size).toBe(1);
  });

  test("stops at a line that is no context and names it", async () => {
    const run = await against([data(allow)], ["rule", "evaluate", "--context", "-"], { stdin: ["{}\n{\n{}\n"] });
    expect(run.stdout).toBe('allow by rule "a" of 00.yaml, logged\n');
    expect([run.stderr, run.exit]).toEqual(["Error: line 2 of standard input: not JSON\n", 1]);
    expect(run.received).toHaveLength(1);
  });

  test("passes the daemon's refusal on", async () => {
    const error = "rule evaluation unavailable: bridge is not up";
    const run = await against([[503, { success: false, error }]], ["rule", "evaluate", "--context", "{}"]);
    expect([run.stdout, run.stderr, run.exit]).toEqual(["", `Error: ${error}\n`, 1]);
  });
});

describe("an answer that is none", () => {
  const cases = [
    { note: "data of another shape", answer: data([{ id: 1 }]) },
    { note: "no envelope", answer: [200, []] },
    { note: "a redirect", answer: [302, { success: true, data: [] }] },
  ] satisfies { note: string; answer: [number, unknown] }[];
  for (const { note, answer } of cases) {
    test(note, async () => {
      const run = await against([answer], ["rule", "list"]);
      expect([run.stdout, run.exit]).toEqual(["", 1]);
      expect(run.stderr).toStartWith("Error: outcalld's answer is not understood: ");
    });
  }
});

describe("rule reload", () => {
  const LOADED = { files_loaded: 3, rules_loaded: 12, warnings: ["a.yaml:3: \u202e", "b.yaml:1: empty"] };

  test("A5: one file, one rule", async () => {
    const one = { files_loaded: 1, rules_loaded: 1, warnings: [] };
    const { stdout } = await against([data(one)], ["rule", "reload"]);
    expect(stdout).toBe("Rules reloaded: 1 file, 1 rule loaded.\n");
  });

  test("prints the counts and the warnings, foreign text escaped (IF-004)", async () => {
    const { stdout, stderr, exit, received } = await against([data(LOADED)], ["rule", "reload"]);
    expect({ stdout, stderr, exit }).toEqual({
      stdout: "Rules reloaded: 3 files, 12 rules loaded.\nWarnings:\n  a.yaml:3: \\u{202e}\n  b.yaml:1: empty\n",
      stderr: "",
      exit: 0,
    });
    expect(received.map(({ method, path }) => `${method} ${path}`)).toEqual(["POST /api/v1/rules/reload"]);
  });

  test("prints JSON that fits its schema", async () => {
    const { stdout } = await against([data(LOADED)], ["rule", "reload", "--json"]);
    expect(JSON.parse(stdout)).toEqual({ version: 1, ...LOADED });
    expectSchema("rule-reload", stdout);
  });

  const why = "reload failed: /etc/outcall/rules.d/a.yaml:3:5: no";
  test.each([
    ["as it is", `${why}. Previous rules remain active.`, `${why}`],
    [
      "of any length",
      `reload failed: ${"x".repeat(2_000)}. Previous rules remain active.`,
      `reload failed: ${"x".repeat(1_009)}...`,
    ],
  ])("a failure %s: why, and what is in force, on lines of their own (EC-015)", async (_note, error, shown) => {
    const { stdout, stderr, exit } = await against([[422, { success: false, error, code: "daemon.reload-failed" }]], [
      "rule",
      "reload",
    ]);
    expect({ stdout, stderr, exit }).toEqual({
      stdout: "",
      stderr: `Error: ${shown}\nPrevious rules remain active.\n`,
      exit: 1,
    });
  });

  test("B4: a failure with --json is one line of JSON on standard error", async () => {
    const error = `${why}. Previous rules remain active.`;
    const refused = { success: false, error, code: "daemon.reload-failed" };
    expect(await against([[422, refused]], ["rule", "reload", "--json"])).toMatchObject({
      stdout: "",
      stderr: `${JSON.stringify({ version: 1, error: { code: "daemon.reload-failed", message: error } })}\n`,
      exit: 1,
    });
  });
});
