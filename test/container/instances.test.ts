import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { ChildProcess } from "node:child_process";
import { namelessContainer, shortIdOf } from "../../src/container/container.ts";
import type { Found } from "../../src/container/finder.ts";
import { earlierOf, FirstProcesses, processAt, REMEMBERED_FIRST_PROCESSES } from "../../src/container/first-process.ts";
import { Instances, INSTANCES_LIMIT } from "../../src/container/instances.ts";
import { end, startIdle } from "../support/container/peer.ts";

let lives: Instances;
let child: ChildProcess;

beforeEach(async () => {
  lives = new Instances();
  child = await startIdle();
});

afterEach(async () => {
  lives.close();
  await end(child);
});

function found(id: string, pid = process.pid): Found {
  const first = processAt(pid) ?? { pid, startTime: 1 };
  return { container: namelessContainer(id, shortIdOf(id), first, "cgroup"), first };
}

describe("Instances", () => {
  test("keeps as many as there may be, makes room of ended ones, and refuses one more", async () => {
    expect(lives.keep(found("child", child.pid))).toBe(true);
    for (let count = 1; count < INSTANCES_LIMIT; count++) expect(lives.keep(found(String(count)))).toBe(true);
    expect(lives.keep(found("more"))).toBe(false);
    expect(lives.keep(found("1"))).toBe(true);
    await end(child);
    expect(lives.keep(found("more"))).toBe(true);
    expect(lives.keep(found("even more"))).toBe(false);
    expect(lives.size).toBe(INSTANCES_LIMIT);
  });

  test("notices by itself that a container has ended", async () => {
    const gone = new Promise((resolve) => lives.onGone(resolve));
    const one = found("child", child.pid);
    lives.keep(one);
    await end(child);
    expect(await gone).toEqual(one.container);
    expect(lives.size).toBe(0);
  });

  test("sweeps one container and leaves others alone", async () => {
    lives.keep(found("child", child.pid));
    lives.keep(found("self"));
    await end(child);
    lives.sweep("self");
    expect(lives.size).toBe(2);
    lives.sweep("nobody");
    expect(lives.size).toBe(2);
    lives.sweep("child");
    expect(lives.size).toBe(1);
  });
});

describe("FirstProcesses", () => {
  test("recalls a process until it ends", async () => {
    const known = new FirstProcesses();
    const first = processAt(child.pid ?? 0) ?? { pid: 0, startTime: 0 };
    known.remember("a", first);
    expect(known.recall("a")).toEqual(first);
    expect(known.recall("b")).toBeUndefined();
    await end(child);
    expect(known.recall("a")).toBeUndefined();
  });

  test("remembers as many as it may, and forgets the oldest for one more", () => {
    const known = new FirstProcesses();
    const self = processAt(process.pid) ?? { pid: 0, startTime: 0 };
    for (let count = 0; count < REMEMBERED_FIRST_PROCESSES; count++) known.remember(String(count), self);
    expect(known.recall("0")).toEqual(self);
    known.remember("more", self);
    expect(known.recall("0")).toBeUndefined();
    expect(known.recall("1")).toEqual(self);
    expect(known.recall("more")).toEqual(self);
  });

  const early = { pid: 9, startTime: 1 };
  const late = { pid: 8, startTime: 2 };
  const cases:
    readonly (readonly [note: string, a: typeof early | undefined, b: typeof early, earlier: typeof early])[] = [
      ["the first", undefined, late, late],
      ["an earlier one after a later", late, early, early],
      ["a later one after an earlier", early, late, early],
      ["of the same tick the lower pid", { pid: 9, startTime: 2 }, late, late],
    ];
  test.each(cases)("earlierOf: %s", (_note, a, b, earlier) => expect(earlierOf(a, b)).toEqual(earlier));
});
