// The id by which an agent refers to the record of its denial: opaque, and the operator can find the record by it.
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { findRecordNumber, isRecordId, recordId } from "../../src/audit/record-id.ts";
import { blockEntry, decisionEntry, StateDir, TestAppender } from "../support/audit/audit-log.ts";

const KEY = new Uint8Array(32).fill(7);

async function stateOf(count: number, key: Uint8Array | null = KEY): Promise<StateDir> {
  const state = new StateDir();
  if (key !== null) writeFileSync(join(state.dir, "rule-id.key"), key, { mode: 0o600 });
  const log = await TestAppender.open(state);
  await log.append(...Array.from({ length: count }, (_, index) => index % 2 === 0 ? blockEntry() : decisionEntry()));
  log.close();
  return state;
}

test("recordId has the form of an id, says nothing of the number, and depends on the key", () => {
  const ids = [1, 2, 3, 10].map((seq) => recordId(KEY, seq));
  expect(ids.every(isRecordId)).toBe(true);
  expect(new Set([...ids, recordId(new Uint8Array(32), 1)]).size).toBe(5);
  expect(recordId(KEY, 1)).toBe(recordId(KEY, 1));
});

test("findRecordNumber finds each denial, and nothing else", async () => {
  using state = await stateOf(9);
  for (const seq of [1, 3, 9]) {
    expect(findRecordNumber(state.dir, recordId(KEY, seq))).toEqual({ ok: true, value: seq });
  }
  for (const id of [recordId(KEY, 2), recordId(KEY, 10), "rec-0123456789ab", "rec-1", "1", ""]) {
    expect(findRecordNumber(state.dir, id)).toEqual({ ok: true, value: null });
  }
});

test("findRecordNumber reports a missing key or log", async () => {
  using keyless = await stateOf(1, null);
  expect(findRecordNumber(keyless.dir, recordId(KEY, 1))).toMatchObject({
    error: { code: "audit.store", message: expect.stringContaining('rule-id.key" is missing') },
  });
  using short = await stateOf(1, new Uint8Array(31));
  expect(findRecordNumber(short.dir, recordId(KEY, 1))).toMatchObject({ error: { code: "audit.store" } });
  using empty = new StateDir();
  writeFileSync(join(empty.dir, "rule-id.key"), KEY, { mode: 0o600 });
  expect(findRecordNumber(empty.dir, recordId(KEY, 1))).toMatchObject({ error: { code: "audit.broken" } });
});
