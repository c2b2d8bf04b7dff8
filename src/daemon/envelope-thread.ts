// EnvelopeThread: one thread that does the jobs of envelopes in the order in which they came. One that takes too long, or
// dies, is ended, its job with it, and the next job starts another.
import { Worker } from "node:worker_threads";
import { type Problem, problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import type { EnvelopeJob, EnvelopeReply, EnvelopeThreadData } from "./envelope-jobs.ts";

/** How long one job may take, in milliseconds: ten times what the limits of an agent's envelope let it take. */
export const JOB_TIMEOUT_MS = 10_000;

/** How many jobs may wait: at ten a minute for each container, more than fifty that write as fast as they may. */
export const WAITING_LIMIT = 512;

// A compiled program has its files below the place of its entry, not beside this one.
const WORKER = import.meta.url.startsWith("file:///$bunfs/") ? "./daemon/envelope-worker.ts" : "./envelope-worker.ts";

type Waiting = { readonly job: EnvelopeJob; readonly resolve: (reply: EnvelopeReply) => void };

/** The jobs of one daemon. */
export class EnvelopeThread {
  readonly #data: EnvelopeThreadData;
  readonly #timeoutMs: number;
  readonly #waiting: Waiting[] = [];
  #worker: Worker | null = null;
  #current: Waiting | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor(data: EnvelopeThreadData, timeoutMs = JOB_TIMEOUT_MS) {
    this.#data = data;
    this.#timeoutMs = timeoutMs;
  }

  /** Does a job after those that wait already; every job gets a reply. */
  run(job: EnvelopeJob): Promise<EnvelopeReply> {
    if (this.#isClosed || this.#waiting.length >= WAITING_LIMIT) return Promise.resolve({ kind: "busy" });
    return new Promise((resolve) => {
      this.#waiting.push({ job, resolve });
      this.#next();
    });
  }

  /** Ends the thread; what waits is refused. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { resolve } of this.#waiting.splice(0)) resolve({ kind: "busy" });
    this.#settle(failure("the daemon stops"));
    await this.#worker?.terminate();
  }

  #next(): void {
    if (this.#current !== null) return;
    const next = this.#waiting.shift();
    if (next === undefined) return;
    this.#current = next;
    const worker = this.#worker ?? this.#start();
    this.#timer = setTimeout(() => this.#giveUp(worker, "an envelope took too long"), this.#timeoutMs);
    worker.postMessage(next.job);
  }

  #start(): Worker {
    const worker = new Worker(new URL(WORKER, import.meta.url), { workerData: this.#data });
    this.#worker = worker;
    worker.on("message", (reply: EnvelopeReply) => {
      if (this.#worker === worker) this.#settle(reply);
    });
    worker.on("error", (cause) => {
      const reason = cause instanceof Error ? cause.message : String(cause);
      this.#giveUp(worker, `the thread of envelopes failed: ${quote(reason)}`);
    });
    worker.once("exit", () => this.#giveUp(worker, "the thread of envelopes ended"));
    return worker;
  }

  #giveUp(worker: Worker, reason: string): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    // Its exit has been heard, or is of no interest any more.
    void worker.terminate();
    this.#settle(failure(reason));
  }

  #settle(reply: EnvelopeReply): void {
    clearTimeout(this.#timer);
    const settled = this.#current;
    this.#current = null;
    settled?.resolve(reply);
    if (!this.#isClosed) this.#next();
  }
}

function failure(message: string): EnvelopeReply {
  const found: Problem = problem("rulespec.store", message);
  return { kind: "problem", problem: found };
}
