// The worker thread for envelopes: jobs run in order, and a job that takes too long or crashes does not affect the
// others.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { URL } from "node:url";
import type { EnvelopeJob } from "../../src/envelope/envelope-jobs.ts";
import { EnvelopeThread, WAITING_LIMIT } from "../../src/envelope/envelope-thread.ts";
import { EnvelopeBench } from "../support/rulespec/envelopes.ts";
import { COMPLETE_ENVELOPE, COMPLETE_RULESPEC } from "../support/rulespec/complete.ts";

const PROGRAM = new URL("../../src/outcalld.ts", import.meta.url);

let bench: EnvelopeBench;
let thread: EnvelopeThread;
const open = (timeoutMs?: number): EnvelopeThread => {
  const data = {
    stateDir: bench.stateDir,
    source: { kind: "dir", path: bench.specs } as const,
    key: new Uint8Array(32),
  };
  return new EnvelopeThread(data, PROGRAM, timeoutMs);
};
beforeEach(() => {
  bench = new EnvelopeBench();
  bench.writeSpec("default.yaml", COMPLETE_RULESPEC);
  thread = open();
});
afterEach(async () => {
  await thread.close();
  bench.dispose();
});

const write = (text: string, id = "a"): EnvelopeJob => {
  return { kind: "write", mounts: [], owner: { id, name: id, instance: `${id}:1` }, text };
};

test("does jobs in order, without blocking the caller", async () => {
  const done: string[] = [];
  const jobs = ["one", "two", "three"].map(async (name) => {
    const reply = await thread.run(write(`facts: {name: ${name}}\n`));
    done.push(reply.kind === "result" ? reply.result.factsJson : reply.kind);
  });
  expect(done).toEqual([]);
  await Promise.all(jobs);
  expect(done).toEqual(['{"name":"one"}', '{"name":"two"}', '{"name":"three"}']);
});

test("a container that writes much delays another by one job", async () => {
  const done: string[] = [];
  const jobs = ["a", "a", "a", "b", "a", "b", "c"].map(async (id, at) => {
    await thread.run(write("facts: {x: 1}\n", id));
    done.push(`${id}${at}`);
  });
  await Promise.all(jobs);
  // The first job runs before the others are added.
  expect(done).toEqual(["a0", "a1", "b3", "c6", "a2", "b5", "a4"]);
});

test("verifies as the commands do", async () => {
  const reply = await thread.run(write(COMPLETE_ENVELOPE));
  expect(reply).toMatchObject({ kind: "result", result: { outcome: "verified", totals: { passed: 7, skipped: 1 } } });
  expect(await thread.run({ kind: "view", id: "a", mounts: [] })).toMatchObject({
    kind: "view",
    view: { holds: true },
  });
  expect(await thread.run({ kind: "view", id: "b", mounts: [] })).toEqual({ kind: "nothing" });
});

test("a job that takes too long is ended, and the next one gets a new thread", async () => {
  await thread.close();
  // Starting a thread takes longer than this.
  thread = open(1);
  expect(await thread.run(write(COMPLETE_ENVELOPE))).toMatchObject({
    kind: "problem",
    problem: { code: "rulespec.store", message: "an envelope took too long" },
  });
  await thread.close();
  thread = open();
  expect(await thread.run(write(COMPLETE_ENVELOPE))).toMatchObject({ kind: "result" });
});

test("a job that is a bug ends the thread, and no other job", async () => {
  const jobs = [thread.run(write(COMPLETE_ENVELOPE, "../a")), thread.run(write(COMPLETE_ENVELOPE))];
  const [broken, next] = await Promise.all(jobs);
  expect(broken).toMatchObject({ kind: "problem", problem: { code: "rulespec.store" } });
  expect(next).toMatchObject({ kind: "result", result: { outcome: "verified" } });
});

test("above the limit of waiting jobs, the next one is refused at once", async () => {
  const jobs = Array.from({ length: WAITING_LIMIT + 1 }, () => thread.run({ kind: "view", id: "a", mounts: [] }));
  // The first job is already running.
  expect(await thread.run({ kind: "view", id: "a", mounts: [] })).toEqual({ kind: "busy" });
  expect(new Set((await Promise.all(jobs)).map(({ kind }) => kind))).toEqual(new Set(["nothing"]));
});

test("waiting callers get an answer when the thread is closed", async () => {
  const jobs = [thread.run(write(COMPLETE_ENVELOPE)), thread.run(write(COMPLETE_ENVELOPE))];
  await thread.close();
  expect((await Promise.all(jobs)).map(({ kind }) => kind)).toEqual(["problem", "busy"]);
  expect(await thread.run(write(COMPLETE_ENVELOPE))).toEqual({ kind: "busy" });
});
