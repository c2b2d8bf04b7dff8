// Rules directory -> rule set without holding the thread that serves: read and parsed by a worker, which ends with the load,
// compiled here in slices.
import type { URL } from "node:url";
import { Worker } from "node:worker_threads";
import { messageOf } from "../core/thrown.ts";
import type { DirectoryOptions } from "../rule/load-rules.ts";
import type { DirectoryPart } from "../rule/parse-directory.ts";
import { type LastPart, type LoadedRules, refusePart, TakenParts } from "./take-parts.ts";
import type { RulesTask } from "./parse-worker.ts";

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
export async function loadAside(options: LoadAsideOptions): Promise<LoadedRules> {
  const reader = new Reader(options.program, { dir: options.dir, trust: "owner" });
  // The worker ends while its work is used.
  let ended: Promise<unknown> = Promise.resolve();
  const last = await reader.read().finally(() => (ended = reader.end()));
  const loaded = await reader.taken.compile(last, options);
  await ended;
  return loaded;
}

/** A worker that reads, and what is checked here while it reads on. */
class Reader {
  readonly taken = new TakenParts((cause) => this.#fail(cause));
  readonly #options: DirectoryOptions;
  readonly #worker: Worker;
  #fail: (cause: unknown) => void = () => {};

  constructor(program: URL, options: DirectoryOptions) {
    this.#options = options;
    const workerData: RulesTask = { kind: "rules", options };
    this.#worker = new Worker(program, { workerData });
  }

  async read(): Promise<LastPart> {
    const { promise: end, resolve, reject } = Promise.withResolvers<LastPart | string>();
    this.#fail = reject;
    const late = setTimeout(() => resolve(`it took over ${WORKER_TIMEOUT_MS / 1_000} s`), WORKER_TIMEOUT_MS);
    this.#worker.on("message", (part: DirectoryPart) => {
      if (part.kind !== "document") return resolve(part);
      this.#worker.postMessage("next");
      this.taken.take(part);
    });
    this.#worker.once("error", (cause) => resolve(messageOf(cause)));
    this.#worker.once("exit", () => resolve("its reader ended"));
    this.#worker.postMessage("next");
    const last = await end;
    clearTimeout(late);
    await this.taken.checked();
    return typeof last === "string" ? await refusePart(this.#options.dir, last) : last;
  }

  end(): Promise<unknown> {
    return this.#worker.terminate();
  }
}
