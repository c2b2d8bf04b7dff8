// Rule requests with the built programs: an agent in a container submits one, the operator looks at it and decides, and
// nothing else changes what agents may do.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AgentContainer } from "../support/agent/container.ts";
import { missingRoot, requirement } from "../support/container/container.ts";
import { type Daemon, PLAIN_FLAGS, startDaemon } from "../support/program/daemon.ts";
import { enterArgv, firstPidOf } from "../support/host/namespace.ts";
import { program } from "../support/program/programs.ts";
import { idOf, memberOf, NO_RATE_LIMIT, operate, outcall, Requester, ruleAbout } from "../support/request/client.ts";
import { runProgram } from "../support/program/run-program.ts";

setDefaultTimeout(120_000);

const RULES = {
  "77-planted-file.yaml": `version: "1"
rules:
  - {id: planted-allow, condition: 'network.hostname == "known.example"', action: allow}
  - {id: planted-block, condition: 'network.hostname == "evil.example"', action: block}
`,
};

const SUBMIT = "/v1/requests/rules";
const REQUEST_ID = /^rr-[0-9a-f]{12}$/;

const { label, skip } = requirement("rule requests", missingRoot());

describe.skipIf(skip)(label, () => {
  let daemon: Daemon;
  let agent: Requester;
  let other: Requester;
  const containers: AgentContainer[] = [];

  beforeAll(async () => {
    daemon = await startDaemon({ rules: RULES, flags: PLAIN_FLAGS, environment: NO_RATE_LIMIT });
    for (const name of ["one", "two"]) {
      containers.push(await AgentContainer.start(daemon.files.dir, name, daemon.files.agentSocket));
    }
    const [one, two] = containers;
    if (one === undefined || two === undefined) throw new Error("no containers");
    agent = await Requester.checkIn(one);
    other = await Requester.checkIn(two);
  });
  afterAll(async () => {
    for (const container of containers) await container.stop();
    await daemon.dispose();
  });

  const approved = () => readdirSync(daemon.files.rulesDir).filter((name) => name.startsWith("90-"));

  // Runs the shim as a process of the agent's container.
  function shim(...words: readonly string[]) {
    const [command = "", ...args] = program("outcall-agent");
    const argv = [command, ...args, "--agent-socket", daemon.files.agentSocket, ...words];
    return runProgram(enterArgv(firstPidOf(agent.container.process), argv));
  }

  test("S004-SC-005, S003-AS-012, AS-013, SC-013 submit, list, show, approve, allowed, approved", async () => {
    const file = join(daemon.files.dir, "request.yaml");
    writeFileSync(
      file,
      `version: "1"
definitions: {forge: 'network.hostname == "forge.example" // mine'}
rules: [{id: forge, condition: $forge, action: allow, description: to fetch}]
`,
    );
    const submitted = await shim("request", "submit", file);
    expect([submitted.stderr, submitted.code]).toEqual(["", 0]);
    const id = submitted.stdout.trim();
    expect(id).toMatch(REQUEST_ID);
    expect(await shim("request", "status", id)).toMatchObject({ stdout: "pending\n", code: 0 });

    const listed = await outcall(daemon, "rule", "requests", "--status", "pending");
    expect(listed.stdout).toMatch(
      new RegExp(
        `^ID +SUBMITTED +STATUS +DESCRIPTION +AGE +CONTAINER +ASKS FOR\n` +
          `${id}  \\S+Z  pending  to fetch +[0-9]+ s +ctr-[0-9a-f]{12} +allow forge: \\$forge$`,
        "m",
      ),
    );
    const shown = await outcall(daemon, "rule", "request", id);
    expect(shown.stdout).toMatch(/^Condition: +agent\.id == "ns-[0-9-]+" && network\.hostname == "forge\.example"$/m);
    expect(shown.stdout).toMatch(/^Already allowed: +no$/m);
    expect(shown.stdout).not.toMatch(/^[^|].*mine/m);
    expect(await agent.mayConnect("forge.example")).toBe(false);
    expect(approved()).toEqual([]);

    const done = await outcall(daemon, "rule", "approve", id);
    expect([done.stdout, done.stderr, done.code]).toEqual([
      `Rule request "${id}" approved. Rule "forge" added and rules reloaded.\n`,
      "",
      0,
    ]);
    expect(await agent.mayConnect("forge.example")).toBe(true);
    expect(await other.mayConnect("forge.example")).toBe(false);
    expect(await shim("request", "status", id)).toMatchObject({ stdout: "approved\n", code: 0 });
    const path = join(daemon.files.rulesDir, `90-agent-${id}.yaml`);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path, "utf8")).not.toContain("mine");
    expect((await outcall(daemon, "status")).stdout).toMatch(/^Warnings: +none$/m);
  });

  test("S004-AS-006, IF-003 the members of one rule", async () => {
    const answer = await agent.call("POST", SUBMIT, ruleAbout("one.example"));
    expect(answer).toMatchObject({
      status: 201,
      data: { id: expect.stringMatching(REQUEST_ID), status: "pending", reason: null },
    });
    expect(Object.keys(answer.data ?? {})).toEqual(["id", "status", "reason"]);
  });

  test("S003-IF-006 access in words, and a condition given by the operator", async () => {
    const words = { description: "packages", requested_access: "the registry" };
    const answer = await agent.call("POST", "/api/v1/agent/rule-request", words);
    expect(answer).toEqual({
      status: 201,
      data: {
        id: expect.any(String),
        submitted_at: expect.stringMatching(/Z$/),
        status: "pending",
        ...words,
        suggested_condition: null,
      },
      error: "",
    });
    const id = idOf(answer.data);
    const needs = `Error: rule request: it has no condition; give one with the approval\n`;
    expect(await outcall(daemon, "rule", "approve", id)).toMatchObject({ stdout: "", stderr: needs, code: 1 });
    const condition = 'network.hostname == "registry.example"';
    const done = await outcall(daemon, "rule", "approve", id, "--condition", condition);
    expect(done.stdout).toBe(`Rule request "${id}" approved. Rule "agent-${id}" added and rules reloaded.\n`);
    expect([await agent.mayConnect("registry.example"), await other.mayConnect("registry.example")]).toEqual([
      true,
      false,
    ]);
  });

  test("S003-AS-014, S004-AS-007 denied with a reason that the agent reads", async () => {
    const id = await agent.submit(ruleAbout("no.example"));
    const denied = await outcall(daemon, "rule", "deny", id, "--reason", "ask ops first");
    expect([denied.stdout, denied.code]).toEqual([`Rule request "${id}" denied.\n`, 0]);
    expect(await agent.state(id)).toEqual({ id, status: "rejected", reason: "ask ops first" });
    expect(await shim("request", "status", id)).toMatchObject({ stdout: "rejected: ask ops first\n", code: 0 });
    expect(await agent.mayConnect("no.example")).toBe(false);
    const { data } = await operate(daemon, "GET", "/api/v1/rule-requests?status=denied");
    expect(data).toMatchObject([{ id, status: "rejected", reason: "ask ops first" }]);
  });

  test("S003-EC-017, S004-EC-009 a request for something already allowed gets the same answer, and the operator sees that", async () => {
    const answers = await Promise.all(
      ["known.example", "new.example"].map((host) => agent.call("POST", SUBMIT, ruleAbout(host))),
    );
    const [known, unknown] = answers.map(({ data }) => idOf(data));
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(JSON.stringify(answers[0]).replace(known ?? "", "")).toBe(
      JSON.stringify(answers[1]).replace(unknown ?? "", ""),
    );
    const shown = await outcall(daemon, "rule", "request", known ?? "");
    expect(shown.stdout).toMatch(/^Already allowed: +yes/m);
    expect(shown.stdout).toMatch(/^Always decided by: +rule "planted-allow" of 77-planted-file\.yaml \(allow\)$/m);
  });

  test("S003-FR-026 an unreachable rule is refused by name, unless the approval is forced", async () => {
    const id = await agent.submit(ruleAbout("evil.example"));
    const refused = await outcall(daemon, "rule", "approve", id);
    expect(refused).toMatchObject({ stdout: "", code: 1 });
    expect(refused.stderr).toContain('rule "planted-block" of "77-planted-file.yaml" decides before it');
    expect((await outcall(daemon, "rule", "approve", id, "--force")).code).toBe(0);
    expect(await agent.mayConnect("evil.example")).toBe(false);
  });

  test("S004-FR-012 another container's request, and none at all, are the same 404", async () => {
    const id = await agent.submit(ruleAbout("mine.example"));
    expect(await other.call("GET", `${SUBMIT}/${id}`)).toEqual({
      status: 404,
      data: undefined,
      error: `rule request ${id} not found`,
    });
    const none = "rr-000000000000";
    expect(await agent.call("GET", `${SUBMIT}/${none}`)).toEqual({
      status: 404,
      data: undefined,
      error: `rule request ${none} not found`,
    });
    expect(await shim("request", "status", none)).toMatchObject({
      stdout: "",
      stderr: `outcall-agent: rule request ${none} not found\n`,
      code: 1,
    });
  });

  test("S003-IF-008, IF-009: 404, 409 and 422 in their words", async () => {
    const path = (id: string, action: string) => `/api/v1/rule-request/${id}/${action}`;
    for (const action of ["approve", "deny"]) {
      expect(await operate(daemon, "POST", path("rr-x", action))).toMatchObject({
        status: 404,
        error: 'rule request "rr-x" not found',
      });
    }
    const id = await agent.submit(ruleAbout("status.example"));
    expect(await operate(daemon, "POST", path(id, "approve"), { digest: "0".repeat(64) })).toMatchObject({
      status: 409,
    });
    expect(await operate(daemon, "POST", path(id, "approve"), { file_name: "77-planted-file.yaml" })).toMatchObject({
      status: 422,
    });
    expect(await operate(daemon, "POST", path(id, "approve"), { rule_id: "planted-allow" })).toMatchObject({
      status: 422,
    });
    expect(await operate(daemon, "POST", path(id, "approve"), { colour: "red" })).toMatchObject({ status: 400 });
    expect(await operate(daemon, "POST", path(id, "deny"), { reason: "" })).toMatchObject({ status: 422 });
    expect(await operate(daemon, "GET", "/api/v1/rule-requests?status=new")).toMatchObject({ status: 400 });
    expect(await operate(daemon, "POST", path(id, "approve"))).toMatchObject({
      status: 200,
      data: { id, status: "approved" },
    });
    for (const action of ["approve", "deny"]) {
      const error = `rule request "${id}" is not pending: it is approved`;
      expect(await operate(daemon, "POST", path(id, action))).toMatchObject({ status: 409, error });
    }
  });

  test("S003-IF-007 the members of a listed request, and a digest that is its approval's", async () => {
    const id = await agent.submit(ruleAbout("listed.example"));
    const { data } = await operate(daemon, "GET", "/api/v1/rule-requests?status=pending");
    const listed = Array.isArray(data) ? data.find((each) => idOf(each) === id) : undefined;
    expect(listed).toEqual({
      ...{ id, submitted_at: expect.any(String), status: "pending", description: "access to listed.example" },
      ...{ requested_access: "allow", suggested_condition: 'network.hostname == "listed.example"', reason: null },
      rule_file: expect.stringContaining("listed.example"),
      container: { id: expect.stringMatching(/^ns-/), name: expect.stringMatching(/^ctr-/), image: "" },
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const digest = memberOf(listed, "digest");
    expect(await operate(daemon, "POST", `/api/v1/rule-request/${id}/approve`, { digest })).toMatchObject({
      status: 200,
      data: { digest },
    });
  });

  test("an approval whose rules do not load is undone, and the old rules stay", async () => {
    const id = await agent.submit(ruleAbout("undone.example"));
    const broken = join(daemon.files.rulesDir, "80-broken.yaml");
    const before = approved();
    writeFileSync(broken, "[", { mode: 0o600 });
    const answer = await operate(daemon, "POST", `/api/v1/rule-request/${id}/approve`);
    expect([answer.status, answer.error.includes("80-broken.yaml")]).toEqual([422, true]);
    expect(approved()).toEqual(before);
    expect([await agent.mayConnect("undone.example"), await agent.mayConnect("known.example")]).toEqual([false, true]);
    expect(await agent.state(id)).toMatchObject({ status: "pending" });
    writeFileSync(broken, `version: "1"\n`);
    expect(await operate(daemon, "POST", `/api/v1/rule-request/${id}/approve`)).toMatchObject({ status: 200 });
    expect(await agent.mayConnect("undone.example")).toBe(true);
  });

  test("S004-FR-016 each operation is a structured event", async () => {
    const id = await agent.submit(ruleAbout("logged.example"));
    await agent.state(id);
    await outcall(daemon, "rule", "deny", id);
    await daemon.record({ event: "agent.rule-request", request: id, form: "rule", status: 201 });
    await daemon.record({ event: "agent.rule-status", request: id, state: "pending", status: 200 });
    await daemon.record({ event: "rule-request.denied", request: id, uid: process.getuid?.() ?? 0, user: "root" });
    await agent.call("POST", SUBMIT, { rule_file: "[" });
    await daemon.record({ event: "agent.rule-request.refused", code: "rule.yaml", status: 422 });
  });
});
