// Every change to the files of a log is detected, and the first affected record is named.
import { chmodSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { LogPaths } from "../../src/audit/paths.ts";
import type { LogKey } from "../../src/audit/key-file.ts";
import { hashRow } from "../../src/audit/row.ts";
import { verifyLog } from "../../src/audit/verify-log.ts";
import { blockEntry, decisionEntry, eventEntry, keyOf, StateDir, TestAppender } from "../support/audit/audit-log.ts";

const RECORDS = 24;
const original = new StateDir();

// Twenty-four records of all kinds. Of the first eight, the log itself removed 3 to 5 and 7.
beforeAll(async () => {
  const old = new Date(Date.now() - 100_000);
  const log = await TestAppender.open(original, { keepMs: 50_000, maxBytes: 1e12 });
  for (let seq = 1; seq <= 8; seq++) {
    await log.append(blockEntry([3, 4, 5, 7].includes(seq) ? { at: old } : {}));
  }
  await log.removeAll();
  // Record 9 describes the removal.
  for (let seq = 10; seq < RECORDS; seq++) await log.append(seq % 2 === 0 ? decisionEntry() : blockEntry());
  await log.append(eventEntry("approval"));
  log.close();
});
afterAll(() => original[Symbol.dispose]());

test("an unchanged log is whole", () => {
  expect(verifyLog(original.dir)).toMatchObject({
    ok: true,
    value: { whole: true, walked: { records: RECORDS - 4, removed: 4, end: { seq: RECORDS } } },
  });
});

test("progress is reported", async () => {
  using state = new StateDir();
  const log = await TestAppender.open(state);
  for (let batch = 0; batch < 25; batch++) await log.append(...Array.from({ length: 100 }, () => decisionEntry()));
  log.close();
  const told: number[] = [];
  verifyLog(state.dir, (records) => told.push(records));
  expect(told).toEqual([1_000, 2_000]);
});

const sql: readonly { note: string; sql: string; message: string }[] = [
  {
    note: "a changed decision",
    sql: "UPDATE record SET decision = 'allow' WHERE seq = 11",
    message: "record 11 is changed",
  },
  {
    note: "a changed text",
    sql: "UPDATE record SET body = replace(body, 'git', 'ls') WHERE seq = 12",
    message: "record 12 is changed",
  },
  { note: "a changed time", sql: "UPDATE record SET at = at + 1 WHERE seq = 1", message: "record 1 is changed" },
  { note: "a changed name", sql: "UPDATE record SET name = 'other' WHERE seq = 24", message: "record 24 is changed" },
  {
    note: "an audit record made a plain one",
    sql: "UPDATE record SET audit = 0 WHERE seq = 11",
    message: "record 11 is changed",
  },
  {
    note: "a type that is not ours",
    sql: "PRAGMA writable_schema = ON; UPDATE record SET at = 9e15 WHERE seq = 11",
    message: "record 11 is changed",
  },
  { note: "a missing record", sql: "DELETE FROM record WHERE seq = 11", message: "record 11 is missing" },
  { note: "a missing first record", sql: "DELETE FROM record WHERE seq = 1", message: "record 1 is missing" },
  { note: "missing records", sql: "DELETE FROM record WHERE seq BETWEEN 12 AND 14", message: "record 12 is missing" },
  {
    note: "a cut tail",
    sql: "DELETE FROM record WHERE seq > 20",
    message: "record 21 is missing: the log ends before it, and the head file says 24",
  },
  { note: "nothing left", sql: "DELETE FROM record; DELETE FROM checkpoint", message: "record 1 is missing" },
  {
    note: "two records exchanged",
    sql:
      "UPDATE record SET seq = -1 WHERE seq = 11; UPDATE record SET seq = 11 WHERE seq = 12; UPDATE record SET seq = 12 WHERE seq = -1",
    message: "record 11 is changed",
  },
  {
    note: "a record written twice",
    sql:
      "INSERT INTO record SELECT 25, at, kind, audit, container, name, decision, rule, body, previous, hash FROM record WHERE seq = 24",
    message: "record 25 is changed",
  },
  {
    note: "a record put where one was removed",
    sql:
      "INSERT INTO record SELECT 4, at, kind, audit, container, name, decision, rule, body, previous, hash FROM record WHERE seq = 1",
    message: "record 4 is changed",
  },
  { note: "a checkpoint taken away", sql: "DELETE FROM checkpoint WHERE first = 3", message: "record 3 is missing" },
  {
    note: "a checkpoint made longer",
    sql: "UPDATE checkpoint SET last = 6 WHERE first = 3",
    message: "checkpoint from record 3 on is changed",
  },
  {
    note: "a checkpoint's hash",
    sql: "UPDATE checkpoint SET hash = previous WHERE first = 7",
    message: "checkpoint from record 7 on is changed",
  },
  {
    note: "a checkpoint's type",
    sql: "UPDATE checkpoint SET mark = '' WHERE first = 3",
    message: "checkpoint from record 3 on is changed",
  },
  {
    note: "a checkpoint made by others",
    sql:
      "DELETE FROM record WHERE seq = 12; INSERT INTO checkpoint SELECT 12, 12, previous, hash, mark FROM checkpoint WHERE first = 7",
    message: "checkpoint from record 12 on is changed",
  },
];

describe("verifyLog finds", () => {
  for (const { note, sql: change, message } of sql) {
    test(note, () => {
      using state = original.copy();
      state.change(change);
      expect(verifyLog(state.dir)).toMatchObject({ ok: true, value: { whole: false } });
      const found = verifyLog(state.dir);
      expect(found.ok && !found.value.whole ? found.value.broken.message : "").toStartWith(message);
    });
  }

  // Writes the records from 11 on again with the first of them changed, as a person with the key could.
  function forge(state: StateDir, key: LogKey): void {
    using db = new DatabaseSync(state.paths.database);
    let last: string | null = null;
    for (const record of state.records().filter(({ seq }) => seq >= 11)) {
      const { seq } = record;
      const changed = {
        ...record,
        decision: seq === 11 ? "allow" : record.decision,
        previous: last ?? record.previous,
      };
      last = hashRow(changed, changed, key);
      const update = "UPDATE record SET decision = ?, previous = ?, hash = ? WHERE seq = ?";
      db.prepare(update).run(changed.decision, changed.previous, last, seq);
    }
  }

  test("a chain that was made again without the key", () => {
    using state = original.copy();
    forge(state, { contexts: new Uint8Array(32), records: new Uint8Array(32), marks: new Uint8Array(32) });
    expect(verifyLog(state.dir)).toMatchObject({ value: { whole: false, broken: { seq: 11 } } });
  });

  test("a chain that was made again with the key, but without its head", () => {
    using state = original.copy();
    forge(state, keyOf(state));
    expect(verifyLog(state.dir)).toEqual({
      ok: true,
      value: { whole: false, broken: { seq: 24, message: "record 24 is not the one in the head file" } },
    });
  });

  test("a record that was added behind the last one without the key", () => {
    using state = original.copy();
    const last = state.records().at(-1);
    if (last === undefined) throw new Error("no records");
    const added = { ...last, seq: 25, previous: last.hash };
    const hash = hashRow(added, added, { ...keyOf(state), records: new Uint8Array(32) });
    state.change(`INSERT INTO record SELECT 25, at, kind, audit, container, name, decision, rule, body, hash, '${hash}'
      FROM record WHERE seq = 24`);
    expect(verifyLog(state.dir)).toMatchObject({ value: { whole: false, broken: { seq: 25 } } });
  });

  test("a record that does not hold the hash of the one before", () => {
    using state = original.copy();
    const record = state.records().find(({ seq }) => seq === 15);
    if (record === undefined) throw new Error("no record 15");
    const changed = { ...record, previous: "0".repeat(64) };
    const hash = hashRow(changed, changed, keyOf(state));
    state.change(`UPDATE record SET previous = '${changed.previous}', hash = '${hash}' WHERE seq = 15`);
    expect(verifyLog(state.dir)).toMatchObject({
      value: { whole: false, broken: { seq: 15, message: "record 15 does not follow the record before it" } },
    });
  });

  const files: readonly { note: string; change: (paths: LogPaths) => void; code: string; message: string }[] = [
    {
      note: "no head",
      change: ({ head }) => rmSync(head),
      code: "audit.broken",
      message: 'decisions.head" is missing',
    },
    { note: "no key", change: ({ key }) => rmSync(key), code: "audit.broken", message: 'decisions.key" is missing' },
    {
      note: "no records",
      change: ({ database }) => rmSync(database),
      code: "audit.broken",
      message: 'decisions.db" is missing',
    },
    {
      note: "a head set back",
      change: ({ head }) => edit(head, (text) => text.replace('"seq":24', '"seq":23')),
      code: "audit.broken",
      message: 'decisions.head" is changed',
    },
    { note: "an empty head", change: ({ head }) => edit(head, () => ""), code: "audit.broken", message: "is changed" },
    {
      note: "more in the head",
      change: ({ head }) => edit(head, (text) => `${text}\n`),
      code: "audit.broken",
      message: "is changed",
    },
    {
      note: "another key",
      change: ({ key }) => writeFileSync(key, Buffer.alloc(32, 1)),
      code: "audit.broken",
      message: 'decisions.head" is changed',
    },
    {
      note: "half a key",
      change: ({ key }) => truncateSync(key, 16),
      code: "audit.store",
      message: "is not a valid key file",
    },
    {
      note: "a key for all to read",
      change: ({ key }) => chmodSync(key, 0o644),
      code: "audit.store",
      message: "mode 0600",
    },
    {
      note: "no database at all",
      change: ({ database }) => writeFileSync(database, "not a database, and long enough to be asked"),
      code: "audit.store",
      message: "cannot read the decision log",
    },
  ];
  for (const { note, change, code, message } of files) {
    test(note, () => {
      using state = original.copy();
      change(state.paths);
      expect(verifyLog(state.dir)).toMatchObject({
        ok: false,
        error: { code, message: expect.stringContaining(message) },
      });
    });
  }

  test("that there is no log", () => {
    using state = new StateDir();
    expect(verifyLog(state.dir)).toMatchObject({ ok: false, error: { code: "audit.store" } });
    expect(verifyLog("/nonexistent")).toMatchObject({ ok: false, error: { code: "audit.store" } });
  });
});

function edit(path: string, change: (text: string) => string): void {
  writeFileSync(path, change(readFileSync(path, "utf8")));
}
