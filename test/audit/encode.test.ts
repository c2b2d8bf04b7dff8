// Entries -> rows: the members that every record has, whatever the entry contains; encoding never throws.
import { createHmac } from "node:crypto";
import { describe, expect, test } from "bun:test";
import { CONTEXT_LIMIT_BYTES, encodeEntry } from "../../src/audit/encode.ts";
import { canonicalJson } from "../../src/core/canonical-json.ts";
import { type Entry, isAudit, KINDS } from "../../src/audit/entry.ts";
import type { JsonObject } from "../../src/core/json.ts";
import { blockEntry, decisionEntry, eventEntry } from "../support/audit/audit-log.ts";
import { type Random, seededRandom } from "../support/random.ts";
import { CASES as ALL_CASES } from "../support/cases.ts";

/** Entries can be as large as a body, so this runs a tenth of the gate's cases. */
const CASES = Math.max(1_000, Math.ceil(ALL_CASES / 10));
const SEED = Number(process.env["OUTCALL_SEED"] ?? Date.now() % 1_000_000_000);
const KEY = { contexts: new Uint8Array(32).fill(1), records: new Uint8Array(32), marks: new Uint8Array(32).fill(2) };

test("a decision: its members, and the digest of the whole context under the key", () => {
  const context = { action_type: "tool_exec", target: "/bin/x", metadata: { b: "secret", a: 1 } };
  const entry = decisionEntry({
    context,
    durationMs: 1.23456,
    hooks: ["h"],
    errors: [{ rule: "r", file: "f", message: "m" }],
  });
  const { body, ...row } = encodeEntry(entry, KEY);
  expect(row).toEqual({
    at: entry.at.getTime(),
    kind: "decision",
    audit: false,
    container: entry.container.id,
    name: "web",
    decision: "allow",
    rule: "allow-git",
  });
  const text = '{"action_type":"tool_exec","metadata":{"a":1,"b":"secret"},"target":"/bin/x"}';
  expect(JSON.parse(body)).toEqual({
    source: "agent",
    file: "a.yaml",
    digest: entry.digest,
    reason: null,
    duration_ms: 1.235,
    hooks: ["h"],
    errors: [{ rule: "r", file: "f", message: "m" }],
    context: {
      action_type: "tool_exec",
      target: "/bin/x",
      metadata: { b: "<metadata 6 bytes>", a: "<metadata 1 bytes>" },
    },
    context_digest: createHmac("sha256", KEY.contexts).update(text).digest("hex"),
  });
});

test("an event: its reason and details, without secrets", () => {
  const detail = { path: "https://u:p@h/x?y", list: ["ghp_abcdefghij", { deep: "password=x" }], count: 3, none: null };
  const row = encodeEntry(eventEntry("refusal", { reason: "bad https://h/?x", detail }), KEY);
  expect(row).toMatchObject({ kind: "refusal", audit: false, decision: null, rule: null });
  expect(JSON.parse(row.body)).toEqual({
    source: "daemon",
    reason: "bad https://h/?<query 1 bytes>",
    detail: {
      path: "https://<user info 3 bytes>@h/x?<query 1 bytes>",
      list: ["<token 14 bytes>", { deep: "password=<argument 1 bytes>" }],
      count: 3,
      none: null,
    },
  });
});

test("isAudit: blocks, logged decisions, and every event but a refusal; no what-if", () => {
  expect(isAudit(blockEntry({ kind: "what-if" }))).toBe(false);
  expect(isAudit(decisionEntry({ kind: "what-if", logged: true }))).toBe(false);
  expect(isAudit(decisionEntry())).toBe(false);
  expect(isAudit(decisionEntry({ logged: true }))).toBe(true);
  expect(isAudit(blockEntry())).toBe(true);
  const events = KINDS.filter((kind) => kind !== "decision" && kind !== "what-if");
  expect(events.filter((kind) => !isAudit(eventEntry(kind)))).toEqual(["refusal"]);
});

test("lists and texts of a record are bounded", () => {
  const hooks = Array.from({ length: 21 }, (_, index) => `h${index}`);
  const errors = hooks.map((rule) => ({ rule, file: "f", message: "m".repeat(501) }));
  const row = encodeEntry(decisionEntry({ hooks, errors, reason: "r".repeat(501), rule: "x".repeat(500) }), KEY);
  const body = JSON.parse(row.body);
  expect(body.hooks).toHaveLength(20);
  expect(body.errors).toHaveLength(20);
  expect(body.errors[0].message).toStartWith(`${"m".repeat(500)}<cut 501 bytes sha256 `);
  expect(body.reason).toStartWith(`${"r".repeat(500)}<cut 501 bytes sha256 `);
  expect(row.rule).toBe("x".repeat(500));
});

describe("canonicalJson", () => {
  const cases: readonly (readonly [value: unknown, text: string])[] = [
    [{ b: 1, a: [{ d: null, c: "x" }] }, '{"a":[{"c":"x","d":null}],"b":1}'],
    [{ a: undefined, b: true }, '{"b":true}'],
    [[], "[]"],
    [{}, "{}"],
    ["\ud800", '"\\ud800"'],
    [{ "__proto__": 1 }, "{}"],
    [JSON.parse('{"__proto__": 1}'), '{"__proto__":1}'],
  ];
  for (const [value, text] of cases) test(text, () => expect(canonicalJson(value)).toBe(text));
});

const PIECES = [
  "",
  "a",
  "=",
  ":",
  " ",
  "\n",
  "\0",
  "'",
  '"',
  "\\",
  "\ud800",
  "\u{1f600}",
  "?",
  "@",
  "://",
  "-----BEGIN PRIVATE KEY",
  "--token",
  "password",
  "<",
  "é".repeat(300),
];

function text(random: Random): string {
  return Array.from({ length: random.below(8) }, () => random.pick(PIECES)).join("");
}

function json(random: Random, depth: number): JsonObject {
  const members = Array.from({ length: random.below(6) }, () => {
    const value = random.pick([
      () => text(random),
      () => random.below(9),
      () => null,
      () => depth > 0 ? json(random, depth - 1) : [text(random)],
    ])();
    return [text(random), value] as const;
  });
  return Object.fromEntries(members);
}

function entry(random: Random): Entry {
  const container = { id: random.below(2) === 0 ? null : text(random), name: text(random) };
  if (random.below(2) === 0) return eventEntry("misuse", { container, reason: text(random), detail: json(random, 4) });
  const texts = () => Array.from({ length: random.below(100) }, () => text(random));
  const map = () => Object.fromEntries(texts().map((name) => [name, text(random)]));
  return decisionEntry({
    container,
    source: random.pick(["agent", "host"]),
    rule: text(random),
    reason: text(random),
    hooks: texts(),
    errors: texts().map((message) => ({ rule: text(random), file: "f", message })),
    context: {
      action_type: random.pick(["tool_exec", "shell_exec", "network_call", text(random)]),
      target: text(random),
      metadata: json(random, 4),
      run: {
        tool: text(random),
        argv: texts(),
        flags: texts(),
        args: texts(),
        parsed: random.below(2) === 0,
        context: json(random, 4),
      },
      http: { path: text(random), headers: map() },
      docker: { command: texts(), env_keys: texts(), volumes: texts() },
      agent: { labels: map() },
      envelope: { facts: json(random, 4) },
    },
  });
}

test(`any entry is a row of bounded size that JSON gives back (seed ${SEED}, ${CASES} cases)`, () => {
  const random = seededRandom(SEED);
  for (let index = 0; index < CASES; index++) {
    const given = entry(random);
    const row = encodeEntry(given, KEY);
    const body = JSON.parse(row.body);
    const kept = JSON.stringify(given.kind === "decision" ? body.context : body.detail);
    if (Buffer.byteLength(kept) > CONTEXT_LIMIT_BYTES) throw new Error(`seed ${SEED}: ${kept}`);
    expect(row.body.length).toBeLessThan(64 * 1024);
    expect([row.container, row.name, row.rule].every((each) => each === null || each.isWellFormed())).toBe(true);
    expect(JSON.parse(JSON.stringify(row))).toEqual(row);
  }
}, 60_000 + 10 * CASES);
