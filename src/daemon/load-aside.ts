// Rules directory -> rule set without holding the thread that serves: read and parsed by a worker, which ends with the load,
// compiled here in slices.
import type { URL } from "node:url";
import { Worker } from "node:worker_threads";
import type { Finding } from "../core/finding.ts";
import { quote } from "../core/quote.ts";
import { placeAt } from "../core/span.ts";
import { messageOf } from "../core/thrown.ts";
import { CheckedAhead } from "../rule/check-ahead.ts";
import { compileRules, RULES_LIMIT } from "../rule/compile.ts";
import type { RuleDocument } from "../rule/document.ts";
import { type DocumentData, openDocument } from "../rule/document-data.ts";
import { type Fingerprint, fingerprintOf } from "../rule/fingerprint.ts";
import type { DirectoryOptions } from "../rule/load.ts";
import { type DirectoryPart, joinParts } from "../rule/parse-directory.ts";
import type { RuleSet } from "../rule/rule-set.ts";
import { inSlices } from "./in-slices.ts";
import type { WorkerTask } from "./worker.ts";

/** What a load gave: a set where no finding is an error. */
export type LoadedAside = {
  readonly set: RuleSet | null;
  /** Sorted by place; a place's file is the bare file name. */
  readonly findings: readonly Finding[];
  readonly files: number;
  readonly rules: number;
  /** What was read, seen from outside. */
  readonly fingerprint: Fingerprint;
};

/** Which directory is loaded, and how. */
export type LoadAsideOptions = {
  readonly dir: string;
  readonly agentTimeoutMs: number;
  /** The entry of the program, which knows by itself that it runs as a worker. */
  readonly program: URL;
};

/** How long a worker may take for the whole directory, in milliseconds: over a hundred times what the largest one needs, so that a disk which does not answer ends a reload and not all of them. */
const WORKER_TIMEOUT_MS = 60_000;

/** Loads and analyses a rules directory as the daemon must: only what root and its own user alone may write. */
export async function loadAside({ dir, agentTimeoutMs, program }: LoadAsideOptions): Promise<LoadedAside> {
  const reader = new Reader(program, { dir, trust: "owner" });
  // The worker ends while its work is used.
  let ended: Promise<unknown> = Promise.resolve();
  const read = await reader.read().finally(() => (ended = reader.end()));
  const { findings, files, fingerprint, documents, ahead } = read;
  const compiled = read.kind === "refused"
    ? { set: null, findings, rules: 0 }
    : await inSlices(compileRules(documents, { findings, files, dir, agentTimeoutMs, ahead }));
  await ended;
  return { ...compiled, files, fingerprint };
}

type Read = {
  readonly kind: "read" | "refused";
  readonly documents: readonly RuleDocument[];
  readonly ahead: CheckedAhead;
  readonly findings: readonly Finding[];
  readonly files: number;
  readonly fingerprint: Fingerprint;
};

type LastPart = Exclude<DirectoryPart, { kind: "document" }>;

/** A worker that reads, and what is checked here while it reads on. */
class Reader {
  readonly #options: DirectoryOptions;
  readonly #worker: Worker;
  readonly #ahead = new CheckedAhead();
  readonly #documents: RuleDocument[] = [];
  readonly #findings: Finding[] = [];
  #parts: DocumentData[] = [];
  #rules = 0;
  #checking: Promise<unknown> = Promise.resolve();
  #fail: (cause: unknown) => void = () => {};

  constructor(program: URL, options: DirectoryOptions) {
    this.#options = options;
    const workerData: WorkerTask = { kind: "rules", options };
    this.#worker = new Worker(program, { workerData });
  }

  async read(): Promise<Read> {
    const { promise: end, resolve, reject } = Promise.withResolvers<LastPart | string>();
    this.#fail = reject;
    const late = setTimeout(() => resolve(`it took over ${WORKER_TIMEOUT_MS / 1_000} s`), WORKER_TIMEOUT_MS);
    this.#worker.on("message", (part: DirectoryPart) => {
      if (part.kind !== "document") return resolve(part);
      this.#worker.postMessage("next");
      this.#take(part);
    });
    this.#worker.once("error", (cause) => resolve(messageOf(cause)));
    this.#worker.once("exit", () => resolve("its reader ended"));
    this.#worker.postMessage("next");
    const last = await end;
    clearTimeout(late);
    await this.#checking;
    const ending = typeof last === "string" ? await refuse(this.#options.dir, last) : last;
    const common = { documents: this.#documents, ahead: this.#ahead };
    if (ending.kind === "refused") return { ...common, ...ending, findings: [ending.finding], files: 0 };
    return { ...common, ...ending, findings: [...this.#findings, ...ending.findings] };
  }

  end(): Promise<unknown> {
    return this.#worker.terminate();
  }

  // The last part of a file is no document.
  #take({ document, findings }: Extract<DirectoryPart, { kind: "document" }>): void {
    this.#findings.push(...findings);
    if (document !== null) return void this.#parts.push(document);
    for (const whole of joinParts(this.#parts).map(openDocument)) this.#check(whole);
    this.#parts = [];
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

async function refuse(dir: string, reason: string): Promise<LastPart> {
  const message = `cannot read rules directory ${quote(dir)}: ${quote(reason)}`;
  const finding: Finding = { code: "rule.file", severity: "error", message, place: placeAt(dir) };
  return { kind: "refused", finding, fingerprint: await fingerprintOf(dir) };
}
