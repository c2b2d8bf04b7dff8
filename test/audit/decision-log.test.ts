// The decision log while it works and while the disk fails: a caller is told that a record is written only if it is,
// and the first record after a failure says how many are missing.
import { mkdirSync, rmdirSync } from "node:fs";
import { describe, expect, test } from "bun:test";
import { BATCH_LIMIT, DecisionLog, QUEUE_LIMIT, UNAVAILABLE } from "../../src/audit/decision-log.ts";
import { verifyLog } from "../../src/audit/verify-log.ts";
import { systemClock } from "../../src/core/clock.ts";
import { err, ok } from "../../src/core/result.ts";
import {
  blockEntry,
  decisionEntry,
  eventEntry,
  NO_LIMITS,
  openTestLog,
  StateDir,
  type TestLog,
} from "../support/audit/audit-log.ts";

const UNKEPT = err(UNAVAILABLE);
const KEPT = ok(null);

/** Makes writing the head fail, like a full disk does. */
function breakDisk(state: StateDir): () => void {
  mkdirSync(`${state.paths.head}.new`);
  return () => rmdirSync(`${state.paths.head}.new`);
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

const detailOf = (body: string) => JSON.parse(body).detail;
const kinds = (state: StateDir) => state.records().map(({ kind, decision }) => decision ?? kind);

test("append: the entry and all queued before it are on disk when it resolves", async () => {
  using state = new StateDir();
  const { log } = await openTestLog(state);
  expect(log.queue(decisionEntry())).toEqual(KEPT);
  expect(await log.append(blockEntry())).toEqual(ok(2));
  expect(state.records()).toMatchObject([{ decision: "allow", audit: false }, { decision: "block", audit: true }]);
  await log.close();
});

test("newestAtMs: the time of the newest record when the log was opened", async () => {
  using state = new StateDir();
  const first = await openTestLog(state);
  expect(first.log.newestAtMs).toBeNull();
  await first.log.append(blockEntry({ at: new Date(9_000) }));
  await first.log.append(blockEntry({ at: new Date(7_000) }));
  await first.log.close();
  const second = await openTestLog(state);
  expect(second.log.newestAtMs).toBe(7_000);
  await second.log.close();
});

test("append: many at once are all kept, in order, in fewer batches", async () => {
  using state = new StateDir();
  const { log } = await openTestLog(state);
  const entries = Array.from({ length: 500 }, (_, index) => blockEntry({ rule: `rule-${index}` }));
  const answers = await Promise.all(entries.map((entry) => log.append(entry)));
  expect(answers).toEqual(entries.map((_, index) => ok(index + 1)));
  expect(state.records().map(({ rule }) => rule)).toEqual(entries.map(({ rule }) => rule));
  await log.close();
  expect(verifyLog(state.dir)).toMatchObject({ value: { whole: true, walked: { records: 500 } } });
});

test("queue: the entry is on disk soon, although nothing awaits it", async () => {
  using state = new StateDir();
  const { log } = await openTestLog(state);
  log.queue(decisionEntry());
  await until(() => state.records().length === 1);
  await log.close();
});

test("close: waiting entries are written, and later ones are refused", async () => {
  using state = new StateDir();
  const { log } = await openTestLog(state);
  for (let count = 0; count < 1_000; count++) log.queue(decisionEntry());
  await log.close();
  expect(state.records()).toHaveLength(1_000);
  expect(log.isAvailable).toBe(false);
  expect(log.queue(decisionEntry())).toEqual(UNKEPT);
  expect(await log.append(blockEntry())).toEqual(UNKEPT);
});

test("the queue: entries over the limit are lost, and the next record says how many", async () => {
  using state = new StateDir();
  const { log } = await openTestLog(state);
  for (let count = 0; count < QUEUE_LIMIT; count++) expect(log.queue(decisionEntry())).toEqual(KEPT);
  expect(log.queue(decisionEntry())).toEqual(UNKEPT);
  expect(await log.append(blockEntry())).toEqual(UNKEPT);
  // A full queue is not a failure: there is room again a moment later.
  expect(log.isAvailable).toBe(true);
  await until(() => log.queue(decisionEntry()).ok);
  await log.close();
  const gap = state.records().findIndex(({ kind }) => kind === "log.gap");
  expect(gap).toBe(0);
  expect(detailOf(state.records()[gap]?.body ?? "").lost).toBeGreaterThanOrEqual(2);
  expect(verifyLog(state.dir)).toMatchObject({ value: { whole: true } });
});

describe("when a batch cannot be written", () => {
  async function broken(state: StateDir): Promise<TestLog & { repair: () => void }> {
    const opened = await openTestLog(state);
    expect(await opened.log.append(eventEntry("start"))).toEqual(ok(1));
    const repair = breakDisk(state);
    return { ...opened, repair };
  }

  test("waiting entries get an error, and so do later ones", async () => {
    using state = new StateDir();
    const { log, troubles, repair } = await broken(state);
    expect(await Promise.all([log.append(blockEntry()), log.append(blockEntry())])).toEqual([UNKEPT, UNKEPT]);
    expect(log.isAvailable).toBe(false);
    expect(log.queue(decisionEntry())).toEqual(UNKEPT);
    expect(await log.append(eventEntry("approval"))).toEqual(UNKEPT);
    expect(troubles).toMatchObject([{ code: "audit.store" }]);
    repair();
    await log.close();
  });

  test("the first record afterwards has the number and time range of the lost ones, and writing goes on", async () => {
    using state = new StateDir();
    const { log, troubles, repair } = await broken(state);
    const from = Date.now();
    await log.append(blockEntry());
    for (let count = 0; count < 5; count++) log.queue(decisionEntry());
    await log.append(blockEntry());
    const to = Date.now();
    repair();
    await until(() => log.isAvailable);
    expect(await log.append(blockEntry())).toEqual(ok(3));
    expect(log.queue(decisionEntry())).toEqual(KEPT);
    await log.close();
    expect(kinds(state)).toEqual(["start", "log.gap", "block", "allow"]);
    const gap = state.records()[1];
    expect(gap).toMatchObject({ audit: true, container: null });
    const detail = detailOf(gap?.body ?? "");
    expect(detail.lost).toBe(7);
    expect(Date.parse(detail.from)).toBeGreaterThanOrEqual(from);
    expect(Date.parse(detail.to)).toBeLessThanOrEqual(to);
    expect(troubles).toMatchObject([{ code: "audit.store" }, null]);
    expect(verifyLog(state.dir)).toMatchObject({ value: { whole: true, walked: { records: 4 } } });
  });

  test("entries queued after it are not lost", async () => {
    using state = new StateDir();
    const { log, repair } = await broken(state);
    for (let count = 0; count < BATCH_LIMIT; count++) log.queue(decisionEntry());
    for (let count = 0; count < 3; count++) log.queue(decisionEntry({ rule: `queued-${count}` }));
    expect(await log.append(blockEntry())).toEqual(UNKEPT);
    repair();
    await until(() => log.isAvailable);
    await log.close();
    const left = state.records().map(({ kind, rule }) => rule ?? kind);
    expect(left).toEqual(["start", "log.gap", "queued-0", "queued-1", "queued-2"]);
    expect(detailOf(state.records()[1]?.body ?? "").lost).toBe(BATCH_LIMIT + 1);
  });

  test("closing tries once more, and ends", async () => {
    using state = new StateDir();
    const { log } = await broken(state);
    await log.append(blockEntry());
    await log.close();
    expect(kinds(state)).toEqual(["start"]);
  });

  test("closing writes the record of missing records, if possible", async () => {
    using state = new StateDir();
    const { log, repair } = await broken(state);
    await log.append(blockEntry());
    repair();
    await log.close();
    expect(kinds(state)).toEqual(["start", "log.gap"]);
  });
});

test("old records are removed while the log is open", async () => {
  using state = new StateDir();
  const { log } = await openTestLog(state, { keepMs: 3_600_000, maxBytes: 1e12 });
  await log.append(blockEntry({ at: new Date(Date.now() - 7_200_000) }));
  await log.close();
  const again = await openTestLog(state, { keepMs: 3_600_000, maxBytes: 1e12 });
  await again.log.append(blockEntry());
  await until(() => kinds(state).includes("log.checkpoint"));
  await again.log.close();
  expect(verifyLog(state.dir)).toMatchObject({ value: { whole: true, walked: { removed: 1 } } });
});

test("open: a log that cannot be opened is a problem", async () => {
  const onError = () => {};
  const opened = await DecisionLog.open({ stateDir: "/nonexistent", limits: NO_LIMITS, clock: systemClock, onError });
  expect(opened).toMatchObject({ ok: false, error: { code: "audit.store" } });
  expect(UNAVAILABLE).toEqual({ code: "audit.unavailable", message: "decision log unavailable" });
});
