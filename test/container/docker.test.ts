import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { ChildProcess } from "node:child_process";
import type { Labels } from "../../src/container/container.ts";
import { dockerFinder, ownLabelsOf } from "../../src/container/docker.ts";
import type { ContainerFinder } from "../../src/container/finder.ts";
import { CHECKIN_REJECTED } from "../../src/peer/rejection.ts";
import { end, startIdle } from "../support/container/peer.ts";
import { FakeEngine, inspected } from "../support/host/docker-fake.ts";

const ID = "a1".repeat(32);
const OTHER = "b2".repeat(32);
const EVIDENCE = `0::/docker/${ID}\n`;
const CONTAINER = `/v1.43/containers/${ID}/json`;

let engine: FakeEngine;
let finder: ContainerFinder;
let child: ChildProcess;

beforeEach(async () => {
  engine = await FakeEngine.start();
  const opened = engine.streamOpened();
  finder = dockerFinder(engine.socketPath);
  await opened;
  child = await startIdle();
});

afterEach(async () => {
  finder.close();
  await end(child);
  await engine.close();
});

describe("find", () => {
  const running = (more: object) => inspected(ID, { State: { Running: true, Pid: child.pid, ...more } });
  const cases: readonly (readonly [note: string, evidence: string, answer: () => unknown, detail: string])[] = [
    ["evidence that is no list of cgroups", "x\n", () => null, 'malformed cgroup: "x"'],
    ["no id", "0::/\n", () => null, "no cgroup names a container"],
    ["two ids", `1:cpu:/docker/${OTHER}\n${EVIDENCE}`, () => null, "cgroups name different containers"],
    ["an id that the engine does not know", `0::/docker/${OTHER}\n`, () => null, "engine has no such container"],
    ["a container of another id", EVIDENCE, () => inspected(OTHER), "engine has no such container"],
    ["a container that does not run", EVIDENCE, () => running({ Running: false }), "container does not run"],
    ["a container without a first process", EVIDENCE, () => running({ Pid: 0 }), "container does not run"],
    ["a container with an impossible one", EVIDENCE, () => running({ Pid: -1 }), "container does not run"],
    ["a first process that is elsewhere", EVIDENCE, () => running({}), "process is not in the container's cgroup"],
  ];
  test.each(cases)("refuses %s", async (_note, evidence, answer, detail) => {
    engine.answers.set(CONTAINER, { json: answer() });
    const found = await finder.find(7, evidence, new AbortController().signal);
    expect(found).toMatchObject({
      ok: false,
      error: { code: "container.unknown", message: CHECKIN_REJECTED, cause: { pid: 7, detail } },
    });
  });

  test("refuses a first process that has ended", async () => {
    await end(child);
    engine.answers.set(CONTAINER, { json: running({}) });
    const found = await finder.find(7, EVIDENCE, new AbortController().signal);
    expect(found).toMatchObject({
      ok: false,
      error: { cause: { detail: "first process of the container has ended" } },
    });
  });

  test("is not available when the engine does not answer", async () => {
    engine.answers.set(CONTAINER, "reset");
    const found = await finder.find(7, EVIDENCE, new AbortController().signal);
    expect(found).toMatchObject({ ok: false, error: { code: "container.unavailable" } });
  });
});

describe("events", () => {
  test("a change is told by the container's id", async () => {
    await reaches(() => finder.isCurrent());
    const told = nextChange();
    engine.emit(`${JSON.stringify({ Action: "die", Actor: { ID } })}\n`);
    expect(await told).toBe(ID);
  });

  test("nothing is current while the stream is closed, and everything changes when it opens again", async () => {
    await reaches(() => finder.isCurrent());
    expect(finder.status()).toEqual({ ready: true, detail: "engine answers" });
    const closed = nextChange();
    await engine.stop();
    expect(await closed).toBeNull();
    expect(finder.isCurrent()).toBe(false);
    expect(finder.status().ready).toBe(false);
    expect(finder.status().detail).not.toBe("engine answers");
    const opened = nextChange();
    await engine.listen();
    expect(await opened).toBeNull();
    expect(finder.isCurrent()).toBe(true);
  });

  test("a stream that cannot be understood is opened again", async () => {
    await reaches(() => finder.isCurrent());
    const again = engine.streamOpened();
    engine.emit("x\n");
    await again;
    await reaches(() => finder.isCurrent());
    expect(finder.isCurrent()).toBe(true);
  });

  test("the version is negotiated again, because the engine may be another", async () => {
    await reaches(() => finder.isCurrent());
    engine.answers.set("/version", { json: { ApiVersion: "1.50", MinAPIVersion: "1.44" } });
    const again = engine.streamOpened();
    engine.endStreams();
    await again;
    expect(engine.asked.at(-1)).toStartWith("/v1.50/events");
  });

  test("closing ends the stream", async () => {
    await reaches(() => finder.isCurrent());
    finder.close();
    expect(finder.isCurrent()).toBe(false);
    expect(finder.status()).toEqual({ ready: false, detail: "closed" });
  });
});

describe("ownLabelsOf", () => {
  const cases: readonly (readonly [note: string, image: Record<string, string> | undefined, own: Labels])[] = [
    ["an image without labels", {}, { a: "1", b: "2" }],
    ["the same value", { a: "1" }, { b: "2" }],
    ["another value", { a: "9" }, { a: "1", b: "2" }],
    ["an image that is gone", undefined, {}],
  ];
  test.each(cases)("%s", (_note, image, own) => expect(ownLabelsOf({ a: "1", b: "2" }, image)).toEqual(own));
});

function nextChange(): Promise<string | null> {
  return new Promise((resolve) => finder.onChange(resolve));
}

async function reaches(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise(setImmediate);
}
