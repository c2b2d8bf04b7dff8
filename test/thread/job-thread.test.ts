// A job thread with jobs that misbehave: each ends its own thread and affects no other job.
import { afterEach, expect, test } from "bun:test";
import { URL } from "node:url";
import { err, ok } from "../../src/core/result.ts";
import { JobThread, type JobThreadOptions } from "../../src/thread/job-thread.ts";

const PROGRAM = new URL("../support/thread/hostile-worker.ts", import.meta.url);
const MIB = 1024 * 1024;

const threads: JobThread<string, string>[] = [];
function open(options: Partial<JobThreadOptions> = {}): JobThread<string, string> {
  const thread = new JobThread<string, string>({ program: PROGRAM, task: null, limits: {}, jobMs: 60_000, ...options });
  threads.push(thread);
  return thread;
}
afterEach(async () => {
  await Promise.all(threads.splice(0).map((thread) => thread.close()));
});

test("A6: a job that takes too long ends its thread, and the next job has another", async () => {
  const thread = open({ jobMs: 200 });
  const jobs = [thread.run("a", "spin"), thread.run("a", "next")];
  expect(await Promise.all(jobs)).toEqual([err({ kind: "late" }), ok("next")]);
});

test("A6: a job that takes too much memory ends its thread, and the next job has another", async () => {
  let ended = 0;
  const thread = open({ growthBytes: 64 * MIB, onEnd: () => ended++ });
  const jobs = [thread.run("a", "grow"), thread.run("a", "next")];
  const [grown, next] = await Promise.all(jobs);
  // A runtime that limits the heap itself ends the thread without our check.
  expect(grown?.ok === false && ["large", "failed"].includes(grown.error.kind)).toBe(true);
  expect([next, ended]).toEqual([ok("next"), 1]);
});

test.each(["throw", "exit"])("a job that ends its thread by '%s' fails, and the next job has another", async (job) => {
  const thread = open();
  const [broken, next] = await Promise.all([thread.run("a", job), thread.run("b", "next")]);
  expect(broken).toEqual(err({ kind: "failed", reason: expect.any(String) }));
  expect(next).toEqual(ok("next"));
});

test("the start of a thread does not count as time of its first job", async () => {
  // Starting the thread takes longer than this, and the job takes less.
  const thread = open({ jobMs: 2_000, program: new URL("../support/thread/slow-start-worker.ts", import.meta.url) });
  expect(await thread.run("a", "x")).toEqual(ok("x"));
});

test("A6: a thread without work is ended, and its end is reported", async () => {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const thread = open({ idleMs: 10, onEnd: resolve });
  expect(thread.isRunning).toBe(false);
  expect(await thread.run("a", "x")).toEqual(ok("x"));
  expect(thread.isRunning).toBe(true);
  await ended;
  expect(thread.isRunning).toBe(false);
  expect(await thread.run("a", "y")).toEqual(ok("y"));
});

test("A6: a key with many jobs delays another by one job, and too many are refused at once", async () => {
  const thread = open({ limits: { waiting: 3, waitingPerKey: 2 } });
  const done: string[] = [];
  const ask = async (key: string, job: string) => {
    const reply = await thread.run(key, job);
    done.push(reply.ok ? reply.value : reply.error.kind);
  };
  await Promise.all([
    ...["a1", "a2", "a3", "a4"].map((job) => ask("a", job)),
    ask("b", "b1"),
    ask("c", "c1"),
  ]);
  expect(done).toEqual(["full", "full", "a1", "a2", "b1", "a3"]);
});

test("at the end the running job fails, and jobs that wait are not begun", async () => {
  const thread = open();
  const jobs = [thread.run("a", "spin"), thread.run("a", "x")];
  await thread.close();
  expect(await Promise.all([...jobs, thread.run("a", "y")])).toEqual([
    err({ kind: "failed", reason: "the daemon stops" }),
    err({ kind: "aborted" }),
    err({ kind: "aborted" }),
  ]);
});
