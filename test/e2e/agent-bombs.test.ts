// A6: whatever one container submits, the permission checks of another container are answered in time. The promise is
// 50 ms; the tests allow ten times as much, because they share a machine.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { AgentContainer } from "../support/agent/container.ts";
import { bearer, CHECK } from "../support/agent/refusals.ts";
import { missingRoot, requirement } from "../support/container/container.ts";
import { type Daemon, PLAIN_FLAGS, startDaemon } from "../support/program/daemon.ts";
import { NO_RATE_LIMIT, Requester } from "../support/request/client.ts";
import { BOMBS } from "../support/request/bombs.ts";

setDefaultTimeout(300_000);

const DELAY_GUARD_MS = 500;

const RULES = {
  "10-a.yaml": 'version: "1"\nrules: [{id: all, condition: target == "/bin/true", action: allow}]\n',
};

const { label, skip } = requirement("rule requests that are bombs", missingRoot());

describe.skipIf(skip)(label, () => {
  let daemon: Daemon;
  let attacker: Requester;
  let victim: Requester;
  const containers: AgentContainer[] = [];

  async function startContainer(name: string): Promise<Requester> {
    const container = await AgentContainer.start(daemon.files.dir, name, daemon.files.agentSocket);
    containers.push(container);
    return await Requester.checkIn(container);
  }

  beforeAll(async () => {
    const flags = [...PLAIN_FLAGS, "--agent-perm-rate", "1000000/1"];
    daemon = await startDaemon({ rules: RULES, flags, environment: NO_RATE_LIMIT });
    attacker = await startContainer("attacker");
    victim = await startContainer("victim");
  });
  afterAll(async () => {
    for (const container of containers) await container.stop();
    await daemon.dispose();
  });

  /** The longest of a container's permission checks, sent one after the other until the work is done. */
  async function longestCheckDuring(work: Promise<unknown>): Promise<number> {
    let isOver = false;
    void work.finally(() => (isOver = true));
    const connection = victim.container.connect();
    const check = {
      path: CHECK,
      headers: bearer(victim.token),
      body: { action_type: "tool_exec", target: "/bin/true" },
    };
    let longestMs = 0;
    while (!isOver) {
      const startMs = performance.now();
      const answer = await connection.ask(check);
      expect(answer?.status).toBe(200);
      longestMs = Math.max(longestMs, performance.now() - startMs);
    }
    connection.socket.destroy();
    return longestMs;
  }

  test.each(BOMBS)("A6: $note delays no other container's check", async ({ body }) => {
    const submitted = attacker.call("POST", "/v1/requests/rules", body);
    const longestMs = await longestCheckDuring(submitted);
    // A request within the limits is accepted, whatever it costs.
    expect([201, 422]).toContain((await submitted).status);
    expect(longestMs).toBeLessThan(DELAY_GUARD_MS);
  });
});
