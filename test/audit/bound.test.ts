// The size limit of a context in a record: at the limit it is complete; above it, texts are cut, with their length and
// digest.
import { createHash } from "node:crypto";
import { describe, expect, test } from "bun:test";
import { boundObject, boundText, jsonBytes } from "../../src/audit/bound.ts";
import { CONTEXT_LIMIT_BYTES } from "../../src/audit/encode.ts";

const digest = (text: string) => createHash("sha256").update(text).digest("hex");
const room = (bytes: number) => ({ target: "x".repeat(bytes - jsonBytes({ target: "" })) });

test("boundObject: at the limit whole, one byte past it cut", () => {
  const fits = room(CONTEXT_LIMIT_BYTES);
  expect(boundObject(fits, CONTEXT_LIMIT_BYTES)).toBe(fits);
  const { target } = room(CONTEXT_LIMIT_BYTES + 1);
  expect(boundObject({ target }, CONTEXT_LIMIT_BYTES)).toEqual({
    target: `${"x".repeat(1_024)}<cut ${target.length} bytes sha256 ${digest(target)}>`,
  });
});

test("boundObject: bytes are counted, not characters", () => {
  const euros = { target: "\u20ac".repeat(1_365) };
  expect(jsonBytes(boundObject(euros, CONTEXT_LIMIT_BYTES))).toBeLessThanOrEqual(CONTEXT_LIMIT_BYTES);
  expect(boundObject(euros, CONTEXT_LIMIT_BYTES)).not.toEqual(euros);
});

test("boundObject: the rest of a long list, and of a long map, is one mark", () => {
  const argv = Array.from({ length: 1_000 }, (_, index) => `argument-${index}`);
  const headers = Object.fromEntries(argv.map((name) => [name, "<header 1 bytes>"]));
  const bound = boundObject({ run: { argv }, http: { headers } }, CONTEXT_LIMIT_BYTES);
  expect(jsonBytes(bound)).toBeLessThanOrEqual(CONTEXT_LIMIT_BYTES);
  expect(JSON.stringify(bound)).toContain("argument-0");
  expect(JSON.stringify(bound)).toMatch(/"<cut \d+ bytes sha256 [0-9a-f]{64}>"\]/);
  expect(JSON.stringify(bound)).toMatch(/"cut":"<cut \d+ bytes sha256 [0-9a-f]{64}>"/);
});

test("boundObject: everything too long at once still fits and keeps the names of its members", () => {
  const long = "y".repeat(4_000);
  const many = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`${index}${long}`, long]));
  const texts = Array.from({ length: 300 }, () => long);
  const bound = boundObject({
    action_type: long,
    target: long,
    network: { hostname: long, ip: long, port: 1, protocol: long },
    http: { method: long, path: long, host: long, headers: many, body_size: 1 },
    dns: { query: long, record_type: long },
    docker: { image: long, command: texts, volumes: texts, env_keys: texts, capabilities: texts },
    run: { tool: long, path: long, cwd: long, argv: texts, parsed: true, context: many },
    agent: { id: long, name: long, image: long, labels: many },
    envelope: { verified: true, outcome: long, age_seconds: 1, facts: many },
    metadata: many,
  }, CONTEXT_LIMIT_BYTES);
  expect(jsonBytes(bound)).toBeLessThanOrEqual(CONTEXT_LIMIT_BYTES);
  expect(bound).toMatchObject({ run: { parsed: true }, http: { body_size: 1 }, network: { port: 1 } });
});

test("boundObject: if the names of members do not fit, one mark replaces all of them", () => {
  const members = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`member-${index}`, true]));
  expect(boundObject(members, CONTEXT_LIMIT_BYTES)).toEqual({
    cut: expect.stringMatching(/^<cut \d+ bytes sha256 [0-9a-f]{64}>$/),
  });
});

describe("boundText", () => {
  test("whole at the limit, cut past it", () => {
    expect(boundText("abc", 3)).toBe("abc");
    expect(boundText("abcd", 3)).toBe(`abc<cut 4 bytes sha256 ${digest("abcd")}>`);
  });

  test("never cut between the halves of a surrogate pair", () =>
    expect(boundText("ab\u{1f600}c", 3)).toStartWith("ab<cut 7 bytes"));
});
