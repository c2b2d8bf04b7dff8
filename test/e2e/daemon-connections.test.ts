// The connection limits of the built daemon: per container and in total, with some reserved for the operator.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { AgentContainer } from "../support/agent/container.ts";
import { missingProgram, missingRoot, requirement } from "../support/container/container.ts";
import { type Daemon, PLAIN_FLAGS, startDaemon } from "../support/program/daemon.ts";
import { RawClient, requestText } from "../support/socket/raw-http.ts";

setDefaultTimeout(120_000);

const RULES = { "00-test.yaml": 'version: "1"\nrules:\n  - {id: all, condition: "true", action: block}\n' };
const OF_CONTAINER = 64;
const IN_ALL = 1_024;
const KEPT = 16;
/** The connections of each of sixteen containers, which together fill the agent socket. */
const EACH = 63;
const REFUSED = {
  status: 503,
  body: '{"success":false,"error":"too many connections","code":"daemon.too-many-connections"}',
};

const { label, skip } = requirement("the number of connections", missingRoot(), missingProgram("unshare"));

describe.skipIf(skip)(label, () => {
  let daemon: Daemon;
  const open: RawClient[] = [];
  beforeAll(async () => {
    daemon = await startDaemon({ rules: RULES, flags: PLAIN_FLAGS });
  });
  afterAll(() => daemon.dispose());

  // Expects an error and the end of the connection, even if a request is sent at once.
  async function expectRefused(connect: () => RawClient): Promise<void> {
    for (let tries = 0; tries < 5; tries++) {
      const asking = connect();
      expect(await asking.ask({ path: "/v1/checkin" })).toMatchObject(REFUSED);
      await asking.closed();
      asking.destroy();
    }
    const client = connect();
    expect(await client.answer()).toMatchObject(REFUSED);
    await client.closed();
    client.send(requestText({ path: "/v1/checkin" }));
    expect(await client.answer()).toBeNull();
    client.destroy();
  }

  // One after the other; the answer shows that a connection was counted before the next one is made.
  async function take(path: string, count: number): Promise<readonly (number | undefined)[]> {
    const statuses: (number | undefined)[] = [];
    for (let taken = 0; taken < count; taken++) {
      const client = new RawClient(path);
      open.push(client);
      statuses.push((await client.ask({ path: "/v1/checkin" }))?.status);
    }
    return statuses;
  }

  test("a container gets its connections up to the limit, one more is refused and closed, and other containers are not affected", async () => {
    const start = (name: string) => AgentContainer.start(daemon.files.dir, name, daemon.files.agentSocket);
    const [first, second] = await Promise.all([start("first"), start("second")]);
    expect(new Set(await take(first.socketPath, OF_CONTAINER))).toEqual(new Set([200]));
    await expectRefused(() => first.connect());
    expect(await take(second.socketPath, 1)).toEqual([200]);
    await daemon.record({ event: "agent.connection.refused", code: "daemon.too-many-connections" });
    for (const client of open.splice(0)) client.destroy();
    // A closed connection makes room as soon as the daemon notices it.
    for (let client = first.connect();; client = first.connect()) {
      const answer = await client.ask({ path: "/v1/checkin" });
      client.destroy();
      if (answer?.status === 200) break;
    }
    await first.stop();
    await second.stop();
  });

  test("the total limit applies, without the connections reserved for the operator", async () => {
    const names = Array.from({ length: (IN_ALL - KEPT) / EACH }, (_, at) => `full-${at}`);
    const containers: AgentContainer[] = [];
    for (const name of names) {
      const container = await AgentContainer.start(daemon.files.dir, name, daemon.files.agentSocket);
      containers.push(container);
      expect(new Set(await take(container.socketPath, EACH))).toEqual(new Set([200]));
    }
    await expectRefused(() => new RawClient(daemon.files.agentSocket));
    expect(new Set(await take(daemon.files.hostSocket, KEPT))).toEqual(new Set([404]));
    await expectRefused(() => new RawClient(daemon.files.hostSocket));
    for (const client of open.splice(0)) client.destroy();
    for (const container of containers) await container.stop();
  });

  test("callers outside of containers share the connection limit of one container", async () => {
    const container = await AgentContainer.start(daemon.files.dir, "beside", daemon.files.agentSocket);
    expect(new Set(await take(daemon.files.agentSocket, OF_CONTAINER))).toEqual(new Set([403]));
    await expectRefused(() => new RawClient(daemon.files.agentSocket));
    expect(await take(container.socketPath, 1)).toEqual([200]);
    for (const client of open.splice(0)) client.destroy();
    await container.stop();
  });
});
