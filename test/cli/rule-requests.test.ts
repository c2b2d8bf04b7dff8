// The commands about rule requests, run against a fake daemon: their requests, and their escaped output.
import { afterEach, describe, expect, test } from "bun:test";
import { cellWidth } from "../../src/core/cell-width.ts";
import type { RuleRequestData, RuleRequestView } from "../../src/wire/request-host.ts";
import { against, type Asked, data, expectSchema, stopDaemons } from "../support/program/against.ts";
import { runOutcall } from "../support/program/cli-io.ts";

afterEach(stopDaemons);

const refused = (status: number, error: string): [number, unknown] => [status, { success: false, error }];

const ID = "rr-0123456789ab";
const REQUEST: RuleRequestData = {
  ...{ id: ID, submitted_at: "2026-11-21T12:00:00.000Z", status: "pending", reason: null, digest: "d".repeat(64) },
  description: `gіt\nplease \u001b[2J${"x".repeat(300)}`,
  requested_access: "allow a",
  suggested_condition: 'dns.query == "x"',
  rule_file: "version: ...",
  container: { id: "b".repeat(64), name: "buіlder", image: "" },
};
const VIEW: RuleRequestView = {
  request: REQUEST,
  submission: 'version: "1"\nScope:  none\n\u202e\n',
  proposal: {
    file: `90-agent-${ID}.yaml`,
    scope: 'agent.name == "bu\\u0456lder"',
    rules: [{
      ...{
        id: "a",
        action: "allow",
        priority: 1_000_000,
        log: false,
        description: "one\nline",
        expires: "2026-12-31T18:00:00Z",
      },
      condition: 'agent.name == "bu\\u0456lder" && network.hostname == "g\\u0456t"',
      hosts: [{ text: "gіt", ascii: "xn--gt-n2a" }],
      covered_by: [{ rule: "x", file: "00\n.yaml", action: "block" }, { rule: "y", file: "01.yaml", action: "allow" }],
    }],
    already_allowed: false,
    warnings: ['rule "a": careful'],
  },
  problem: null,
  decided: null,
};

describe("rule requests", () => {
  test("S003-IF-007, IF-011 prints a table, a description in one line of 200 characters", async () => {
    const { stdout, exit, received } = await against([data([REQUEST])], ["rule", "requests"]);
    const shown = `g\\u{456}t please \\u{1b}[2J${"x".repeat(171)}...`;
    expect(shown).toHaveLength(200);
    expect({ stdout, exit }).toEqual({
      stdout: expect.stringMatching(
        new RegExp(
          `^ID {15}SUBMITTED {17}STATUS {3}DESCRIPTION {191}AGE {2,}CONTAINER {2,}ASKS FOR
${ID} {2}${REQUEST.submitted_at} {2}pending {2}${
            RegExp.escape(shown)
          } {2}\\d+ [dh] {2,}bu\\\\u\\{456\\}lder {2}allow a: dns\\.query == "x"\n$`,
        ),
      ),
      exit: 0,
    });
    expect(received[0]?.path).toBe("/api/v1/rule-requests");
  });

  test("D: on a terminal it fits, ids stay whole, and nothing to show is said", async () => {
    const options = { isTerminal: true, columns: 80, environment: { NO_COLOR: "1" } };
    const { stdout } = await against([data([REQUEST])], ["rule", "requests"], options);
    const lines = stdout.trimEnd().split("\n");
    expect(lines[0]).toMatch(/^ID {15}SUBMITTED {2,}STATUS {3}DESCRIPTION {2,}CONTAINER {2,}ASKS FOR$/);
    expect(lines[1]).toMatch(
      /^rr-0123456789ab {2}\d+ [dh] ago {2,}pending {2}g\\u\{456\}t pl.*… {2}bu\\u\{456\}.* {2,}allow a: .*…$/,
    );
    for (const line of lines) expect({ line, fits: cellWidth(line) <= 80 }).toEqual({ line, fits: true });
    expect(await against([data([])], ["rule", "requests"])).toMatchObject({ stdout: "no rule requests\n", exit: 0 });
    expect(await against([data([])], ["rule", "requests", "--status", "pending"])).toMatchObject({
      stdout: "no pending rule requests\n",
    });
  });

  test("asks for one status, and prints JSON that fits its schema", async () => {
    const { stdout, received } = await against([data([REQUEST])], ["rule", "requests", "--status", "denied", "--json"]);
    expect(received[0]?.path).toBe("/api/v1/rule-requests?status=denied");
    expect(JSON.parse(stdout)).toEqual({ version: 1, requests: [REQUEST] });
    expectSchema("rule-requests", stdout);
  });

  test("refuses another status", async () => {
    expect(await runOutcall(["rule", "requests", "--status", "new"])).toMatchObject({ exit: 2, stdout: "" });
  });
});

describe("rule request", () => {
  test("S003-FR-026 shows the rules that would be written, and the agent's own text last, marked as such", async () => {
    const { stdout, exit, received } = await against([data(VIEW)], ["rule", "request", ID]);
    expect(received[0]?.path).toBe(`/api/v1/rule-request/${ID}`);
    expect({ stdout, exit }).toEqual({
      stdout: `Request:    ${ID}
Status:     pending
Submitted:  2026-11-21T12:00:00.000Z
Container:  ${"b".repeat(64)}
Name:       bu\\u{456}lder
Image:      -
Digest:     ${"d".repeat(64)}

Would write:      90-agent-${ID}.yaml, 1 rule
Scope:            agent.name == "bu\\u{456}lder"
Already allowed:  no
Warnings:         rule "a": careful

Rule:               a (1 of 1)
Action:             allow
Priority:           1000000
Log:                false
Description:        one\\u{a}line
Expires:            2026-12-31T18:00:00Z
Condition:          agent.name == "bu\\u{456}lder" && network.hostname == "g\\u{456}t"
Host:               "g\\u{456}t" is xn--gt-n2a
Always decided by:  rule "x" of 00\\u{a}.yaml (block)
                    rule "y" of 01.yaml (allow)

Submitted text, escaped; every line below is written by the agent:
| version: "1"
| Scope:  none
| \\u{202e}
`,
      exit: 0,
    });
  });

  test("without a proposal it says why; a decided one says who and when", async () => {
    const decided = { at: "2026-11-22T12:00:00.000Z", uid: 1000, name: "ops", file: "50.yaml" };
    const rejected = { ...REQUEST, status: "rejected", reason: "not now" } as const;
    const view = { ...VIEW, request: rejected, proposal: null, problem: "it has no condition", decided };
    const { stdout } = await against([data(view)], ["rule", "request", ID]);
    expect(stdout).toContain(`Decided:    2026-11-22T12:00:00.000Z by uid 1000 (ops)
File:       50.yaml
Reason:     not now
Problem:    it has no condition

Submitted text`);
  });

  test("prints JSON that fits its schema", async () => {
    const { stdout } = await against([data(VIEW)], ["rule", "request", ID, "--json"]);
    expect(JSON.parse(stdout)).toEqual({ version: 1, ...JSON.parse(JSON.stringify(VIEW)) });
    expectSchema("rule-request", stdout);
  });

  test("passes on that there is none", async () => {
    const run = await against([refused(404, 'rule request "a/b" not found')], ["rule", "request", "a/b"]);
    expect(run.received[0]?.path).toBe("/api/v1/rule-request/a%2Fb");
    expect([run.stdout, run.stderr, run.exit]).toEqual(["", 'Error: rule request "a/b" not found\n', 1]);
  });
});

describe("rule approve", () => {
  const approved = data({ ...REQUEST, status: "approved" });
  const bodyOf = ({ received }: Asked) => JSON.parse(received[1]?.body ?? "null");

  test("S003-IF-008, AS-013 shows the request, and approves with the digest of the shown text", async () => {
    const run = await against([data(VIEW), approved], ["rule", "approve", ID]);
    expect(run.received.map(({ method, path }) => `${method} ${path}`)).toEqual([
      `GET /api/v1/rule-request/${ID}`,
      `POST /api/v1/rule-request/${ID}/approve`,
    ]);
    expect(bodyOf(run)).toEqual({ digest: REQUEST.digest });
    expect([run.stdout, run.stderr, run.exit]).toEqual([
      `Rule request "${ID}" approved. Rule "a" added and rules reloaded.\n`,
      "",
      0,
    ]);
  });

  test("sends what the operator wants otherwise", async () => {
    const flags = [
      "--rule-id",
      "b",
      "--condition",
      "true",
      "--file-name",
      "b.yaml",
      "--global",
      "--priority",
      "-7",
      "--force",
      "--digest",
      "e",
    ];
    const run = await against([data(VIEW), approved], ["rule", "approve", ID, ...flags]);
    expect(bodyOf(run)).toEqual({
      ...{ rule_id: "b", condition: "true", file_name: "b.yaml", global: true, priority: -7, force: true, digest: "e" },
    });
    expect(run.stdout).toBe(`Rule request "${ID}" approved. Rule "b" added and rules reloaded.\n`);
  });

  test("names every rule, with the default id if none was proposed", async () => {
    const [rule] = VIEW.proposal?.rules ?? [];
    const two = { ...VIEW, proposal: { ...VIEW.proposal, rules: [rule, { ...rule, id: "b" }] } };
    const run = await against([data(two), approved], ["rule", "approve", ID]);
    expect(run.stdout).toBe(`Rule request "${ID}" approved. Rules "a", "b" added and rules reloaded.\n`);
    const none = await against([data({ ...VIEW, proposal: null }), approved], [
      "rule",
      "approve",
      ID,
      "--condition",
      "true",
    ]);
    expect(none.stdout).toBe(`Rule request "${ID}" approved. Rule "agent-${ID}" added and rules reloaded.\n`);
  });

  test("prints JSON that fits its schema", async () => {
    const { stdout } = await against([data(VIEW), approved], ["rule", "approve", ID, "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ version: 1, rules: ["a"], request: { status: "approved" } });
    expectSchema("rule-approve", stdout);
  });

  test("passes a refusal on", async () => {
    const error = `rule request "${ID}" is not pending: it is approved`;
    const run = await against([data(VIEW), refused(409, error)], ["rule", "approve", ID]);
    expect([run.stdout, run.stderr, run.exit]).toEqual(["", `Error: ${error}\n`, 1]);
    expect(await against([refused(404, "no")], ["rule", "approve", ID])).toMatchObject({
      stderr: "Error: no\n",
      exit: 1,
    });
  });

  for (const priority of ["", "1.5", "x", "2147483648", "-2147483649", "0x10"]) {
    test(`refuses the priority "${priority}" and asks nothing`, async () => {
      const run = await against([approved], ["rule", "approve", ID, `--priority=${priority}`]);
      expect([run.exit, run.received.length]).toEqual([2, 0]);
    });
  }

  test("takes the least and the greatest priority", async () => {
    for (const priority of [-2147483648, 2147483647]) {
      const run = await against([data(VIEW), approved], ["rule", "approve", ID, `--priority=${priority}`]);
      expect(bodyOf(run)).toMatchObject({ priority });
    }
  });
});

describe("rule deny", () => {
  const denied = data({ ...REQUEST, status: "rejected", reason: "no" });

  test("S003-IF-009, AS-014 denies, with a reason or without", async () => {
    const run = await against([denied], ["rule", "deny", ID, "--reason", "no"]);
    expect(run.received.map(({ method, path, body }) => [method, path, body])).toEqual([
      ["POST", `/api/v1/rule-request/${ID}/deny`, '{"reason":"no"}'],
    ]);
    expect([run.stdout, run.stderr, run.exit]).toEqual([`Rule request "${ID}" denied.\n`, "", 0]);
    expect((await against([denied], ["rule", "deny", ID])).received[0]?.body).toBe("{}");
  });

  test("prints JSON that fits its schema", async () => {
    const { stdout } = await against([denied], ["rule", "deny", ID, "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ version: 1, request: { reason: "no" } });
    expectSchema("rule-deny", stdout);
  });

  test("passes a refusal on", async () => {
    const run = await against([refused(404, `rule request "${ID}" not found`)], ["rule", "deny", ID]);
    expect([run.stdout, run.stderr, run.exit]).toEqual(["", `Error: rule request "${ID}" not found\n`, 1]);
  });
});
