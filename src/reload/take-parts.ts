// Parts of a rules directory as they come -> its documents, each checked while others are still read, and at last compiled.
import type { Finding } from "../core/finding.ts";
import { quote } from "../core/quote.ts";
import { placeAt } from "../core/span.ts";
import { CheckedAhead } from "../rule/check-ahead.ts";
import { compileRules, RULES_LIMIT } from "../rule/compile-rules.ts";
import type { RuleDocument } from "../rule/document.ts";
import { type DocumentData, openDocument } from "../rule/document-data.ts";
import { type Fingerprint, fingerprintOf } from "../rule/fingerprint.ts";
import { type DirectoryPart, joinParts } from "../rule/parse-directory.ts";
import type { RuleSet } from "../rule/rule-set.ts";
import { inSlices } from "./in-slices.ts";

/** What a load gave: a set where no finding is an error. */
export type LoadedRules = {
  readonly set: RuleSet | null;
  /** Sorted by place; a place's file is the bare file name. */
  readonly findings: readonly Finding[];
  readonly files: number;
  readonly rules: number;
  /** What was read, seen from outside. */
  readonly fingerprint: Fingerprint;
};

/** A part that has a document, or the findings of one. */
export type DocumentPart = Extract<DirectoryPart, { kind: "document" }>;

/** The part that ends a directory. */
export type LastPart = Exclude<DirectoryPart, { kind: "document" }>;

/** What is compiled, and under which limit. */
export type CompileOptions = { readonly dir: string; readonly agentTimeoutMs: number };

/** The parts of one load. */
export class TakenParts {
  readonly #ahead = new CheckedAhead();
  readonly #documents: RuleDocument[] = [];
  readonly #findings: Finding[] = [];
  readonly #fail: (cause: unknown) => void;
  #parts: DocumentData[] = [];
  #rules = 0;
  #checking: Promise<unknown> = Promise.resolve();

  /** Whoever waits for parts is told at once of a check that throws. */
  constructor(fail: (cause: unknown) => void) {
    this.#fail = fail;
  }

  /** Takes a part over; the last part of a file is no document. */
  take({ document, findings }: DocumentPart): void {
    this.#findings.push(...findings);
    if (document !== null) return void this.#parts.push(document);
    for (const whole of joinParts(this.#parts).map(openDocument)) this.#check(whole);
    this.#parts = [];
  }

  /** Waits until everything that was taken is checked. */
  async checked(): Promise<void> {
    await this.#checking;
  }

  /** Compiles what was taken, once it is all checked. */
  async compile(last: LastPart, { dir, agentTimeoutMs }: CompileOptions): Promise<LoadedRules> {
    await this.checked();
    const { fingerprint } = last;
    if (last.kind === "refused") return { set: null, findings: [last.finding], files: 0, rules: 0, fingerprint };
    const findings = [...this.#findings, ...last.findings];
    const options = { findings, files: last.files, dir, agentTimeoutMs, nowMs: Date.now(), ahead: this.#ahead };
    const compiled = await inSlices(compileRules(this.#documents, options));
    return { ...compiled, files: last.files, fingerprint };
  }

  // Rules over the limit are counted and not checked.
  #check(document: RuleDocument): void {
    this.#documents.push(document);
    this.#rules += document.rules.length + document.misshapen.length;
    if (this.#rules > RULES_LIMIT) return;
    this.#checking = this.#checking.then(() => inSlices(this.#ahead.check(document)));
    this.#checking.catch(this.#fail);
  }
}

/** The last part of a directory whose reading failed. */
export async function refusePart(dir: string, reason: string): Promise<LastPart> {
  const message = `cannot read rules directory ${quote(dir)}: ${quote(reason)}`;
  const finding: Finding = { code: "rule.file", severity: "error", message, place: placeAt(dir) };
  return { kind: "refused", finding, fingerprint: await fingerprintOf(dir) };
}
