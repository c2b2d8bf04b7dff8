// The files of a log when the daemon opens them. New files are created in an order in which a loss is always noticed; a
// log with missing files is refused and not changed.
import { createHash, createHmac } from "node:crypto";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { LogPaths } from "../../src/audit/paths.ts";
import { GENESIS } from "../../src/audit/row.ts";
import { Store } from "../../src/audit/record-store.ts";
import { verifyLog } from "../../src/audit/verify-log.ts";
import { blockEntry, decisionEntry, keyOf, StateDir, TestAppender } from "../support/audit/audit-log.ts";

const original = new StateDir();
beforeAll(async () => {
  const log = await TestAppender.open(original);
  for (let batch = 0; batch < 5; batch++) await log.append(decisionEntry(), blockEntry());
  log.close();
});
afterAll(() => original[Symbol.dispose]());

test("a new log is there and whole before its first record", async () => {
  using state = new StateDir();
  const log = await TestAppender.open(state);
  expect(verifyLog(state.dir)).toMatchObject({
    ok: true,
    value: { whole: true, walked: { records: 0, end: GENESIS } },
  });
  log.close();
  expect(readdirSync(state.dir).sort()).toEqual(["decisions.db", "decisions.head", "decisions.key"]);
  for (const name of readdirSync(state.dir)) expect(statSync(join(state.dir, name)).mode & 0o777).toBe(0o600);
});

test("a record contains the hash of the one before, and its own hash covers all its members", () => {
  const records = original.records();
  expect(records.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  records.forEach((record, index) => {
    expect(record.previous).toBe(records[index - 1]?.hash ?? GENESIS.hash);
    const { at, kind, audit, container, name, decision, rule, body, previous, seq } = record;
    const text = JSON.stringify([previous, seq, at, kind, audit, container, name, decision, rule, body]);
    expect(record.hash).toBe(createHmac("sha256", keyOf(original).records).update(text).digest("hex"));
  });
});

test("the chain continues where it ended, also if the head is behind after a kill", async () => {
  using state = original.copy();
  const head = readFileSync(state.paths.head);
  const first = await TestAppender.open(state);
  await first.append(blockEntry(), blockEntry());
  first.close();
  writeFileSync(state.paths.head, head);
  expect(verifyLog(state.dir)).toMatchObject({ value: { whole: true, walked: { end: { seq: 12 } } } });
  const second = await TestAppender.open(state);
  expect(readFileSync(state.paths.head, "utf8")).toContain('"seq":12,');
  await second.append(decisionEntry());
  second.close();
  expect(verifyLog(state.dir)).toMatchObject({ value: { whole: true, walked: { records: 13 } } });
});

test("a file that a kill left beside the head does no harm", async () => {
  using state = original.copy();
  writeFileSync(`${state.paths.head}.new`, "half of a he");
  const log = await TestAppender.open(state);
  await log.append(blockEntry());
  log.close();
  expect(verifyLog(state.dir)).toMatchObject({ value: { whole: true } });
});

const refused: readonly { note: string; change: (paths: LogPaths) => void; code: string; message: string }[] = [
  { note: "no key", change: ({ key }) => rmSync(key), code: "audit.broken", message: 'decisions.key" is missing' },
  { note: "no head", change: ({ head }) => rmSync(head), code: "audit.broken", message: 'decisions.head" is missing' },
  {
    note: "no database",
    change: ({ database }) => rmSync(database),
    code: "audit.broken",
    message: 'decisions.db" is missing',
  },
  { note: "an open key", change: ({ key }) => chmodSync(key, 0o640), code: "audit.store", message: "decisions.key" },
  { note: "a short key", change: ({ key }) => truncateSync(key, 31), code: "audit.store", message: "decisions.key" },
  {
    note: "a changed head",
    change: ({ head }) => writeFileSync(head, readFileSync(head, "utf8").replace('"seq":10', '"seq":9')),
    code: "audit.broken",
    message: 'decisions.head" is changed',
  },
  {
    note: "no database but a text",
    change: ({ database }) => writeFileSync(database, "this is a text and no database at all\n".repeat(200)),
    code: "audit.store",
    message: "cannot use the decision log",
  },
  {
    note: "half a database",
    change: ({ database }) => truncateSync(database, statSync(database).size / 2),
    code: "audit.store",
    message: "decisions.db",
  },
  {
    note: "an empty database",
    change: ({ database }) => truncateSync(database, 0),
    code: "audit.broken",
    message: "record 10 is missing, which the head file names",
  },
  {
    note: "a directory",
    change: ({ database }) => {
      rmSync(database);
      mkdirSync(database);
    },
    code: "audit.store",
    message: "decisions.db",
  },
];

describe("Store.open refuses, and leaves unchanged", () => {
  for (const { note, change, code, message } of refused) {
    test(note, async () => {
      using state = original.copy();
      change(state.paths);
      const before = digests(state.dir);
      const opened = await Store.open(state.dir);
      expect(opened).toMatchObject({ ok: false, error: { code, message: expect.stringContaining(message) } });
      // An empty file is a database without tables. Opening it creates the tables, and no record is lost.
      if (note !== "an empty database") expect(digests(state.dir)).toEqual(before);
    });
  }

  const sql: readonly (readonly [note: string, sql: string, message: string])[] = [
    [
      "a cut tail",
      "DELETE FROM record WHERE seq > 7",
      "record 10 is missing, which the head file names; the last one is 7",
    ],
    [
      "another last record",
      "UPDATE record SET hash = previous WHERE seq = 10",
      "record 10 is not the one in the head file",
    ],
    ["another layout", "PRAGMA user_version = 7", "layout 7 of the records is not known to this version"],
    ["no tables", "DROP TABLE record", "no such table"],
  ];
  for (const [note, change, message] of sql) {
    test(note, async () => {
      using state = original.copy();
      state.change(change);
      const opened = await Store.open(state.dir);
      expect(opened).toMatchObject({ ok: false, error: { message: expect.stringContaining(message) } });
      expect(opened.ok ? "" : opened.error.hint).toContain("the daemon leaves the files unchanged");
    });
  }

  test("a state directory that is not there", async () => {
    expect(await Store.open("/nonexistent")).toMatchObject({ ok: false, error: { code: "audit.store" } });
  });
});

describe("append fails, and the store is opened again", () => {
  test("when the head cannot be written: nothing of the batch is there", async () => {
    using state = original.copy();
    const log = await TestAppender.open(state);
    mkdirSync(`${state.paths.head}.new`);
    const failed = await log.appender.append([log.row(blockEntry())]);
    expect(failed).toMatchObject({ ok: false, error: { code: "audit.store" } });
    rmSync(`${state.paths.head}.new`, { recursive: true });
    await log.append(blockEntry());
    log.close();
    expect(verifyLog(state.dir)).toMatchObject({ value: { whole: true, walked: { end: { seq: 11 } } } });
  });

  test("when the database is removed and stays broken: its records are reported as missing", async () => {
    using state = original.copy();
    const log = await TestAppender.open(state);
    await log.append(blockEntry());
    rmSync(state.paths.database);
    for (let tries = 0; tries < 3; tries++) {
      const failed = await log.appender.append([log.row(blockEntry())]);
      expect(failed).toMatchObject({ ok: false, error: { code: tries === 0 ? "audit.store" : "audit.broken" } });
    }
    log.close();
  });

  test("when the write-ahead log is removed: its records are already in the database", async () => {
    using state = original.copy();
    const log = await TestAppender.open(state);
    await log.append(blockEntry());
    rmSync(`${state.paths.database}-wal`);
    expect(await log.appender.append([log.row(blockEntry())])).toMatchObject({ ok: false });
    await log.append(blockEntry());
    log.close();
    expect(verifyLog(state.dir)).toMatchObject({ value: { whole: true, walked: { end: { seq: 13 } } } });
  });
});

test("the log is copied into the database as it grows, and nothing is lost on the way", async () => {
  using state = new StateDir();
  const log = await TestAppender.open(state);
  const context = { target: "x".repeat(3_000) };
  for (let batch = 0; batch < 40; batch++) {
    await log.append(...Array.from({ length: 25 }, () => decisionEntry({ context })));
  }
  // 3 MB were written, but the write-ahead log starts from its beginning after each checkpoint.
  expect(statSync(`${state.paths.database}-wal`).size).toBeLessThan(1.5 * 1024 * 1024);
  expect(verifyLog(state.dir)).toMatchObject({ value: { whole: true, walked: { records: 1_000 } } });
  log.close();
  expect(verifyLog(state.dir)).toMatchObject({ value: { whole: true, walked: { records: 1_000 } } });
});

function digests(dir: string): Readonly<Record<string, string>> {
  const names = readdirSync(dir).filter((name) => !/-(wal|shm)$/.test(name)).sort();
  return Object.fromEntries(names.map((name) => {
    const path = join(dir, name);
    return [
      name,
      statSync(path).isFile() ? createHash("sha256").update(readFileSync(path)).digest("hex") : "directory",
    ];
  }));
}
