// A decision log on disk in a directory of its own, sample entries, and functions that tamper with the files.
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Appender } from "../../../src/audit/appender.ts";
import { DecisionLog } from "../../../src/audit/decision-log.ts";
import { encodeEntry } from "../../../src/audit/encode.ts";
import type { DecisionEntry, Entry, EventEntry, EventKind } from "../../../src/audit/entry.ts";
import { type LogKey, readKey } from "../../../src/audit/key-file.ts";
import { type LogPaths, logPaths } from "../../../src/audit/paths.ts";
import { readPage } from "../../../src/audit/read.ts";
import type { Limits } from "../../../src/audit/retention.ts";
import type { ChainedRow, Row } from "../../../src/audit/row.ts";
import { openRecords } from "../../../src/audit/open-log.ts";
import { systemClock } from "../../../src/core/clock.ts";
import type { Problem } from "../../../src/core/problem.ts";

/** Limits that no test reaches. */
export const NO_LIMITS: Limits = { keepMs: 1e12, maxBytes: 1e12 };

/** The entry of an allowed request, with changes. */
export function decisionEntry(changes: Partial<DecisionEntry> = {}): DecisionEntry {
  return {
    kind: "decision",
    at: new Date(),
    source: "agent",
    container: { id: "a".repeat(64), name: "web" },
    decision: "allow",
    rule: "allow-git",
    file: "a.yaml",
    digest: "d".repeat(64),
    reason: null,
    durationMs: 0.25,
    hooks: [],
    errors: [],
    logged: false,
    context: { action_type: "tool_exec", target: "/usr/bin/git", run: { tool: "git", argv: ["push"] } },
    rawTarget: null,
    ...changes,
  };
}

/** The entry of a blocked request, with changes. */
export function blockEntry(changes: Partial<DecisionEntry> = {}): DecisionEntry {
  return decisionEntry({
    decision: "block",
    rule: "default-block",
    file: null,
    reason: "no rule allows it",
    ...changes,
  });
}

/** An entry that is not a decision. */
export function eventEntry(kind: EventKind, changes: Partial<EventEntry> = {}): EventEntry {
  const container = { id: "a".repeat(64), name: "web" };
  return { kind, at: new Date(), source: "daemon", container, reason: null, detail: { more: 1 }, ...changes };
}

/** A state directory that is removed with `using`. */
export class StateDir {
  readonly dir: string;
  readonly paths: LogPaths;

  constructor(parent = tmpdir()) {
    this.dir = mkdtempSync(join(parent, "outcall-audit-"));
    this.paths = logPaths(this.dir);
  }

  /** Another directory with the same files. */
  copy(): StateDir {
    const copy = new StateDir();
    cpSync(this.dir, copy.dir, { recursive: true });
    return copy;
  }

  /** All records of the log, read like any reader reads them. */
  records(): readonly ChainedRow[] {
    const db = openRecords(this.dir);
    if (!db.ok) throw new Error(db.error.message);
    try {
      const records: ChainedRow[] = [];
      for (let page = readAfter(db.value, 0); page.length > 0; page = readAfter(db.value, records.at(-1)?.seq ?? 0)) {
        records.push(...page);
      }
      return records;
    } finally {
      db.value.close();
    }
  }

  /** Runs SQL on the records, like a person with other tools could. */
  change(sql: string): void {
    const db = new DatabaseSync(this.paths.database);
    try {
      db.exec(sql);
    } finally {
      db.close();
    }
  }

  [Symbol.dispose](): void {
    rmSync(this.dir, { recursive: true, force: true });
  }
}

/** The key of a directory's log. */
export function keyOf(state: StateDir): LogKey {
  const key = readKey(state.paths.key);
  if (!key.ok || key.value === null) throw new Error("no key");
  return key.value;
}

function readAfter(db: DatabaseSync, seq: number): readonly ChainedRow[] {
  const all = { sinceMs: null, untilMs: null, container: null, decision: null, rule: null, whatIfs: true };
  return readPage(db, all, seq);
}

/** An open log, and the errors that it reported. */
export type TestLog = { readonly log: DecisionLog; readonly troubles: (Problem | null)[] };

/** Opens the log of a directory. */
export async function openTestLog(state: StateDir, limits = NO_LIMITS): Promise<TestLog> {
  const troubles: (Problem | null)[] = [];
  const onError = (found: Problem | null) => void troubles.push(found);
  const opened = await DecisionLog.open({ stateDir: state.dir, limits, clock: systemClock, onError });
  if (!opened.ok) throw new Error(opened.error.message);
  return { log: opened.value, troubles };
}

/** An appender whose clock stands still. */
export class TestAppender {
  readonly appender: Appender;
  readonly key: LogKey;

  private constructor(appender: Appender, key: LogKey) {
    this.appender = appender;
    this.key = key;
  }

  /** Opens the log of a directory. */
  static async open(state: StateDir, limits = NO_LIMITS, now = new Date()): Promise<TestAppender> {
    const clock = { now: () => now, monotonicMs: () => 0 };
    const appender = new Appender({ stateDir: state.dir, limits, clock });
    const opened = await appender.open();
    if (!opened.ok) throw new Error(opened.error.message);
    return new TestAppender(appender, opened.value);
  }

  /** The row for an entry. */
  row(entry: Entry): Row {
    return encodeEntry(entry, this.key);
  }

  /** Appends entries as one batch. */
  async append(...entries: readonly Entry[]): Promise<void> {
    const appended = await this.appender.append(entries.map((entry) => this.row(entry)));
    if (!appended.ok) throw new Error(appended.error.message);
  }

  /** Removes all expired records; returns the number of batches. */
  async removeAll(): Promise<number> {
    for (let slices = 0;; slices++) {
      const removed = await this.appender.removeSlice();
      if (!removed.ok) throw new Error(removed.error.message);
      if (!removed.value) return slices;
    }
  }

  /** Closes the log. */
  close(): void {
    const closed = this.appender.close();
    if (!closed.ok) throw new Error(closed.error.message);
  }
}
