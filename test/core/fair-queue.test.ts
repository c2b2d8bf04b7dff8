// FairQueue on random histories. A history is a list of steps; each adds a task, ends a running one, or aborts a
// waiting one.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { FairQueue, type NotRun, type QueueLimits } from "../../src/core/fair-queue.ts";
import { err, ok } from "../../src/core/result.ts";
import { CASES } from "../support/cases.ts";

type State = "waiting" | "running" | "ended" | NotRun;

type Asked = {
  readonly key: string;
  readonly abort: AbortController;
  readonly end: () => void;
  /** How many tasks had started when this one was added. */
  readonly begunBefore: number;
  state: State;
};

/** A queue whose tasks end when the test says so. */
class Bench {
  readonly queue: FairQueue;
  readonly asked: Asked[] = [];
  /** The tasks in the order in which they started. */
  readonly begun: Asked[] = [];

  constructor(limits: QueueLimits) {
    this.queue = new FairQueue(limits);
  }

  ask(key: string): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    const abort = new AbortController();
    const asked: Asked = { key, abort, end: resolve, begunBefore: this.begun.length, state: "waiting" };
    this.asked.push(asked);
    const task = () => {
      this.begun.push(asked);
      asked.state = "running";
      return promise;
    };
    void this.queue.run(key, task, abort.signal).then((outcome) => {
      asked.state = outcome.ok ? "ended" : outcome.error;
    });
  }

  in(state: State, key?: string): readonly Asked[] {
    return this.asked.filter((each) => each.state === state && (key === undefined || each.key === key));
  }

  async endOne(): Promise<void> {
    this.in("running")[0]?.end();
    await settle();
  }

  async endAll(): Promise<void> {
    while (this.in("running").length > 0) await this.endOne();
  }
}

/** Lets all pending promises settle. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

describe("FairQueue", () => {
  test("returns the task's result, and passes on its exception", async () => {
    const queue = new FairQueue({ running: 1 });
    for (let round = 0; round < 3; round++) {
      await expect(queue.run("a", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
      expect(await queue.run("a", () => Promise.resolve(round))).toEqual(ok(round));
    }
    expect(queue.keys).toBe(0);
  });

  test("does not begin a task whose signal was aborted before", async () => {
    const queue = new FairQueue({});
    const never = () => Promise.reject(new Error("it began"));
    expect(await queue.run("a", never, AbortSignal.abort())).toEqual(err("aborted"));
    expect(queue.keys).toBe(0);
  });

  test("starts a task at once if there is room", () => {
    const bench = new Bench({ running: 2 });
    bench.ask("a");
    bench.ask("b");
    bench.ask("c");
    expect(bench.begun.map(({ key }) => key)).toEqual(["a", "b"]);
    expect([bench.queue.waiting(), bench.queue.waiting("c"), bench.queue.waiting("a")]).toEqual([1, 1, 0]);
  });

  test("keys take turns, and each keeps its order", async () => {
    const bench = new Bench({ running: 1 });
    for (const key of ["full", "a", "a", "a", "b", "c", "c"]) bench.ask(key);
    await bench.endAll();
    expect(bench.begun.map(({ key }) => key)).toEqual(["full", "a", "b", "c", "a", "c", "a"]);
  });

  test("a place that becomes free belongs to the task that waits, not to one that comes in between", async () => {
    const bench = new Bench({ runningPerKey: 1 });
    bench.ask("a");
    bench.ask("a");
    bench.in("running")[0]?.end();
    await Promise.resolve();
    bench.ask("a");
    await settle();
    expect(bench.begun).toEqual(bench.asked.slice(0, 2));
    await bench.endAll();
    expect(bench.begun).toEqual(bench.asked);
  });
});

type Step = { readonly kind: "ask" | "end" | "abort"; readonly pick: number };

const some = fc.integer({ min: 1, max: 4 });
const limit = fc.option(some, { nil: undefined });
const limitsOf = fc.record({ running: limit, runningPerKey: limit, waiting: limit, waitingPerKey: limit });
const steps = fc.array(
  fc.record<Step>({ kind: fc.constantFrom("ask", "ask", "ask", "end", "end", "abort"), pick: fc.nat(1_000) }),
  { maxLength: 60 },
);
const KEYS = ["a", "b", "c", "d"];

function present(limits: { readonly [Name in keyof QueueLimits]: number | undefined }): QueueLimits {
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));
}

describe("FairQueue over random histories", () => {
  type Holds = (bench: Bench, limits: Required<QueueLimits>, step: Step) => void;
  const property = (holds: Holds, someLimits: typeof limitsOf = limitsOf) =>
    fc.assert(
      fc.asyncProperty(someLimits, steps, async (some, history) => {
        const given = present(some);
        const unlimited = { running: Infinity, runningPerKey: Infinity, waiting: Infinity, waitingPerKey: Infinity };
        const limits = { ...unlimited, ...given };
        const bench = new Bench(given);
        for (const step of history) {
          const { kind, pick } = step;
          if (kind === "ask") bench.ask(KEYS[pick % KEYS.length] ?? "");
          else {
            const some = bench.in(kind === "end" ? "running" : "waiting");
            const chosen = some[pick % some.length];
            if (kind === "end") chosen?.end();
            else chosen?.abort.abort();
          }
          await settle();
          holds(bench, limits, step);
        }
        await bench.endAll();
        expect([bench.queue.keys, bench.queue.waiting()]).toEqual([0, 0]);
        expect(bench.in("waiting")).toEqual([]);
      }),
      { numRuns: CASES },
    );

  test("never more run or wait than the limits say", async () => {
    await property((bench, limits) => {
      expect(bench.in("running").length).toBeLessThanOrEqual(limits.running);
      expect(bench.in("waiting").length).toBeLessThanOrEqual(limits.waiting);
      expect(bench.queue.waiting()).toBe(bench.in("waiting").length);
      for (const key of KEYS) {
        expect(bench.in("running", key).length).toBeLessThanOrEqual(limits.runningPerKey);
        expect(bench.in("waiting", key).length).toBeLessThanOrEqual(limits.waitingPerKey);
      }
    });
  });

  test("no task waits that could run, and none is refused that could wait", async () => {
    let refused = 0;
    await property((bench, limits, { kind }) => {
      const hasRoom = (key: string) =>
        bench.in("running").length < limits.running && bench.in("running", key).length < limits.runningPerKey;
      for (const { key } of bench.in("waiting")) expect(hasRoom(key)).toBe(false);
      const last = bench.asked.at(-1);
      if (kind !== "ask" || last?.state !== "full") return;
      refused++;
      expect(hasRoom(last.key)).toBe(false);
      const isFull = bench.in("waiting").length >= limits.waiting ||
        bench.in("waiting", last.key).length >= limits.waitingPerKey;
      expect(isFull).toBe(true);
    });
    expect(refused).toBeGreaterThan(0);
  });

  test("the tasks of a key start in the order in which they were added", async () => {
    await property((bench) => {
      for (const key of KEYS) {
        const begun = bench.begun.filter((each) => each.key === key).map((each) => bench.asked.indexOf(each));
        expect(begun).toEqual(begun.toSorted((a, b) => a - b));
      }
    });
  });

  test("a key that waits with room for it begins before any other key begins a second waiting task", async () => {
    // Between two tasks of one key, every other key that could start a task has started one.
    const none = fc.constant(undefined);
    const fewAtOnce = fc.record({ running: some, runningPerKey: none, waiting: none, waitingPerKey: none });
    await property((bench) => {
      for (const key of new Set(bench.in("waiting").map((each) => each.key))) {
        const since = bench.begun.findLastIndex((each) => each.key === key) + 1;
        const [oldest] = bench.in("waiting", key);
        const later = bench.begun.slice(Math.max(since, oldest?.begunBefore ?? 0)).map((each) => each.key);
        expect(later.length).toBe(new Set(later).size);
      }
    }, fewAtOnce);
  });
});
