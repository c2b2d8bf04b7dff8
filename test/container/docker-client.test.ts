import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Labels } from "../../src/container/container.ts";
import { DockerClient } from "../../src/container/docker-client.ts";
import { DOCKER_ANSWER_BYTES, DOCKER_EVENT_BYTES } from "../../src/container/docker-http.ts";
import { LOOKUP_UNAVAILABLE, unavailableDetail } from "../../src/container/unavailable.ts";
import type { Problem } from "../../src/core/problem.ts";
import type { Result } from "../../src/core/result.ts";
import { type FakeAnswer, FakeEngine, inspected } from "../support/host/docker-fake.ts";

const ID = "a1".repeat(32);
const PATH = `/v1.43/containers/${ID}/json`;

let engine: FakeEngine;
let client: DockerClient;
let signal: AbortSignal;
let controller: AbortController;

beforeEach(async () => {
  engine = await FakeEngine.start();
  client = new DockerClient(engine.socketPath);
  controller = new AbortController();
  signal = controller.signal;
});

afterEach(async () => {
  controller.abort();
  await engine.close();
});

describe("negotiate", () => {
  const cases: readonly (readonly [note: string, newest: string, oldest: string, spoken: string | undefined])[] = [
    ["an engine older than this program", "1.41", "1.12", "v1.41"],
    ["an engine newer than this program", "1.99", "1.44", "v1.51"],
    ["the oldest that will do", "1.24", "1.12", "v1.24"],
    ["an engine that is too old", "1.23", "1.12", undefined],
    ["an engine that is too new", "2.1", "2.0", undefined],
  ];
  test.each(cases)("%s", async (_note, newest, oldest, spoken) => {
    engine.answers.set("/version", { json: { ApiVersion: newest, MinAPIVersion: oldest } });
    const version = await client.negotiate(signal);
    expect(version.ok ? version.value : undefined).toBe(spoken);
  });

  test("asks once for many questions", async () => {
    await client.inspectContainer(ID, signal);
    await client.inspectContainer(ID, signal);
    expect(engine.asked).toEqual(["/version", PATH, PATH]);
  });
});

describe("inspectContainer", () => {
  test("gives the container", async () => {
    engine.answers.set(PATH, { json: inspected(ID) });
    const container = await client.inspectContainer(ID, signal);
    expect(container.ok && container.value?.id).toBe(ID);
  });

  test("gives nothing for an unknown container", async () => {
    expect(await client.inspectContainer(ID, signal)).toEqual({ ok: true, value: undefined });
  });

  test("does not let an id leave its place in the path", async () => {
    await client.inspectContainer("../../x?y", signal);
    expect(engine.asked.at(-1)).toBe("/v1.43/containers/..%2F..%2Fx%3Fy/json");
  });

  const whole = inspected(ID);
  const room = DOCKER_ANSWER_BYTES - JSON.stringify({ ...whole, Padding: "" }).length;
  const failing: readonly (readonly [note: string, answer: FakeAnswer])[] = [
    ["an error of the engine", { status: 500, json: { message: "x" } }],
    ["a redirection", { status: 301, json: inspected(ID) }],
    ["no JSON", { raw: "<html>" }],
    ["an empty answer", { raw: "" }],
    ["another shape", { json: { Id: ID } }],
    ["an answer one byte too long", { json: { ...whole, Padding: "x".repeat(room + 1) } }],
    ["a reset connection", "reset"],
  ];
  test.each(failing)("refuses %s, in words that tell nothing of the host", async (_note, answer) => {
    engine.answers.set(PATH, answer);
    const container = await client.inspectContainer(ID, signal);
    expect(container).toMatchObject({
      ok: false,
      error: { code: "container.unavailable", message: LOOKUP_UNAVAILABLE },
    });
  });

  test("takes an answer of the greatest length", async () => {
    engine.answers.set(PATH, { json: { ...whole, Padding: "x".repeat(room) } });
    expect((await client.inspectContainer(ID, signal)).ok).toBe(true);
  });

  test("gives up an engine that never answers", async () => {
    engine.answers.set(PATH, "silence");
    const asking = client.inspectContainer(ID, signal);
    while (!engine.asked.includes(PATH)) await new Promise(setImmediate);
    controller.abort();
    expect(await asking).toMatchObject({ ok: false, error: { code: "container.unavailable" } });
  });

  test("names the socket that does not answer, to the operator only", async () => {
    await engine.stop();
    const container = await client.inspectContainer(ID, signal);
    expect(!container.ok && container.error.message).toBe(LOOKUP_UNAVAILABLE);
    expect(!container.ok && unavailableDetail(container.error)).toContain("engine does not answer");
  });
});

describe("inspectImage", () => {
  const path = "/v1.43/images/sha256%3Aff/json";
  const cases: readonly (readonly [note: string, answer: FakeAnswer, labels: Result<Labels | undefined, Problem>])[] = [
    ["labels", { json: { Config: { Labels: { a: "b" } } } }, { ok: true, value: { a: "b" } }],
    ["an image that is gone", { status: 404, json: {} }, { ok: true, value: undefined }],
  ];
  test.each(cases)("%s", async (_note, answer, labels) => {
    engine.answers.set(path, answer);
    expect(await client.inspectImage("sha256:ff", signal)).toEqual(labels);
  });
});

describe("watchEvents", () => {
  const line = JSON.stringify({ Action: "die", Actor: { ID } });
  const room = DOCKER_EVENT_BYTES - line.length - '"padding":"",'.length;
  const padded = (more: number) => line.replace("{", `{"padding":"${"x".repeat(room + more)}",`);

  async function watch(text: readonly string[]): Promise<{ events: number; opened: number; detail: string }> {
    let events = 0;
    let opened = 0;
    const streaming = engine.streamOpened();
    const ended = client.watchEvents({ onOpen: () => opened++, onEvent: () => events++ }, signal);
    await streaming;
    for (const part of text) engine.emit(part);
    engine.endStreams();
    return { detail: unavailableDetail(await ended), events, opened };
  }

  const cases: readonly (readonly [note: string, text: readonly string[], events: number, detail: string])[] = [
    ["two events", [`${line}\n${line}\n`], 2, "event stream ended"],
    ["an event in two parts", [line.slice(0, 9), `${line.slice(9)}\n`], 1, "event stream ended"],
    ["an event of the greatest length", [`${padded(0)}\n`], 1, "event stream ended"],
    ["an event one byte too long", [padded(1)], 0, "engine's answer is not acceptable"],
    ["a line that is no event", [`${line}\n`, "x\n", `${line}\n`], 1, "engine's answer is not acceptable"],
    ["a break within an event", [line], 0, "event stream ended"],
  ];
  test.each(cases)("%s", async (_note, text, events, detail) => {
    expect(await watch(text)).toEqual({ events, opened: 1, detail });
  });

  test("asks for containers' events alone", async () => {
    await watch([]);
    expect(engine.asked.at(-1)).toBe(`/v1.43/events?filters=${encodeURIComponent('{"type":["container"]}')}`);
  });

  test("does not begin when the engine refuses", async () => {
    engine.answers.set("/v1.43/events", { status: 500, json: {} });
    let opened = 0;
    const problem = await client.watchEvents({ onOpen: () => opened++, onEvent: () => opened++ }, signal);
    expect(unavailableDetail(problem)).toContain("status 500");
    expect(opened).toBe(0);
  });
});
