import { afterEach, describe, expect, test } from "bun:test";
import type { ChildProcess } from "node:child_process";
import { type Container, namelessContainer, shortIdOf } from "../../src/container/container.ts";
import type { ChangeListener, ContainerFinder, Found } from "../../src/container/finder.ts";
import { processAt } from "../../src/container/first-process.ts";
import { guardFinder, LOOKUP_LIMITS } from "../../src/container/guard.ts";
import type { ContainerSource } from "../../src/container/source.ts";
import { LOOKUP_UNAVAILABLE } from "../../src/container/unavailable.ts";
import { type Problem, problem } from "../../src/core/problem.ts";
import { err, ok, type Result } from "../../src/core/result.ts";
import type { Peer } from "../../src/peer/peer.ts";
import { CHECKIN_REJECTED, rejectPeer } from "../../src/peer/rejection.ts";
import { end, peerOf, startIdle } from "../support/container/peer.ts";

const ID = "a1".repeat(32);
const REFUSED = { ok: false, error: { code: "container.unknown", message: CHECKIN_REJECTED } };
const UNAVAILABLE = { ok: false, error: { code: "container.unavailable", message: LOOKUP_UNAVAILABLE } };

// A finder that a test can change in every part, and that counts its calls.
class FakeFinder implements ContainerFinder {
  readonly kind = "docker";
  evidence: Result<string, Problem> = ok("here");
  current = true;
  found: (pid: number, signal: AbortSignal) => Promise<Result<Found, Problem>>;
  finds = 0;
  closed = false;
  #listener: ChangeListener = () => undefined;

  constructor(first: ChildProcess) {
    this.found = () => Promise.resolve(ok(foundOf(first)));
  }

  readonly readEvidence = () => this.evidence;
  readonly find = (pid: number, _evidence: string, signal: AbortSignal) => {
    this.finds++;
    return this.found(pid, signal);
  };
  readonly isCurrent = () => this.current;
  readonly onChange = (listener: ChangeListener) => {
    this.#listener = listener;
  };
  readonly status = () => ({ ready: true, detail: "" });
  readonly close = () => {
    this.closed = true;
  };

  change(id: string | null): void {
    this.#listener(id);
  }
}

const children: ChildProcess[] = [];
const sources: ContainerSource[] = [];

async function idle(): Promise<ChildProcess> {
  const child = await startIdle();
  children.push(child);
  return child;
}

function foundOf(first: ChildProcess, id = ID): Found {
  const process = processAt(first.pid ?? 0) ?? { pid: first.pid ?? 0, startTime: 1 };
  return { container: namelessContainer(id, shortIdOf(id), process, "docker"), first: process };
}

async function setUp(
  timeoutMs?: number,
): Promise<{ finder: FakeFinder; source: ContainerSource; peer: Peer; child: ChildProcess; first: ChildProcess }> {
  const first = await idle();
  const child = await idle();
  const finder = new FakeFinder(first);
  const source = guardFinder(finder, timeoutMs);
  sources.push(source);
  return { finder, source, peer: peerOf(child), child, first };
}

afterEach(async () => {
  for (const source of sources.splice(0)) source.close();
  for (const child of children.splice(0)) await end(child);
});

describe("identify: order", () => {
  test("gives the container", async () => {
    const { source, peer } = await setUp();
    expect(await source.identify(peer)).toMatchObject({ ok: true, value: { id: ID } });
    expect(source.status()).toEqual({ kind: "docker", ready: true, detail: "", containers: 1 });
  });

  test("does not look up a process that has ended", async () => {
    const { finder, source, peer, child } = await setUp();
    await end(child);
    expect(await source.identify(peer)).toMatchObject(REFUSED);
    expect(finder.finds).toBe(0);
  });

  test("refuses a process that ends during the look-up", async () => {
    const { finder, source, peer, child, first } = await setUp();
    finder.found = async () => {
      await end(child);
      return ok(foundOf(first));
    };
    expect(await source.identify(peer)).toMatchObject(REFUSED);
    expect(source.status().containers).toBe(0);
  });

  test("refuses a container that ends during the look-up", async () => {
    const { finder, source, peer, first } = await setUp();
    finder.found = async () => {
      const found = foundOf(first);
      await end(first);
      return ok(found);
    };
    expect(await source.identify(peer)).toMatchObject(REFUSED);
  });

  test("refuses a process that the kernel says nothing of, in words that tell nothing of the host", async () => {
    const { finder, source, peer } = await setUp();
    finder.evidence = err(problem("peer.unidentified", "cannot read /proc/1/cgroup"));
    expect(await source.identify(peer)).toMatchObject(REFUSED);
    expect(finder.finds).toBe(0);
  });

  test("passes on the finder's refusal", async () => {
    const { finder, source, peer } = await setUp();
    finder.found = (pid) => Promise.resolve(err(rejectPeer(pid, "x")));
    expect(await source.identify(peer)).toMatchObject(REFUSED);
  });
});

describe("identify: what is remembered", () => {
  test("the same process is looked up once", async () => {
    const { finder, source, peer } = await setUp();
    const answers = [await source.identify(peer), await source.identify(peer)];
    expect(answers[0]).toEqual(answers[1]);
    expect(finder.finds).toBe(1);
  });

  test("connections of one process at the same time share what the first of them found", async () => {
    const { finder, source, peer, first } = await setUp();
    const gates: (() => void)[] = [];
    finder.found = () => new Promise((resolve) => gates.push(() => resolve(ok(foundOf(first)))));
    const asked = Array.from({ length: LOOKUP_LIMITS.runningPerKey + 5 }, () => source.identify(peer));
    await reaches(() => gates.length, LOOKUP_LIMITS.runningPerKey);
    for (const open of gates) open();
    for (const answer of await Promise.all(asked)) expect(answer.ok).toBe(true);
    expect(finder.finds).toBe(LOOKUP_LIMITS.runningPerKey);
  });

  const changes: readonly (readonly [note: string, change: (finder: FakeFinder) => void, finds: number])[] = [
    ["other evidence of the process", (finder) => finder.evidence = ok("there"), 2],
    ["a change of its container", (finder) => finder.change(ID), 2],
    ["a change of everything", (finder) => finder.change(null), 2],
    ["changes that cannot be told", (finder) => finder.current = false, 2],
    ["a change of another container", (finder) => finder.change("b".repeat(64)), 1],
  ];
  test.each(changes)("%s", async (_note, change, finds) => {
    const { finder, source, peer } = await setUp();
    await source.identify(peer);
    change(finder);
    expect((await source.identify(peer)).ok).toBe(true);
    expect(finder.finds).toBe(finds);
  });

  test("a look-up during which something changed is not remembered", async () => {
    const { finder, source, peer, first } = await setUp();
    finder.found = () => {
      finder.change(ID);
      return Promise.resolve(ok(foundOf(first)));
    };
    await source.identify(peer);
    await source.identify(peer);
    expect(finder.finds).toBe(2);
  });

  test("nothing is remembered while changes cannot be told", async () => {
    const { finder, source, peer } = await setUp();
    finder.current = false;
    await source.identify(peer);
    finder.current = true;
    await source.identify(peer);
    expect(finder.finds).toBe(2);
  });

  test("a remembered process is refused once it has ended", async () => {
    const { source, peer, child } = await setUp();
    await source.identify(peer);
    await end(child);
    expect(await source.identify(peer)).toMatchObject(REFUSED);
  });

  test("a remembered process is refused after its container's first process has ended, which is reported once", async () => {
    const { source, peer, first } = await setUp();
    const gone: Container[] = [];
    source.onGone((container) => gone.push(container));
    await source.identify(peer);
    await end(first);
    expect(await source.identify(peer)).toMatchObject(REFUSED);
    expect(gone.map(({ id }) => id)).toEqual([ID]);
    expect(source.status().containers).toBe(0);
  });
});

describe("identify: limits", () => {
  test("gives up a look-up that takes too long, even of a finder that ignores it", async () => {
    const { finder, source, peer } = await setUp(1);
    finder.found = () => new Promise(() => undefined);
    expect(await source.identify(peer)).toMatchObject(UNAVAILABLE);
  });

  test("gives up when the caller does", async () => {
    const { finder, source, peer } = await setUp();
    const caller = new AbortController();
    finder.found = () => {
      caller.abort();
      return new Promise(() => undefined);
    };
    expect(await source.identify(peer, caller.signal)).toMatchObject(UNAVAILABLE);
    expect(await source.identify(peer, caller.signal)).toMatchObject(UNAVAILABLE);
    expect(finder.finds).toBe(1);
  });

  test("takes as many look-ups of one place as may wait, and refuses one more", async () => {
    const { finder, source, peer, first } = await setUp();
    const gates: (() => void)[] = [];
    finder.current = false;
    finder.found = () => new Promise((resolve) => gates.push(() => resolve(ok(foundOf(first)))));
    const asked = Array.from(
      { length: LOOKUP_LIMITS.runningPerKey + LOOKUP_LIMITS.waitingPerKey },
      () => source.identify(peer),
    );
    expect(await source.identify(peer)).toMatchObject(UNAVAILABLE);
    expect(finder.finds).toBe(LOOKUP_LIMITS.runningPerKey);
    finder.found = () => Promise.resolve(ok(foundOf(first)));
    for (const open of gates) open();
    for (const answer of await Promise.all(asked)) expect(answer.ok).toBe(true);
  });

  test("identifies no peer once it is closed", async () => {
    const { finder, source, peer, first } = await setUp();
    finder.found = () => {
      source.close();
      return Promise.resolve(ok(foundOf(first)));
    };
    expect(await source.identify(peer)).toMatchObject(UNAVAILABLE);
    expect(await source.identify(peer)).toMatchObject(UNAVAILABLE);
    expect(finder.closed).toBe(true);
  });
});

describe("onGone", () => {
  test("tells of an older instance when a new one is found under the same id", async () => {
    const { finder, source, peer, first } = await setUp();
    const gone: Container[] = [];
    source.onGone((container) => gone.push(container));
    const before = foundOf(first);
    await source.identify(peer);
    const second = await idle();
    const after = foundOf(second);
    finder.found = () => Promise.resolve(ok({ ...after, container: { ...after.container, instance: `${ID}:other` } }));
    finder.change(ID);
    await source.identify(peer);
    expect(gone.map(({ instance }) => instance)).toEqual([before.container.instance]);
    expect(source.status().containers).toBe(1);
  });

  test("looks at a container at once when it changes", async () => {
    const { finder, source, peer, first } = await setUp();
    const gone: Container[] = [];
    source.onGone((container) => gone.push(container));
    await source.identify(peer);
    finder.change(ID);
    expect(gone).toEqual([]);
    await end(first);
    finder.change(ID);
    expect(gone.map(({ id }) => id)).toEqual([ID]);
  });

  test("does not call a listener that was removed", async () => {
    const { finder, source, peer, first } = await setUp();
    const gone: Container[] = [];
    source.onGone((container) => gone.push(container))();
    await source.identify(peer);
    await end(first);
    finder.change(null);
    expect(gone).toEqual([]);
  });
});

async function reaches(count: () => number, wanted: number): Promise<void> {
  while (count() < wanted) await new Promise(setImmediate);
}
