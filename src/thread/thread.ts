// Thread: one worker from its start to its end. It does one job at a time, and a job that costs too much ends it.
import type { URL } from "node:url";
import { Worker } from "node:worker_threads";
import { err, ok, type Result } from "../core/result.ts";
import { messageOf } from "../core/thrown.ts";
import type { ThreadMessage } from "./serve-jobs.ts";

/** The reason why a job has no reply: it was over its time or its memory, or the thread failed or was ended. */
export type ThreadFailure =
  | { readonly kind: "late" }
  | { readonly kind: "large" }
  | { readonly kind: "failed"; readonly reason: string };

/** The options of a thread: its start, and the limits of one job. */
export type ThreadOptions = {
  /** The entry of the program, which detects that it runs as a thread. */
  readonly program: URL;
  /** The task that the thread gets at its start; its code must call `serveJobs`. */
  readonly task: unknown;
  /** How long one job may take, in milliseconds. The start of the thread does not count. */
  readonly jobMs: number;
  /** By how many bytes the process may grow during one job. The runtimes do not count memory for each thread. */
  readonly growthBytes?: number;
};

/** How long a thread may take to start, in milliseconds: a hundred times what it needs. */
const START_MS = 10_000;

/** How often the memory of a job is looked at, in milliseconds. */
const LOOK_MS = 20;

/** A worker that does jobs. */
export class Thread<Job, Reply> {
  readonly #options: ThreadOptions;
  readonly #worker: Worker;
  readonly #onEnd: () => void;
  #isReady = false;
  #hasEnded = false;
  #settle: (outcome: Result<ThreadMessage<Reply>, ThreadFailure>) => void = () => {};

  /** Starts the worker; `onEnd` is called once, when the worker has begun to end. */
  constructor(options: ThreadOptions, onEnd: () => void) {
    this.#options = options;
    this.#onEnd = onEnd;
    const { program, task, growthBytes } = options;
    // Bun ignores this limit, so each job is watched as well.
    const limits = growthBytes === undefined ? {} : { maxOldGenerationSizeMb: growthBytes / (1024 * 1024) };
    this.#worker = new Worker(program, { workerData: task, resourceLimits: limits });
    this.#worker.on("message", (message: ThreadMessage<Reply>) => this.#settle(ok(message)));
    this.#worker.on("error", (cause) => void this.#endWith({ kind: "failed", reason: messageOf(cause) }));
    this.#worker.once("exit", () => void this.#endWith({ kind: "failed", reason: "the thread ended" }));
  }

  /** Does a job; must not be called while another is being done. */
  async run(job: Job): Promise<Result<Reply, ThreadFailure>> {
    if (!this.#isReady) {
      const ready = await this.#within(START_MS, Infinity, () => {});
      if (!ready.ok) return ready;
      this.#isReady = true;
    }
    const { jobMs, growthBytes = Infinity } = this.#options;
    const said = await this.#within(jobMs, growthBytes, () => this.#worker.postMessage(job));
    if (!said.ok) return said;
    return said.value.kind === "reply" ? ok(said.value.reply) : err({ kind: "failed", reason: "it started twice" });
  }

  /** Ends the thread; a job that is being done fails. */
  async end(reason: string): Promise<void> {
    await this.#endWith({ kind: "failed", reason });
  }

  // The next message of the worker, or why there is none.
  async #within(
    timeMs: number,
    growthBytes: number,
    begin: () => void,
  ): Promise<Result<ThreadMessage<Reply>, ThreadFailure>> {
    const { promise, resolve } = Promise.withResolvers<Result<ThreadMessage<Reply>, ThreadFailure>>();
    this.#settle = resolve;
    const limitBytes = process.memoryUsage.rss() + growthBytes;
    const late = setTimeout(() => void this.#endWith({ kind: "late" }), timeMs);
    const look = growthBytes === Infinity ? undefined : setInterval(() => {
      if (process.memoryUsage.rss() > limitBytes) void this.#endWith({ kind: "large" });
    }, LOOK_MS);
    if (this.#hasEnded) resolve(err({ kind: "failed", reason: "the thread has ended" }));
    else begin();
    try {
      return await promise;
    } finally {
      clearTimeout(late);
      clearInterval(look);
    }
  }

  async #endWith(failure: ThreadFailure): Promise<void> {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#settle(err(failure));
    this.#onEnd();
    await this.#worker.terminate();
  }
}
