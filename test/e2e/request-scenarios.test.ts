// The scenarios of rule requests by name, call by call: an agent in a container submits requests to the built daemon,
// and the operator answers over the host socket.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { AgentContainer } from "../support/agent/container.ts";
import { missingProgram, missingRoot, requirement } from "../support/container/container.ts";
import { type Daemon, PLAIN_FLAGS, startDaemon } from "../support/program/daemon.ts";
import { idOf, operate, Requester, ruleAbout } from "../support/request/client.ts";

setDefaultTimeout(120_000);

const RULES = {
  "10-known.yaml": `version: "1"
rules: [{id: known, condition: 'network.hostname == "known.example"', action: allow}]
`,
};
const SUBMIT = "/v1/requests/rules";
const IN_WORDS = "/api/v1/agent/rule-request";
const ID = expect.stringMatching(/^rr-[0-9a-f]{12}$/);
/** S004-FR-014.b: the limit per minute. */
const RATE = 10;

const { label, skip } = requirement("rule requests by name", missingRoot(), missingProgram("unshare"));

describe.skipIf(skip)(label, () => {
  let daemon: Daemon;
  const containers: AgentContainer[] = [];

  beforeAll(async () => {
    daemon = await startDaemon({ rules: RULES, flags: PLAIN_FLAGS });
  });
  afterAll(async () => {
    for (const container of containers) await container.stop();
    await daemon?.dispose();
  });

  // Each test uses a container of its own, because rates are counted per container.
  async function enter(name: string): Promise<Requester> {
    const container = await AgentContainer.start(daemon.files.dir, name, daemon.files.agentSocket);
    containers.push(container);
    return await Requester.checkIn(container);
  }

  const host = async (method: string, path: string, body?: unknown) => await operate(daemon, method, path, body);
  const inForce = async () => (await host("GET", "/api/v1/rules")).data;

  async function waiting(): Promise<readonly unknown[]> {
    const { data } = await host("GET", "/api/v1/rule-requests?status=pending");
    return Array.isArray(data) ? data : [];
  }

  test("S003-AS-012 agent submits rule request: it waits, and nothing changes", async () => {
    const agent = await enter("as-012");
    const rules = await inForce();
    const file = `version: "1"\nrules: [{id: a, condition: 'network.hostname == "a.example"', action: allow}]\n`;
    const words = { description: "d", requested_access: "c.example", suggested_condition: "run.parsed" };
    const answers = [
      await agent.call("POST", SUBMIT, { rule_file: file }),
      await agent.call("POST", SUBMIT, ruleAbout("b.example")),
      await agent.call("POST", IN_WORDS, words),
    ];
    const asked = answers.map(({ data }) => idOf(data));
    expect(answers).toMatchObject([
      { status: 201, data: { id: ID, status: "pending", reason: null } },
      { status: 201, data: { id: ID, status: "pending", reason: null } },
      { status: 201, data: { id: ID, status: "pending", ...words, submitted_at: expect.stringMatching(/Z$/) } },
    ]);
    expect((await waiting()).map(idOf).filter((id) => asked.includes(id))).toEqual(asked);
    expect(await inForce()).toEqual(rules);
    for (const name of ["a", "b"]) expect(await agent.mayConnect(`${name}.example`)).toBe(false);
  });

  test("S003-AS-013 host approves rule request: its rule is in force, for the container that asked", async () => {
    const [agent, other] = [await enter("as-013"), await enter("as-013-other")];
    const id = await agent.submit(ruleAbout("approved.example"));
    expect(await agent.mayConnect("approved.example")).toBe(false);
    expect(await host("POST", `/api/v1/rule-request/${id}/approve`, {})).toMatchObject({
      status: 200,
      data: { id, status: "approved", description: "access to approved.example" },
    });
    expect(await inForce()).toContainEqual({
      ...{ id: `agent-${id}`, file: `90-agent-${id}.yaml`, action: "allow" },
      ...{ condition_preview: expect.any(String), description: "access to approved.example" },
    });
    expect([await agent.mayConnect("approved.example"), await other.mayConnect("approved.example")])
      .toEqual([true, false]);
    expect((await waiting()).map(idOf)).not.toContain(id);
  });

  test("S004-AS-007 rule request: status polled", async () => {
    const agent = await enter("as-007");
    const ids: string[] = [];
    for (const name of ["waits", "approved", "rejected", "unexplained"]) {
      ids.push(await agent.submit(ruleAbout(`${name}.polled.example`)));
    }
    const [waits = "", approved = "", rejected = "", unexplained = ""] = ids;
    for (const id of ids) expect(await agent.state(id)).toEqual({ id, status: "pending", reason: null });
    await host("POST", `/api/v1/rule-request/${approved}/approve`, {});
    await host("POST", `/api/v1/rule-request/${rejected}/deny`, { reason: "not this week" });
    await host("POST", `/api/v1/rule-request/${unexplained}/deny`, {});
    expect(await agent.state(waits)).toEqual({ id: waits, status: "pending", reason: null });
    expect(await agent.state(approved)).toEqual({ id: approved, status: "approved", reason: null });
    expect(await agent.state(rejected)).toEqual({ id: rejected, status: "rejected", reason: "not this week" });
    expect(await agent.state(unexplained)).toEqual({ id: unexplained, status: "rejected", reason: null });
  });

  test("S004-EC-009 rule request for something a rule covers already: queued, no word to the agent", async () => {
    const agent = await enter("ec-009");
    expect(await agent.mayConnect("known.example")).toBe(true);
    const answer = await agent.call("POST", SUBMIT, ruleAbout("known.example"));
    const id = idOf(answer.data);
    expect(answer).toEqual({ status: 201, data: { id: ID, status: "pending", reason: null }, error: "" });
    expect((await waiting()).map(idOf)).toContain(id);
    expect(await agent.state(id)).toEqual({ id, status: "pending", reason: null });
    const view = await host("GET", `/api/v1/rule-request/${id}`);
    expect(view.data).toMatchObject({ proposal: { already_allowed: true } });
  });

  test("S004-FR-014.b rule requests over ten in a minute: 429, not queued, and no other container is concerned", async () => {
    const [agent, other] = [await enter("fr-014"), await enter("fr-014-other")];
    for (let sent = 0; sent < RATE; sent++) await agent.submit(ruleAbout(`h${sent}.rate.example`));
    const before = (await waiting()).length;
    const headers = { authorization: `Bearer ${agent.token}` };
    for (const path of [SUBMIT, IN_WORDS]) {
      const body = path === SUBMIT ? ruleAbout("more.example") : { description: "d", requested_access: "more" };
      const refused = await agent.container.ask({ path, headers, body });
      expect(refused).toMatchObject({
        status: 429,
        body: '{"success":false,"error":"rate limit exceeded","code":"session.rate-limited"}',
      });
      expect(refused.headers["retry-after"]).toMatch(/^([1-9]|[1-5]\d|60)$/);
    }
    expect((await waiting()).length).toBe(before);
    // Other requests, of this container or of another, are not affected.
    expect(await agent.mayConnect("known.example")).toBe(true);
    expect(await other.submit(ruleAbout("more.example"))).toMatch(/^rr-/);
  });

  test("S004-FR-016 every operation is an event with the container, and an action with its type", async () => {
    const agent = await enter("fr-016");
    await agent.mayConnect("known.example");
    const id = await agent.submit(ruleAbout("event.example"));
    await agent.state(id);
    const { container } = await daemon.record({ event: "agent.rule-request", request: id, status: 201 });
    expect(container).toMatch(/^ns-/);
    await daemon.record({ event: "agent.checkin", container, status: 200 });
    await daemon.record({ event: "agent.check", container, action_type: "network_call", allowed: true });
    await daemon.record({ event: "agent.rule-status", container, request: id, status: 200 });
  });
});
