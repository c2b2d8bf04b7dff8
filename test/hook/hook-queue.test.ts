import { describe, expect, test } from "bun:test";
import { err, ok, type Result } from "../../src/core/result.ts";
import { HookQueue, RUNNING_OVER_ALL, RUNNING_PER_ASKER, WAITING_PER_ASKER } from "../../src/hook/hook-queue.ts";

const NEVER = new AbortController().signal;

/** Tasks that end when the test says so. */
class Tasks {
  readonly queue = new HookQueue();
  readonly running: { readonly requester: string; readonly end: () => void }[] = [];
  readonly started: string[] = [];

  ask(requester: string, signal = NEVER): Promise<Result<string, string>> {
    return this.queue.run(requester, signal, () => {
      this.started.push(requester);
      return new Promise((resolve) => {
        const task = {
          requester,
          end: () => {
            this.running.splice(this.running.indexOf(task), 1);
            resolve(ok(requester));
          },
        };
        this.running.push(task);
      });
    });
  }

  /** Ends the running task that is first, of anyone or of one requester. */
  async endOne(requester?: string): Promise<void> {
    this.running.find((task) => requester === undefined || task.requester === requester)?.end();
    await settle();
  }

  count(requester: string): number {
    return this.running.filter((task) => task.requester === requester).length;
  }
}

/** Lets everything go on that can. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

const FULL = err("8 hooks are waiting for this container already");

test("HookQueue runs two hooks of one container, lets eight wait, and refuses the next", async () => {
  const tasks = new Tasks();
  const asked = Array.from({ length: RUNNING_PER_ASKER + WAITING_PER_ASKER }, () => tasks.ask("a"));
  await settle();
  expect(tasks.count("a")).toBe(2);
  expect(await tasks.ask("a")).toEqual(FULL);
  const other = tasks.ask("b");
  await settle();
  expect(tasks.count("b")).toBe(1);

  await tasks.endOne("a");
  expect(tasks.count("a")).toBe(2);
  const last = tasks.ask("a");
  expect(await tasks.ask("a")).toEqual(FULL);

  while (tasks.running.length > 0) {
    expect(tasks.count("a")).toBeLessThanOrEqual(2);
    await tasks.endOne();
  }
  const results = await Promise.all([...asked, last, other]);
  expect(results.map((result) => result.ok ? result.value : result.error)).toEqual([..."aaaaaaaaaaab"]);
  expect(tasks.queue.requesters).toBe(0);
});

test("HookQueue runs 32 hooks over all, and one more when one ends", async () => {
  const tasks = new Tasks();
  const requesters = Array.from({ length: RUNNING_OVER_ALL / 2 + 1 }, (_, index) => `c${index}`);
  const asked = requesters.flatMap((requester) => [tasks.ask(requester), tasks.ask(requester)]);
  await settle();
  expect(tasks.running).toHaveLength(RUNNING_OVER_ALL);
  expect(tasks.count("c16")).toBe(0);
  await tasks.endOne();
  expect(tasks.running).toHaveLength(RUNNING_OVER_ALL);
  expect(tasks.count("c16")).toBe(1);
  while (tasks.running.length > 0) await tasks.endOne();
  expect((await Promise.all(asked)).every((result) => result.ok)).toBe(true);
  expect(tasks.queue.requesters).toBe(0);
});

test("HookQueue takes the waiting in turn by container", async () => {
  const tasks = new Tasks();
  const full = Array.from({ length: RUNNING_OVER_ALL }, (_, index) => tasks.ask(`full${index}`));
  const waiting = ["a", "a", "a", "a", "b", "b", "c"].map((requester) => tasks.ask(requester));
  await settle();
  for (let ended = 0; ended < 7; ended++) await tasks.endOne(`full${ended}`);
  // The fourth of a would be the third at once, so it waits for one of its own to end.
  expect(tasks.started.slice(RUNNING_OVER_ALL)).toEqual(["a", "b", "c", "a", "b"]);
  await tasks.endOne("a");
  expect(tasks.started.slice(RUNNING_OVER_ALL)).toEqual(["a", "b", "c", "a", "b", "a"]);
  while (tasks.running.length > 0) await tasks.endOne();
  expect((await Promise.all([...full, ...waiting])).every((result) => result.ok)).toBe(true);
});

describe("HookQueue forgets what is given up", () => {
  test("while it waits", async () => {
    const tasks = new Tasks();
    const running = [tasks.ask("a"), tasks.ask("a")];
    const giveUps = Array.from({ length: WAITING_PER_ASKER }, () => new AbortController());
    const waiting = giveUps.map(({ signal }) => tasks.ask("a", signal));
    expect(await tasks.ask("a")).toEqual(FULL);
    giveUps[3]?.abort();
    expect(await waiting[3]).toEqual(err("the evaluation was given up before its turn"));
    const late = tasks.ask("a");
    expect(await tasks.ask("a")).toEqual(FULL);
    for (const giveUp of giveUps) giveUp.abort();
    expect(await waiting[0]).toEqual(err("the evaluation was given up before its turn"));
    await tasks.endOne();
    await tasks.endOne();
    await tasks.endOne();
    expect(await Promise.all([...running, late])).toEqual([ok("a"), ok("a"), ok("a")]);
    expect(tasks.started).toHaveLength(3);
    expect(tasks.queue.requesters).toBe(0);
  });

  test("before it comes", async () => {
    const tasks = new Tasks();
    expect(await tasks.ask("a", AbortSignal.abort())).toEqual(err("the evaluation was given up"));
    expect(tasks.started).toEqual([]);
    expect(tasks.queue.requesters).toBe(0);
  });

  test("but not a slot whose task failed or threw", async () => {
    const queue = new HookQueue();
    for (let round = 0; round < 2 * RUNNING_PER_ASKER; round++) {
      expect(await queue.run("a", NEVER, () => Promise.resolve(err("failed")))).toEqual(err("failed"));
      expect(queue.run("a", NEVER, () => Promise.reject(new Error("bug")))).rejects.toThrow("bug");
      await settle();
    }
    expect(queue.requesters).toBe(0);
  });
});
