// The one way to change the rule set, whatever the cause: the whole directory is loaded, and then the set is swapped. If the
// directory has an error, the old set stays in force and every error is reported (S003-FR-021 to FR-023).
import type { Clock } from "../core/clock.ts";
import type { Finding } from "../core/finding.ts";
import type { JsonObject } from "../core/json.ts";
import { type Problem, problem } from "../core/problem.ts";
import { err, ok, type Result } from "../core/result.ts";
import type { Fingerprint } from "../rule/fingerprint.ts";
import type { RuleSet } from "../rule/rule-set.ts";
import { formatFinding, logFindings } from "./report-findings.ts";
import { inSlices } from "./in-slices.ts";
import type { LiveRules } from "./live-rules.ts";
import type { Log } from "../log/logger.ts";
import { elapsedMs } from "../log/round-ms.ts";
import { type Load, type LoadedRules, loadStable } from "./load-directory.ts";

/** The cause of a reload. */
export type ReloadCause = "api" | "signal" | "watch" | "approval";

/** The last reload as `outcall status` shows it. */
export type LastReload = { readonly at: Date; readonly error: string | null };

/** Records a reload, or the reason why it failed. */
type KeepReload = (reason: string | null, detail: JsonObject) => Promise<Result<null, Problem>>;

/** The options of the reloader. */
export type ReloadOptions = {
  readonly dir: string;
  readonly load: Load;
  readonly rules: LiveRules;
  readonly clock: Clock;
  readonly log: Log;
  readonly keep: KeepReload;
  /** The fingerprint of the directory from which the first set was loaded. */
  readonly first: Fingerprint;
};

/** The greatest length of the errors in an answer, in UTF-16 code units. The answer counts the others; the log has them all. */
export const ERRORS_LENGTH = 600;

/** Resolution of a file system's clock, in milliseconds: two writes within it can leave the same times. */
const CLOCK_TICK_MS = 20;

/** Reloads the rules, one load at a time. */
export class Reloader {
  readonly #options: ReloadOptions;
  #last: LastReload | null = null;
  #loaded: Fingerprint;
  #running: Promise<unknown> = Promise.resolve();
  #next: Promise<Result<RuleSet, Problem>> | null = null;

  constructor(options: ReloadOptions) {
    this.#options = options;
    this.#loaded = options.first;
  }

  /** The last reload, or null before the first. */
  get last(): LastReload | null {
    return this.#last;
  }

  /** Loads the directory and returns the set that is then in force. Calls that come before the load begins share it. */
  reload(cause: ReloadCause): Promise<Result<RuleSet, Problem>> {
    this.#next ??= this.#reloadAfter(this.#running, cause);
    return this.#next;
  }

  /** Whether the directory with this fingerprint is certainly the one that was loaded last, with or without success. */
  hasLoaded({ text, changedMs }: Fingerprint): boolean {
    return this.#next === null && text === this.#loaded.text && changedMs < this.#loaded.takenMs - CLOCK_TICK_MS;
  }

  async #reloadAfter(running: Promise<unknown>, cause: ReloadCause): Promise<Result<RuleSet, Problem>> {
    await running;
    const work = this.#load(cause);
    // A load that throws is reported to its own callers and does not stop the next load.
    this.#running = work.then(() => null, () => null);
    this.#next = null;
    return await work;
  }

  async #load(cause: ReloadCause): Promise<Result<RuleSet, Problem>> {
    const { load, dir, clock } = this.#options;
    const startMs = clock.monotonicMs();
    const loaded = await loadStable(load, dir, clock);
    this.#loaded = loaded.fingerprint;
    const durationMs = elapsedMs(clock, startMs);
    if (loaded.set === null) return await this.#keep(cause, loaded, durationMs);
    return await this.#swap(cause, loaded.set, durationMs);
  }

  async #swap(cause: ReloadCause, set: RuleSet, durationMs: number): Promise<Result<RuleSet, Problem>> {
    const { rules, clock, log, dir } = this.#options;
    const at = clock.now();
    rules.swap({ set, loadedAt: at });
    this.#last = { at, error: null };
    await inSlices(logFindings(set.warnings, dir, log));
    log.info("rules.reloaded", {
      cause,
      files: set.files,
      rules: set.rules.length,
      warnings: set.warnings.length,
      digest: set.digest,
      duration_ms: durationMs,
    });
    await this.#record(null, { cause, digest: set.digest, files: set.files, rules: set.rules.length });
    return ok(set);
  }

  async #keep(cause: ReloadCause, { findings }: LoadedRules, durationMs: number): Promise<Result<RuleSet, Problem>> {
    const { rules, clock, log, dir } = this.#options;
    const errors = findings.filter((finding) => finding.severity === "error");
    const error = nameErrors(errors, dir);
    this.#last = { at: clock.now(), error };
    await inSlices(logFindings(errors, dir, log));
    const kept = rules.current.set.digest;
    log.error("rules.reload-failed", {
      cause,
      errors: errors.length,
      reason: error,
      digest: kept,
      duration_ms: durationMs,
    });
    await this.#record(error, { cause, digest: kept, errors: errors.length });
    return err(problem("daemon.reload-failed", `reload failed: ${error}. Previous rules remain active.`));
  }

  // The new rules stay in force without their record: while the log cannot be written, every decision is a denial anyway.
  async #record(reason: string | null, detail: JsonObject): Promise<void> {
    const kept = await this.#options.keep(reason, detail);
    if (!kept.ok) this.#options.log.error("rules.reload-unrecorded", { reason: kept.error.message });
  }
}

function nameErrors(errors: readonly Finding[], dir: string): string {
  const named: string[] = [];
  let length = 0;
  for (const finding of errors) {
    if (length >= ERRORS_LENGTH) break;
    const text = formatFinding(finding, dir);
    named.push(text);
    length += text.length;
  }
  const more = errors.length - named.length;
  return [...named, ...(more > 0 ? [`and ${more} more`] : [])].join("; ");
}
