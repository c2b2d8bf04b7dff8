// DecisionLog: entries -> records on disk. Audit records are awaited and written in groups; other records are queued for a
// moment. Where an entry cannot be kept the caller gets an error and must deny. Lost entries are counted, and the first record
// after a failure says how many are missing.
import type { Clock } from "../core/clock.ts";
import { type Problem, problem } from "../core/problem.ts";
import { err, ok, type Result } from "../core/result.ts";
import { Appender } from "./appender.ts";
import { encodeEntry } from "./encode.ts";
import { type Entry, NO_CONTAINER } from "./entry.ts";
import type { LogKey } from "./key-file.ts";
import type { Limits } from "./retention.ts";
import type { Row } from "./row.ts";

/** Most records that wait to be written. Beyond, decisions are denied. */
export const QUEUE_LIMIT = 10_000;

/** Rows of one batch. Writing it holds the serving thread for a millisecond or two. */
export const BATCH_LIMIT = 100;

/** How long a queued record stays in memory before its batch is written, in milliseconds: far below the promised 200. */
const QUEUED_MS = 50;

/** How long the disk may take for a batch before decisions are denied, in milliseconds. */
const BATCH_TIMEOUT_MS = 5_000;

/** How long after a failure the log tries to write again, in milliseconds. */
const RETRY_MS = 500;

/** Keeps entries. An error means that the entry is not kept, so the caller must deny what the entry records. */
export type AuditLog = {
  /** Whether entries can be kept now. */
  readonly isAvailable: boolean;
  /** Keeps an entry; resolves once it is on disk, with the number of its record. */
  readonly append: (entry: Entry) => Promise<Result<number, Problem>>;
  /** Keeps an entry soon: it is on disk within 200 ms unless the process is killed. */
  readonly queue: (entry: Entry) => Result<null, Problem>;
};

/** The options of a log. */
export type DecisionLogOptions = {
  readonly stateDir: string;
  readonly limits: Limits;
  readonly clock: Clock;
  /** Called once for each failure of the log, and with null when writing works again. */
  readonly onError: (problem: Problem | null) => void;
};

/** The reason of denials while the log cannot be written. */
export const UNAVAILABLE = problem("audit.unavailable", "decision log unavailable");

/** The pause for serving requests between two slices of removal, in milliseconds. */
const SLICE_PAUSE_MS = 5;

// How often the log looks for records that are too old: a few times within the age limit is enough.
const CHECKS_PER_AGE_LIMIT = 24;
const SHORTEST_CHECK_MS = 1_000;
const LONGEST_CHECK_MS = 3_600_000;

/** A waiting record. Its row is made when its batch is written, so that no answer waits for that, unless many records wait. */
type Waiting = { readonly row: () => Row; readonly settle: ((result: Result<number, Problem>) => void) | null };

type Lost = { readonly count: number; readonly from: Date; readonly to: Date };

/** The decision log of a state directory that exists and is locked. */
export class DecisionLog implements AuditLog {
  readonly #appender: Appender;
  readonly #clock: Clock;
  readonly #onError: DecisionLogOptions["onError"];
  readonly #key: LogKey;
  readonly #waiting: Waiting[] = [];
  /** The batch that is being written. */
  #batch: readonly Waiting[] = [];
  #writing: Promise<void> | null = null;
  #lost: Lost | null = null;
  #isFailed = false;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #isDue = false;
  /** Whether the log must look for old records. */
  #isOldDue = true;
  readonly #check: ReturnType<typeof setInterval>;
  #isClosing = false;
  #isClosed = false;

  private constructor(appender: Appender, key: LogKey, { clock, limits, onError }: DecisionLogOptions) {
    this.#appender = appender;
    this.newestAtMs = appender.newestAtMs();
    this.#key = key;
    this.#clock = clock;
    this.#onError = onError;
    const checkMs = Math.min(Math.max(limits.keepMs / CHECKS_PER_AGE_LIMIT, SHORTEST_CHECK_MS), LONGEST_CHECK_MS);
    this.#check = setInterval(() => this.#lookForOld(), checkMs);
  }

  /** Opens the log, or creates it. A log that is not whole is refused. The caller closes the log. */
  static async open(options: DecisionLogOptions): Promise<Result<DecisionLog, Problem>> {
    const { stateDir, limits, clock } = options;
    const appender = new Appender({ stateDir, limits, clock });
    const opened = await appender.open();
    return opened.ok ? ok(new DecisionLog(appender, opened.value, options)) : opened;
  }

  /** The time of the record that was the newest when the log was opened, in milliseconds since 1970. */
  readonly newestAtMs: number | null;

  /** Whether entries can be kept now. */
  get isAvailable(): boolean {
    return !this.#isFailed && !this.#isClosing;
  }

  /** Keeps an entry; resolves with the number of its record once it and all entries before it are on disk. */
  append(entry: Entry): Promise<Result<number, Problem>> {
    return new Promise((resolve) => {
      const kept = this.#keep(entry, resolve);
      if (!kept.ok) resolve(kept);
      else this.#writeNow();
    });
  }

  /** Keeps an entry soon. */
  queue(entry: Entry): Result<null, Problem> {
    const kept = this.#keep(entry, null);
    if (kept.ok) this.#writeSoon();
    return kept;
  }

  /** Writes waiting records, as far as the disk takes them in time, and closes the files. Keeps no entry afterwards. */
  async close(): Promise<void> {
    this.#isClosing = true;
    clearInterval(this.#check);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<"late">((resolve) => (timer = setTimeout(() => resolve("late"), BATCH_TIMEOUT_MS)));
    const ended = await Promise.race([this.#writeRest(), late]);
    clearTimeout(timer);
    this.#isClosed = true;
    this.#stopTimer();
    for (const { settle } of this.#waiting.splice(0)) settle?.(err(UNAVAILABLE));
    const closed = ended === "late" ? ok(null) : this.#appender.close();
    if (!closed.ok) this.#onError(closed.error);
  }

  async #writeRest(): Promise<void> {
    await this.#writing;
    do await this.#write(); while (!this.#isFailed && this.#waiting.length > 0);
  }

  #keep(entry: Entry, settle: Waiting["settle"]): Result<null, Problem> {
    if (this.isAvailable && this.#waiting.length + this.#batch.length < QUEUE_LIMIT) {
      this.#waiting.push({ row: this.#rowOf(entry), settle });
      return ok(null);
    }
    this.#lose(1);
    return err(UNAVAILABLE);
  }

  // An entry holds a whole request, and its row only a part of it. So entries that wait beyond the next batch become rows at
  // once.
  #rowOf(entry: Entry): () => Row {
    if (this.#waiting.length < BATCH_LIMIT) return () => encodeEntry(entry, this.#key);
    const row = encodeEntry(entry, this.#key);
    return () => row;
  }

  #lose(count: number): void {
    if (count === 0) return;
    const now = this.#clock.now();
    this.#lost = { count: (this.#lost?.count ?? 0) + count, from: this.#lost?.from ?? now, to: now };
  }

  // At the end of this turn of the event loop, together with the other entries of the turn.
  #writeNow(): void {
    if (this.#writing !== null || this.#isDue) return;
    this.#stopTimer();
    this.#isDue = true;
    setImmediate(() => void this.#write());
  }

  #writeSoon(milliseconds = QUEUED_MS): void {
    if (this.#writing !== null || this.#isDue) return;
    if (this.#waiting.length >= BATCH_LIMIT) return this.#writeNow();
    this.#timer ??= setTimeout(() => void this.#write(), milliseconds);
  }

  #stopTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #write(): Promise<void> {
    this.#writing ??= this.#work().finally(() => {
      this.#writing = null;
      if (this.#isClosing) return;
      if (this.#isFailed) this.#writeSoon(RETRY_MS);
      else if (this.#waiting.some(({ settle }) => settle !== null)) this.#writeNow();
      else if (this.#isOldDue) this.#writeSoon(SLICE_PAUSE_MS);
      else if (this.#waiting.length > 0) this.#writeSoon();
    });
    return this.#writing;
  }

  async #work(): Promise<void> {
    if (this.#isClosed) return;
    await this.#writeBatch();
    this.#isOldDue ||= this.#appender.isOverSize;
    if (!this.#isOldDue || this.#isFailed || this.#isClosing) return;
    const removed = await this.#appender.removeSlice();
    this.#isOldDue = removed.ok && removed.value;
    if (!removed.ok) this.#fail(removed.error);
  }

  #lookForOld(): void {
    this.#isOldDue = true;
    if (!this.#isFailed) void this.#write();
  }

  // After a failure only the record of the lost entries is tried, until it is written.
  async #writeBatch(): Promise<void> {
    this.#stopTimer();
    this.#isDue = false;
    const lost = this.#lost;
    this.#batch = this.#isFailed ? [] : this.#waiting.splice(0, BATCH_LIMIT);
    const gap = lost === null ? [] : [gapOf(lost, this.#clock, this.#key)];
    if (gap.length + this.#batch.length === 0 && !this.#isFailed) return;
    const late = setTimeout(() => this.#fail(problem("audit.store", "the disk takes too long")), BATCH_TIMEOUT_MS);
    const written = await this.#appender.append([...gap, ...this.#batch.map(({ row }) => row())]);
    clearTimeout(late);
    const batch = this.#batch;
    this.#batch = [];
    if (!written.ok) {
      this.#lose(batch.length);
      this.#fail(written.error, batch);
      return;
    }
    if (lost !== null) this.#forget(lost);
    if (this.#isFailed) this.#onError(null);
    this.#isFailed = false;
    for (const [index, { settle }] of batch.entries()) settle?.(ok(written.value + gap.length + index));
  }

  // Awaited entries get the error. Queued entries stay, and are written after the record of the lost ones.
  #fail(found: Problem, batch = this.#batch): void {
    if (!this.#isFailed) this.#onError(found);
    this.#isFailed = true;
    const waiting = this.#waiting.splice(0);
    this.#waiting.push(...waiting.filter(({ settle }) => settle === null));
    this.#lose(waiting.length - this.#waiting.length);
    for (const { settle } of [...batch, ...waiting]) settle?.(err(UNAVAILABLE));
  }

  #forget(noted: Lost): void {
    if (this.#lost === null) return;
    const count = this.#lost.count - noted.count;
    this.#lost = count === 0 ? null : { ...this.#lost, count, from: noted.to };
  }
}

function gapOf({ count, from, to }: Lost, clock: Clock, key: LogKey): Row {
  const detail = { lost: count, from: from.toISOString(), to: to.toISOString() };
  const reason = "records could not be kept";
  const at = clock.now();
  return encodeEntry({ kind: "log.gap", at, source: "daemon", container: NO_CONTAINER, reason, detail }, key);
}
