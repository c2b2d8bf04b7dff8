// Removal by age and by size: the hash chain stays valid, and no container can push out the records of another.
import { statSync } from "node:fs";
import { describe, expect, test } from "bun:test";
import { ROW_BYTES, SLICE_RECORDS } from "../../src/audit/retention.ts";
import { verifyLog } from "../../src/audit/verify-log.ts";
import {
  blockEntry,
  decisionEntry,
  eventEntry,
  NO_LIMITS,
  StateDir,
  TestAppender,
} from "../support/audit/audit-log.ts";
import { seededRandom } from "../support/random.ts";

const SEED = Number(process.env["OUTCALL_SEED"] ?? Date.now() % 1_000_000_000);
const NOW = new Date("2026-11-21T12:00:00Z");
const ago = (milliseconds: number) => new Date(NOW.getTime() - milliseconds);
const container = (id: string) => ({ container: { id, name: id } });

function expectWhole(state: StateDir, records: number, removed: number): void {
  expect(verifyLog(state.dir)).toMatchObject({ ok: true, value: { whole: true, walked: { records, removed } } });
}

describe("by age", () => {
  test("at the limit a record stays, past it it goes, whatever its kind", async () => {
    using state = new StateDir();
    const log = await TestAppender.open(state, { keepMs: 1_000, maxBytes: 1e12 }, NOW);
    await log.append(
      blockEntry({ at: ago(1_001) }),
      eventEntry("approval", { at: ago(1_001) }),
      blockEntry({ at: ago(1_000) }),
      eventEntry("misuse", { at: ago(1_001) }),
      blockEntry({ at: NOW }),
    );
    await log.removeAll();
    log.close();
    expect(state.records().map(({ seq, kind }) => `${seq} ${kind}`)).toEqual([
      "3 decision",
      "5 decision",
      "6 log.checkpoint",
    ]);
    const detail = JSON.parse(state.records().at(-1)?.body ?? "").detail;
    expect(detail).toEqual({ removed: 3, reason: "age" });
    expectWhole(state, 3, 3);
  });

  test("a whole log is removed slice by slice, and the log continues", async () => {
    using state = new StateDir();
    const log = await TestAppender.open(state, { keepMs: 1_000, maxBytes: 1e12 }, NOW);
    const old = Array.from({ length: 20 * SLICE_RECORDS + 1 }, () => blockEntry({ at: ago(2_000) }));
    await log.append(...old);
    expect(await log.removeAll()).toBe(21);
    expect(await log.removeAll()).toBe(0);
    await log.append(blockEntry({ at: NOW }));
    log.close();
    expectWhole(state, 2, old.length);
    expect(fileSize(state)).toBeLessThan(100_000);
    const again = await TestAppender.open(state, NO_LIMITS, NOW);
    await again.append(blockEntry({ at: NOW }));
    again.close();
    expectWhole(state, 3, old.length);
  });
});

describe("by size", () => {
  const sizeOf = (log: TestAppender) => log.row(blockEntry()).body.length + ROW_BYTES;

  test("from the container that holds most, oldest first, until there is room", async () => {
    using state = new StateDir();
    const size = sizeOf(await probe());
    const log = await TestAppender.open(state, { keepMs: 1e12, maxBytes: 100 * size }, NOW);
    await log.append(...Array.from({ length: 20 }, () => blockEntry(container("quiet"))));
    await log.append(...Array.from({ length: 70 }, () => blockEntry(container("loud"))));
    expect(await log.removeAll()).toBe(0);
    await log.append(...Array.from({ length: 20 }, () => blockEntry(container("loud"))));
    expect(log.appender.isOverSize).toBe(true);
    await log.removeAll();
    expect(log.appender.isOverSize).toBe(false);
    log.close();
    const left = state.records();
    expect(left.filter((record) => record.container === "quiet")).toHaveLength(20);
    const loud = left.filter((record) => record.kind === "decision" && record.container === "loud");
    expect(loud.length).toBeGreaterThan(60);
    expect(loud.length).toBeLessThan(76);
    // The newest records are there, and nothing else is missing.
    expect(loud.at(-1)?.seq).toBe(110);
    expect(loud[0]?.seq).toBe(111 - loud.length);
    expect(left.at(-1)).toMatchObject({ kind: "log.checkpoint", container: "loud" });
    expectWhole(state, left.length, 90 - loud.length);
  });

  test("never removes approvals, misuse, reloads or the log's own records, even if nothing else is left", async () => {
    using state = new StateDir();
    const log = await TestAppender.open(state, { keepMs: 1e12, maxBytes: 2_000 }, NOW);
    const lasting = (["approval", "misuse", "reload", "start", "stop", "log.gap"] as const).map((kind) =>
      eventEntry(kind)
    );
    await log.append(...lasting, ...lasting, blockEntry(), eventEntry("refusal"), decisionEntry());
    await log.removeAll();
    expect(log.appender.isOverSize).toBe(false);
    expect(await log.removeAll()).toBe(0);
    log.close();
    const left = state.records();
    expect(left.filter(({ kind }) => kind === "decision" || kind === "refusal")).toEqual([]);
    expectWhole(state, 13, 3);
  });

  test("the host's own decisions are held like a container's", async () => {
    using state = new StateDir();
    const size = sizeOf(await probe());
    const log = await TestAppender.open(state, { keepMs: 1e12, maxBytes: 20 * size }, NOW);
    const host = { source: "host", container: { id: null, name: null } } as const;
    await log.append(...Array.from({ length: 25 }, () => blockEntry(host)), blockEntry(container("a")));
    await log.removeAll();
    log.close();
    const left = state.records().filter(({ kind }) => kind === "decision");
    expect(left.filter((record) => record.container === "a")).toHaveLength(1);
    expect(left.length).toBeLessThan(21);
  });

  test("the sizes by container are counted again at the next start", async () => {
    using state = new StateDir();
    const size = sizeOf(await probe());
    const first = await TestAppender.open(state, NO_LIMITS, NOW);
    await first.append(...Array.from({ length: 50 }, () => blockEntry(container("loud"))));
    first.close();
    const second = await TestAppender.open(state, { keepMs: 1e12, maxBytes: 30 * size }, NOW);
    expect(second.appender.isOverSize).toBe(true);
    await second.removeAll();
    second.close();
    expect(state.records().length).toBeLessThan(31);
  });

  test("the file is about as large as the estimate", async () => {
    using state = new StateDir();
    const maxBytes = 1_000_000;
    const log = await TestAppender.open(state, { keepMs: 1e12, maxBytes }, NOW);
    const id = "c".repeat(64);
    for (let batch = 0; batch < 60; batch++) {
      await log.append(...Array.from({ length: 50 }, (_, index) => blockEntry(container(`${id}${index % 7}`))));
      await log.removeAll();
    }
    log.close();
    expect(fileSize(state)).toBeLessThan(1.25 * maxBytes);
    expect(fileSize(state)).toBeGreaterThan(0.6 * maxBytes);
  });
});

async function probe(): Promise<TestAppender> {
  using state = new StateDir();
  const log = await TestAppender.open(state);
  log.close();
  return log;
}

function fileSize(state: StateDir): number {
  return statSync(state.paths.database).size;
}

test(`the chain is whole after whatever was removed, in any order (seed ${SEED})`, async () => {
  const random = seededRandom(SEED);
  for (let round = 0; round < 8; round++) {
    using state = new StateDir();
    const maxBytes = 20_000 + random.below(40_000);
    let written = 0;
    for (let run = 0; run < 6; run++) {
      const now = new Date(NOW.getTime() + run * 1_000);
      const log = await TestAppender.open(state, { keepMs: 2_500, maxBytes }, now);
      for (let batch = random.below(6); batch >= 0; batch--) {
        const entries = Array.from({ length: random.below(20) + 1 }, () => {
          const at = new Date(now.getTime() - random.below(1_000));
          const whose = container(random.pick(["a", "b", "c", "d"]));
          return random.below(8) === 0 ? eventEntry("reload", { at, ...whose }) : blockEntry({ at, ...whose });
        });
        written += entries.length;
        await log.append(...entries);
        if (random.below(2) === 0) await log.removeAll();
      }
      log.close();
      const found = verifyLog(state.dir);
      if (!found.ok || !found.value.whole) throw new Error(`seed ${SEED}: ${JSON.stringify(found)}`);
      const { records, removed, end } = found.value.walked;
      expect(records + removed).toBe(end.seq);
      expect(end.seq).toBeGreaterThanOrEqual(written);
    }
  }
});
