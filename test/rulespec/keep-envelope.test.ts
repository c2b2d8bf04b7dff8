// Stored envelopes: only a verified one gets a stamp, and any change invalidates it.
import { describe, expect, test } from "bun:test";
import { Buffer } from "node:buffer";
import { createHmac } from "node:crypto";
import { canonicalJson } from "../../src/core/canonical-json.ts";
import { rulespecData } from "../../src/rulespec/describe-rulespec.ts";
import {
  formatStored,
  parseStored,
  type StoredEnvelope,
  type ToStore,
  toStore,
  whyUnverified,
} from "../../src/rulespec/keep-envelope.ts";
import { factsOf, rulespecOf } from "../support/rulespec/rulespec.ts";
import { COMPLETE_ENVELOPE, COMPLETE_RULESPEC } from "../support/rulespec/complete.ts";

const KEY = Buffer.alloc(32, 7);
const RULESPEC = rulespecOf(COMPLETE_RULESPEC);
const GIVEN: ToStore = {
  facts: factsOf(COMPLETE_ENVELOPE),
  outcome: "verified",
  totals: { passed: 7, failed: 0, skipped: 1, total: 8 },
  rulespec: RULESPEC,
  session: "abc:1",
  name: "web",
  at: new Date("2026-11-21T12:00:00Z"),
  key: KEY,
};

function readBack(text: string): StoredEnvelope {
  const stored = parseStored("envelope.yaml", text);
  if (!stored.ok) throw new Error(stored.error.message);
  return stored.value;
}

const TEXT = formatStored(toStore(GIVEN));

describe("toStore", () => {
  test("stamps by HMAC-SHA-256 over the canonical form of facts, rulespec, session and time", () => {
    const { verified } = toStore(GIVEN);
    const covered = canonicalJson({
      at: "2026-11-21T12:00:00.000Z",
      facts: GIVEN.facts,
      rulespec: rulespecData(RULESPEC),
      session: "abc:1",
    });
    expect(verified.stamp).toBe(`hmac-sha256:${createHmac("sha256", KEY).update(covered).digest("hex")}`);
  });

  const unstamped: readonly { readonly note: string; readonly change: Partial<ToStore> }[] = [
    { note: "a failure", change: { outcome: "failed" } },
    { note: "a vacuous outcome", change: { outcome: "vacuous" } },
    { note: "an outcome without a rulespec", change: { outcome: "unverified", rulespec: null } },
    { note: "anything without a key", change: { key: null } },
  ];
  for (const { note, change } of unstamped) {
    test(`does not stamp ${note}`, () => expect(toStore({ ...GIVEN, ...change }).verified.stamp).toBeNull());
  }
});

describe("whyUnverified", () => {
  test("nothing, of what was kept and read back", () => {
    expect(readBack(TEXT)).toEqual(toStore(GIVEN));
    expect(whyUnverified(readBack(TEXT), RULESPEC, KEY)).toBeNull();
  });

  test("nothing, when only comments, key order or the spelling of a number have changed", () => {
    const moved = readBack(`# by hand\n${TEXT.replace('    "breaking": false\n', '    "breaking": false # still\n')}`);
    expect(whyUnverified(moved, RULESPEC, KEY)).toBeNull();
    expect(
      whyUnverified(
        readBack(TEXT),
        rulespecOf(`# by hand\n${COMPLETE_RULESPEC.replace("value: 2", "value: 2.0")}`),
        KEY,
      ),
    ).toBeNull();
  });

  const broken: readonly { readonly note: string; readonly text: string; readonly says: string }[] = [
    {
      note: "a changed fact",
      text: TEXT.replace("src/import/csv.rs", "src/import/tsv.rs"),
      says: "the facts have changed",
    },
    {
      note: "a fact of another type",
      text: TEXT.replace('"breaking": false', '"breaking": "false"'),
      says: "the facts have changed",
    },
    {
      note: "a further fact",
      text: TEXT.replace('"facts":\n', '"facts":\n  "more": 1\n'),
      says: "the facts have changed",
    },
    { note: "another session", text: TEXT.replace("abc:1", "abc:2"), says: 'does not hold for session "abc:2"' },
    { note: "another time", text: TEXT.replace("12:00:00.000Z", "12:00:00.001Z"), says: "does not hold for session" },
    { note: "another stamp", text: TEXT.replace(/(hmac-sha256:.{63})./, "$1x"), says: "does not hold for session" },
    { note: "a shorter stamp", text: TEXT.replace(/(hmac-sha256:.{10}).*/, '$1"'), says: "does not hold for session" },
    { note: "no stamp", text: TEXT.replace(/"hmac-sha256:.*"/, "null"), says: "has no stamp" },
    {
      note: "a failure called verified",
      text: formatStored(toStore({ ...GIVEN, outcome: "failed" })).replace('"failed"', '"verified"'),
      says: "has no stamp",
    },
    { note: "a failure", text: formatStored(toStore({ ...GIVEN, outcome: "failed" })), says: "its outcome is failed" },
    {
      note: "a vacuous outcome",
      text: formatStored(toStore({ ...GIVEN, outcome: "vacuous" })),
      says: "its outcome is vacuous",
    },
  ];
  for (const { note, text, says } of broken) {
    test(`refuses ${note}`, () => {
      const found = whyUnverified(readBack(text), RULESPEC, KEY);
      expect(found?.code).toBe("rulespec.unverified");
      expect(found?.message).toContain(says);
    });
  }

  const rulespecs = [
    { note: "a value", text: COMPLETE_RULESPEC.replace("value: 2", "value: 1") },
    {
      note: "a selector",
      text: COMPLETE_RULESPEC.replace("selector: csv_importer.file", "selector: csv_importer.path"),
    },
    { note: "a predicate less", text: COMPLETE_RULESPEC.replace(/  # At least 2[^#]*/, "") },
    { note: "a note", text: COMPLETE_RULESPEC.replace("a migration guide capability", "anything") },
    { note: "a condition", text: COMPLETE_RULESPEC.replace("value: true", "value: false") },
    { note: "a source", text: COMPLETE_RULESPEC.replace("source: memory", "source: task_prompt") },
  ];
  for (const { note, text } of rulespecs) {
    test(`refuses after the rulespec has changed: ${note}`, () => {
      expect(text).not.toBe(COMPLETE_RULESPEC);
      expect(whyUnverified(readBack(TEXT), rulespecOf(text), KEY)?.message).toContain("the rulespec has changed");
    });
  }

  test("refuses under another key", () => {
    expect(whyUnverified(readBack(TEXT), RULESPEC, Buffer.alloc(32, 8))?.message).toContain(
      "does not hold for session",
    );
  });
});

describe("parseStored", () => {
  const cases = [
    { note: "an agent's envelope", text: COMPLETE_ENVELOPE, says: "was never verified" },
    {
      note: "an agent's word for it",
      text: `${COMPLETE_ENVELOPE}verified: true\n`,
      says: "was not written by outcall",
    },
    {
      note: "a forged member without a stamp",
      text: `${COMPLETE_ENVELOPE}verified: {outcome: verified}\n`,
      says: "was not written by outcall",
    },
    { note: "no envelope", text: "facts\n", says: "is not an envelope: an envelope must be a map" },
    { note: "broken YAML", text: "facts: {\n", says: "is not an envelope" },
  ];
  for (const { note, text, says } of cases) {
    test(`refuses ${note}`, () => {
      const stored = parseStored("envelope.yaml", text);
      expect(stored.ok ? "" : stored.error.message).toContain(says);
    });
  }
});

describe("canonicalJson", () => {
  test("sorts keys by code unit, at every depth", () => {
    expect(canonicalJson({ b: 1, a: { "\ud83d\ude00": 1, "\uff5e": 2, "": [{ z: null, y: true }] } }))
      .toBe('{"a":{"":[{"y":true,"z":null}],"\ud83d\ude00":1,"\uff5e":2},"b":1}');
  });

  test("keeps types, order of lists, and keys that objects have anyway", () => {
    expect(canonicalJson(JSON.parse('["1", 1, true, "true", {"__proto__": 1}]'))).toBe(
      '["1",1,true,"true",{"__proto__":1}]',
    );
  });
});
