// What an agent must not request, and how often it may ask: refusals of rule requests on the built daemon, which reveal
// nothing about the rules in force or about the host.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { AgentContainer } from "../support/agent/container.ts";
import { missingRoot, requirement } from "../support/container/container.ts";
import { type Daemon, PLAIN_FLAGS, startDaemon } from "../support/program/daemon.ts";
import { NO_RATE_LIMIT, Requester, ruleAbout } from "../support/request/client.ts";

setDefaultTimeout(120_000);

const RULES = {
  "77-planted-file.yaml": `version: "1"
rules: [{id: planted-allow, condition: 'network.hostname == "known.example"', action: allow}]
`,
};

const SUBMIT = "/v1/requests/rules";

const { label, skip } = requirement("refused rule requests", missingRoot());

describe.skipIf(skip)(label, () => {
  let daemon: Daemon;
  let agent: Requester;
  let other: Requester;
  const containers: AgentContainer[] = [];

  async function startContainer(name: string): Promise<Requester> {
    const container = await AgentContainer.start(daemon.files.dir, name, daemon.files.agentSocket);
    containers.push(container);
    return await Requester.checkIn(container);
  }

  beforeAll(async () => {
    daemon = await startDaemon({ rules: RULES, flags: PLAIN_FLAGS, environment: NO_RATE_LIMIT });
    agent = await startContainer("one");
    other = await startContainer("two");
  });
  afterAll(async () => {
    for (const container of containers) await container.stop();
    await daemon.dispose();
  });

  const refused:
    readonly (readonly [note: string, method: string, path: string, body: unknown, status: number, error: string])[] = [
      ["what does not load", "POST", SUBMIT, { rule_file: "[" }, 422, "request:1:2: "],
      ["true) || (true", "POST", SUBMIT, { ...ruleAbout("x"), condition: "true) || (true" }, 422, 'rule "request": '],
      ["an enrich rule", "POST", SUBMIT, { ...ruleAbout("x"), action: "enrich" }, 422, ""],
      ["two forms", "POST", SUBMIT, { ...ruleAbout("x"), rule_file: "" }, 400, "exclude each other"],
      ["half a form", "POST", SUBMIT, { action: "allow" }, 400, 'missing member "description"'],
      ["an unknown member", "POST", SUBMIT, { ...ruleAbout("x"), priority: 1 }, 400, 'unknown member "priority"'],
      ["words without access", "POST", "/api/v1/agent/rule-request", { description: "x" }, 400, '"requested_access"'],
      ["a route of the host", "GET", "/api/v1/rule-requests", undefined, 404, "not found"],
      ["an approval", "POST", "/api/v1/rule-request/rr-000000000000/approve", {}, 404, "not found"],
    ];
  for (const [note, method, path, body, status, error] of refused) {
    test(`an agent's ${note}: ${status}, and nothing of the rules or the host is said`, async () => {
      const answer = await agent.call(method, path, body);
      expect(answer.status).toBe(status);
      expect(answer.error).toContain(error);
      expect(answer.error).not.toMatch(/planted|rules\.d|\/tmp|ns-/);
    });
  }

  test("without a token, or with another container's, nothing is looked at", async () => {
    for (const headers of [{}, { authorization: `Bearer ${other.token}` }]) {
      const body = { rule_file: "[" };
      expect((await agent.container.ask({ path: SUBMIT, headers, body })).status).toBe(401);
      expect((await agent.container.ask({ method: "GET", path: `${SUBMIT}/rr-000000000000`, headers })).status).toBe(
        401,
      );
    }
    const body = { ...ruleAbout("in-body.example"), session_token: agent.token };
    expect((await agent.container.ask({ path: SUBMIT, body })).status).toBe(201);
  });

  test("20 wait for one container, an identical text is answered with its id, the next is 429", async () => {
    const many = await startContainer("many");
    const ids: string[] = [];
    for (let index = 0; index < 20; index++) ids.push(await many.submit(ruleAbout(`h${index}.example`)));
    expect(new Set(ids).size).toBe(20);
    expect(await many.submit(ruleAbout("h3.example"))).toBe(ids[3] ?? "");
    const refused = await many.container.ask({
      ...{ path: SUBMIT, headers: { authorization: `Bearer ${many.token}` }, body: ruleAbout("h20.example") },
    });
    expect([refused.status, refused.headers["retry-after"]]).toEqual([429, "60"]);
    expect(await other.submit(ruleAbout("h3.example"))).not.toBe(ids[3] ?? "");
  });
});
