// Rules directory -> rule set, for the daemon. The parts of the directory are checked and compiled in slices while others are
// still read, so that the serving thread is held for only some milliseconds at a time.
import { setTimeout } from "node:timers/promises";
import type { URL } from "node:url";
import type { Clock } from "../core/clock.ts";
import type { Finding } from "../core/finding.ts";
import { invariant } from "../core/invariant.ts";
import { quote } from "../core/quote.ts";
import { placeAt } from "../core/span.ts";
import { CheckedAhead } from "../rule/check-ahead.ts";
import { compileRules, RULES_LIMIT } from "../rule/compile-rules.ts";
import type { RuleDocument } from "../rule/document.ts";
import { type DocumentPart, GatheredDocuments } from "../rule/document-parts.ts";
import { type Fingerprint, fingerprintOf } from "../rule/fingerprint.ts";
import type { DirectoryPart } from "../rule/parse-directory.ts";
import type { RuleSet } from "../rule/rule-set.ts";
import { partsOf } from "./directory-parts.ts";
import { inSlices } from "./in-slices.ts";

/** The options of a load. */
export type LoadOptions = {
  readonly dir: string;
  readonly agentTimeoutMs: number;
  /** The entry of the worker that reads and parses; null: this thread does both. */
  readonly program: URL | null;
};

/** The result of a load: the findings, and a rule set if none of them is an error. */
export type LoadedRules = {
  readonly set: RuleSet | null;
  /** Sorted by place; a place's file is the bare file name. */
  readonly findings: readonly Finding[];
  readonly files: number;
  readonly rules: number;
  /** The fingerprint of the directory before it was read. */
  readonly fingerprint: Fingerprint;
};

/** Loads and analyses a rules directory once, as the daemon must: only root and the daemon's own user may write it. */
export async function loadDirectory(options: LoadOptions): Promise<LoadedRules> {
  const taken = new TakenParts();
  let last: LastPart | null = null;
  for await (const part of partsOf({ dir: options.dir, trust: "owner" }, options.program)) {
    if (part.kind === "document") taken.take(part);
    else last = part;
  }
  invariant(last !== null, "the parts of a directory end with one that is no document");
  return await taken.compile(last, options);
}

/** How long a rules directory must not have changed before it is loaded, in milliseconds (S003-FR-022). */
export const QUIET_MS = 250;

/** How long a load waits for the end of changes, in milliseconds: an operator waits for the answer. */
export const PATIENCE_MS = 10_000;

/** Loads a directory once, even if it changes meanwhile. */
export type Load = () => Promise<LoadedRules>;

/**
 * Repeats the load until the directory does not change during it, because a half-written change can be a valid policy. A
 * directory that keeps changing for too long does not load.
 */
export async function loadStable(load: Load, dir: string, clock: Clock): Promise<LoadedRules> {
  const endMs = clock.monotonicMs() + PATIENCE_MS;
  for (;;) {
    const loaded = await load();
    const now = await fingerprintOf(dir);
    if (now.text === loaded.fingerprint.text) return loaded;
    if (clock.monotonicMs() >= endMs) return { ...loaded, set: null, findings: [...loaded.findings, restless(dir)] };
    await setTimeout(QUIET_MS);
  }
}

function restless(dir: string): Finding {
  const message = `rules directory ${quote(dir)} did not stop changing for ${PATIENCE_MS / 1_000} s`;
  return { code: "rule.file", severity: "error", message, place: placeAt(dir) };
}

type LastPart = Exclude<DirectoryPart, DocumentPart>;

/** The parts of one load. */
class TakenParts {
  readonly #ahead = new CheckedAhead();
  readonly #gathered = new GatheredDocuments();
  #rules = 0;
  #checking: Promise<unknown> = Promise.resolve();

  /** Takes a part; a file's last part has no document. */
  take(part: DocumentPart): void {
    const whole = this.#gathered.take(part);
    if (whole !== null) this.#check(whole);
  }

  /** Compiles the documents that were taken, once all of them are checked. */
  async compile(last: LastPart, { dir, agentTimeoutMs }: LoadOptions): Promise<LoadedRules> {
    await this.#checking;
    const { fingerprint } = last;
    if (last.kind === "refused") return { set: null, findings: [last.finding], files: 0, rules: 0, fingerprint };
    const findings = [...this.#gathered.findings, ...last.findings];
    const options = { findings, files: last.files, dir, agentTimeoutMs, nowMs: Date.now(), ahead: this.#ahead };
    const compiled = await inSlices(compileRules(this.#gathered.documents, options));
    return { ...compiled, files: last.files, fingerprint };
  }

  // Rules over the limit are counted and not checked.
  #check(document: RuleDocument): void {
    this.#rules += document.rules.length + document.misshapen.length;
    if (this.#rules > RULES_LIMIT) return;
    this.#checking = this.#checking.then(() => inSlices(this.#ahead.check(document)));
    // A check that throws is reported by `compile`, which waits for all of them.
    this.#checking.catch(() => {});
  }
}
