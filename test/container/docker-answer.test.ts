import { describe, expect, test } from "bun:test";
import {
  type DockerEvent,
  isOlder,
  parseContainer,
  parseEvent,
  parseImageLabels,
  parseVersion,
} from "../../src/container/docker-answer.ts";
import { FUZZ_SEED, fuzzTexts } from "../support/container/fuzz.ts";
import { inspected } from "../support/host/docker-fake.ts";

const ID = "a1".repeat(32);

describe("parseContainer", () => {
  test("takes what identity needs", () => {
    expect(parseContainer(inspected(ID))).toEqual({
      id: ID,
      name: "agent",
      running: true,
      pid: 1,
      image: "base:1",
      imageId: `sha256:${"f".repeat(64)}`,
      labels: { team: "a" },
      mounts: [],
    });
  });

  test("mounts: what they are of the host", () => {
    const Mounts = [
      { Type: "bind", Source: "/srv/work", Destination: "/work" },
      { Type: "volume", Name: "v", Source: "/var/lib/docker/volumes/v/_data", Destination: "/v" },
      { Type: "tmpfs", Source: "", Destination: "/tmp" },
      { Type: "tmpfs", Destination: "/t" },
    ];
    const mounts = ["/srv/work", "/var/lib/docker/volumes/v/_data"];
    expect(parseContainer(inspected(ID, { Mounts }))).toMatchObject({ mounts });
    expect(parseContainer(inspected(ID, { Mounts: null }))).toMatchObject({ mounts: [] });
  });

  const labels: readonly (readonly [note: string, value: unknown, labels: Record<string, string>])[] = [
    ["null", null, {}],
    ["absent", undefined, {}],
    ["a label named like a member of every object", { __proto__x: "1", constructor: "2" }, {
      __proto__x: "1",
      constructor: "2",
    }],
  ];
  test.each(labels)("labels: %s", (_note, value, expected) => {
    expect(parseContainer(inspected(ID, { Config: { Image: "x", Labels: value } }))?.labels).toEqual(expected);
  });

  const bad: readonly (readonly [note: string, body: unknown])[] = [
    ["null", null],
    ["a list", []],
    ["a text", "x"],
    ["no id", inspected(ID, { Id: undefined })],
    ["an id that is no text", inspected(ID, { Id: 7 })],
    ["no name", inspected(ID, { Name: null })],
    ["no image", inspected(ID, { Image: null })],
    ["no state", inspected(ID, { State: null })],
    ["running that is no boolean", inspected(ID, { State: { Running: "true", Pid: 1 } })],
    ["a pid that is no whole number", inspected(ID, { State: { Running: true, Pid: 1.5 } })],
    ["no configuration", inspected(ID, { Config: null })],
    ["a label that is no text", inspected(ID, { Config: { Image: "x", Labels: { a: 1 } } })],
    ["mounts that are no list", inspected(ID, { Mounts: {} })],
    ["a mount that is a text", inspected(ID, { Mounts: ["/srv"] })],
    ["labels that are a list", inspected(ID, { Config: { Image: "x", Labels: ["a"] } })],
  ];
  test.each(bad)("refuses %s", (_note, body) => expect(parseContainer(body)).toBeUndefined());
});

describe("parseImageLabels", () => {
  const cases: readonly (readonly [note: string, body: unknown, labels: Record<string, string> | undefined])[] = [
    ["labels", { Config: { Labels: { a: "b" } } }, { a: "b" }],
    ["no labels", { Config: { Labels: null } }, {}],
    ["no configuration, as newer engines have it", {}, {}],
    ["a configuration that is a text", { Config: "x" }, undefined],
    ["labels that are no texts", { Config: { Labels: { a: null } } }, undefined],
    ["null", null, undefined],
  ];
  test.each(cases)("%s", (_note, body, labels) => expect(parseImageLabels(body)).toEqual(labels));
});

describe("parseVersion", () => {
  test("takes the newest and the oldest", () => {
    expect(parseVersion({ ApiVersion: "1.43", MinAPIVersion: "1.12" })).toEqual({
      newest: { major: 1, minor: 43 },
      oldest: { major: 1, minor: 12 },
    });
  });
  const bad: readonly (readonly [note: string, body: unknown])[] = [
    ["nothing", null],
    ["no oldest", { ApiVersion: "1.43" }],
    ["a number", { ApiVersion: 1.43, MinAPIVersion: "1.12" }],
    ["a path", { ApiVersion: "1.43/../x", MinAPIVersion: "1.12" }],
  ];
  test.each(bad)("refuses %s", (_note, body) => expect(parseVersion(body)).toBeUndefined());
});

describe("parseEvent", () => {
  const cases: readonly (readonly [note: string, line: unknown, event: DockerEvent | undefined])[] = [
    ["an event", { Type: "container", Action: "die", Actor: { ID, Attributes: {} } }, { id: ID, action: "die" }],
    ["no actor", { Action: "die" }, undefined],
    ["no action", { Actor: { ID } }, undefined],
    ["a text", "die", undefined],
    ["null", null, undefined],
  ];
  test.each(cases)("%s", (_note, line, event) => expect(parseEvent(line)).toEqual(event));
});

describe("isOlder", () => {
  const cases: readonly (readonly [a: number, b: number, c: number, d: number, older: boolean])[] = [
    [1, 24, 1, 43, true],
    [1, 43, 1, 43, false],
    [1, 9, 1, 12, true],
    [2, 0, 1, 43, false],
    [1, 99, 2, 0, true],
  ];
  test.each(cases)("%d.%d against %d.%d", (major, minor, otherMajor, otherMinor, older) => {
    expect(isOlder({ major, minor }, { major: otherMajor, minor: otherMinor })).toBe(older);
  });
});

test(`answers of an engine give a value or nothing for any JSON (seed ${FUZZ_SEED})`, () => {
  const samples = [inspected(ID), { ApiVersion: "1.43", MinAPIVersion: "1.24" }, { Action: "die", Actor: { ID } }];
  fuzzTexts(samples.map((sample) => JSON.stringify(sample)), (text) => {
    const body = parseOrNull(text);
    for (const parse of [parseContainer, parseImageLabels, parseVersion, parseEvent]) {
      expect(["object", "undefined"]).toContain(typeof parse(body));
    }
  });
});

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
