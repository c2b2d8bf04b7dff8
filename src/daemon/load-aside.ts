// Rules directory -> rule set without holding the thread that serves: read and parsed by a worker, which ends with the load,
// compiled here in slices.
import type { URL } from "node:url";
import { Worker } from "node:worker_threads";
import type { Finding } from "../core/finding.ts";
import { quote } from "../core/quote.ts";
import { placeAt } from "../core/span.ts";
import { compileRules } from "../rule/compile.ts";
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
  const read = await readByWorker({ dir, trust: "owner" }, program);
  const { findings, files, fingerprint } = read;
  if (read.kind === "refused") return { set: null, findings, files: 0, rules: 0, fingerprint };
  const documents = joinParts(read.documents).map(openDocument);
  const compiled = await inSlices(compileRules(documents, { findings, files, dir, agentTimeoutMs }));
  return { ...compiled, files, fingerprint };
}

type Read = {
  readonly kind: "read" | "refused";
  readonly documents: readonly DocumentData[];
  readonly findings: readonly Finding[];
  readonly files: number;
  readonly fingerprint: Fingerprint;
};

type LastPart = Exclude<DirectoryPart, { kind: "document" }>;

async function readByWorker(options: DirectoryOptions, program: URL): Promise<Read> {
  const documents: DocumentData[] = [];
  const findings: Finding[] = [];
  const workerData: WorkerTask = { kind: "rules", options };
  const worker = new Worker(program, { workerData });
  const { promise: end, resolve } = Promise.withResolvers<LastPart | string>();
  const late = setTimeout(() => resolve(`it took over ${WORKER_TIMEOUT_MS / 1_000} s`), WORKER_TIMEOUT_MS);
  worker.on("message", (part: DirectoryPart) => {
    if (part.kind !== "document") return resolve(part);
    if (part.document !== null) documents.push(part.document);
    findings.push(...part.findings);
    worker.postMessage("next");
  });
  worker.once("error", (cause) => resolve(cause instanceof Error ? cause.message : String(cause)));
  worker.once("exit", () => resolve("its reader ended"));
  worker.postMessage("next");
  const last = await end;
  clearTimeout(late);
  await worker.terminate();
  const ending = typeof last === "string" ? await refuse(options.dir, last) : last;
  if (ending.kind === "read") return { ...ending, documents, findings: [...findings, ...ending.findings] };
  return { ...ending, documents: [], findings: [ending.finding], files: 0 };
}

async function refuse(dir: string, reason: string): Promise<LastPart> {
  const message = `cannot read rules directory ${quote(dir)}: ${quote(reason)}`;
  const finding: Finding = { code: "rule.file", severity: "error", message, place: placeAt(dir) };
  return { kind: "refused", finding, fingerprint: await fingerprintOf(dir) };
}
