// The built daemon's memory over many requests of every kind: after a warm-up, it does not grow with their number.
import { expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { AgentContainer } from "../support/agent/container.ts";
import { bearer, CHECK } from "../support/agent/refusals.ts";
import { missingProgram, missingRoot, requirement } from "../support/container/container.ts";
import { PLAIN_FLAGS, startDaemon } from "../support/program/daemon.ts";
import { type RawRequest, requestText } from "../support/socket/raw-http.ts";

setDefaultTimeout(300_000);

const RULES = { "10-a.yaml": 'version: "1"\nrules:\n  - {id: all, condition: \'target == "/a"\', action: allow}\n' };
const FLAGS = [...PLAIN_FLAGS, "--agent-perm-rate", "20000/1"];

const REQUESTS = 100_000;
/** The number of measurements. */
const PARTS = 20;
const LANES = 8;
/** Less than the number of requests that may wait on a connection. */
const BATCH = 25;
/**
 * The largest accepted growth of the median in the second half. The heap varies by some megabytes between collections.
 * Keeping half a kilobyte per request would exceed this.
 */
const GROWTH_KB = 24 * 1_024;

const { label, skip } = requirement("memory", missingRoot(), missingProgram("unshare"));

test.skipIf(skip)(`${label} is flat over ${REQUESTS} requests`, async () => {
  const daemon = await startDaemon({ rules: RULES, flags: FLAGS });
  const agent = await AgentContainer.start(daemon.files.dir, "agent", daemon.files.agentSocket);
  const { session_token } = await agent.checkIn();
  const check = (target: string): RawRequest => {
    return { path: CHECK, headers: bearer(session_token), body: { action_type: "tool_exec", target } };
  };
  let asked = 0;
  const kinds: readonly (() => readonly [status: number, request: RawRequest])[] = [
    () => [200, check("/a")],
    () => [200, check(`/never/twice/the/same/${asked}`)],
    () => [200, { path: "/v1/checkin" }],
    () => [400, { path: CHECK, body: { [`unknown-${asked}`]: 1 } }],
    () => [401, { path: CHECK, headers: bearer(`tok-${asked}`), body: { action_type: "tool_exec", target: "x" } }],
    () => [404, { path: `/v1/nothing/${asked}` }],
    () => [422, check("")],
  ];
  // Each batch uses a connection of its own.
  const lane = async (count: number): Promise<number> => {
    let right = 0;
    for (let done = 0; done < count; done += BATCH) {
      const client = agent.connect();
      const batch = Array.from(
        { length: BATCH },
        () => kinds[asked++ % kinds.length]?.() ?? [0, { path: "" }] as const,
      );
      client.send(batch.map(([, request]) => requestText(request)).join(""));
      for (const [status] of batch) if ((await client.answer())?.status === status) right++;
      client.destroy();
    }
    return right;
  };
  const descriptors = () => readdirSync(`/proc/${daemon.process.pid}/fd`).length;
  const before = descriptors();
  const sizes: number[] = [];
  for (let part = 0; part < PARTS; part++) {
    const share = REQUESTS / PARTS / LANES;
    const rights = await Promise.all(Array.from({ length: LANES }, () => lane(share)));
    expect(rights).toEqual(Array.from({ length: LANES }, () => share));
    sizes.push(residentKb(daemon.process.pid));
    // The test must not keep the log records that it has read either.
    daemon.records.splice(0);
  }
  const half = PARTS / 2;
  const [first, second] = [medianOf(sizes.slice(0, half)), medianOf(sizes.slice(half))];
  console.log(`resident kilobytes after each part: ${sizes.join(" ")}`);
  expect(second - first).toBeLessThan(GROWTH_KB);
  // Closing a connection must free its descriptor; a leak would keep this loop from ending.
  while (descriptors() > before) await new Promise((resolve) => setImmediate(resolve));
  await agent.stop();
  await daemon.dispose();
});

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function residentKb(pid = 0): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  if (kilobytes === undefined) throw new Error("the kernel says nothing of the daemon's memory");
  return Number(kilobytes);
}
