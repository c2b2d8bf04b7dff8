// Any change to the files of a log is detected, and verification never throws.
import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { verifyLog } from "../../src/audit/verify-log.ts";
import { blockEntry, decisionEntry, eventEntry, StateDir, TestAppender } from "../support/audit/audit-log.ts";
import { seededRandom } from "../support/random.ts";

const SEED = Number(process.env["OUTCALL_SEED"] ?? Date.now() % 1_000_000_000);
const original = new StateDir();

beforeAll(async () => {
  const old = new Date(Date.now() - 100_000);
  const log = await TestAppender.open(original, { keepMs: 50_000, maxBytes: 1e12 });
  for (let seq = 1; seq <= 8; seq++) await log.append(blockEntry(seq % 3 === 0 ? { at: old } : {}));
  await log.removeAll();
  for (let seq = 10; seq <= 20; seq++) await log.append(decisionEntry(), eventEntry("reload"));
  log.close();
});
afterAll(() => original[Symbol.dispose]());

test(`any member of any record that is anything else (seed ${SEED})`, () => {
  const random = seededRandom(SEED);
  const columns = ["at", "kind", "audit", "container", "name", "decision", "rule", "body", "previous", "hash"];
  const values = ["NULL", "0", "1", "'x'", "''", "-1", "1e300", "x'00'"];
  for (let round = 0; round < 60; round++) {
    using state = original.copy();
    const seq = random.pick(state.records()).seq;
    const change = `UPDATE OR IGNORE record SET ${random.pick(columns)} = ${random.pick(values)} WHERE seq = ${seq}`;
    const before = state.records();
    const done = attempt(() => state.change(change));
    const isSame = done && JSON.stringify(attemptRecords(state)) === JSON.stringify(before);
    const found = verifyLog(state.dir);
    expect({ SEED, change, whole: found.ok && found.value.whole }).toEqual({ SEED, change, whole: isSame || !done });
  }
});

test(`no byte of any file makes it throw (seed ${SEED})`, () => {
  const random = seededRandom(SEED);
  for (let round = 0; round < 150; round++) {
    using state = original.copy();
    const path = random.pick([state.paths.database, state.paths.database, state.paths.head, state.paths.key]);
    const bytes = readFileSync(path);
    for (let count = random.below(20) + 1; count > 0; count--) bytes[random.below(bytes.length)] = random.below(256);
    writeFileSync(path, random.below(4) === 0 ? bytes.subarray(0, random.below(bytes.length)) : bytes);
    const found = verifyLog(state.dir);
    expect({ SEED, round, typed: found.ok || found.error.code.startsWith("audit.") }).toEqual({
      SEED,
      round,
      typed: true,
    });
  }
});

// Whether the database accepts a change; its own constraints refuse some.
function attempt(change: () => void): boolean {
  try {
    change();
    return true;
  } catch (cause) {
    expect(String(cause)).toMatch(/constraint|cannot store/);
    return false;
  }
}

function attemptRecords(state: StateDir): unknown {
  try {
    return state.records();
  } catch (cause) {
    return String(cause);
  }
}
