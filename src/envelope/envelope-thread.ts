// EnvelopeThread: one thread that does the jobs of envelopes: a container's in the order in which they came, containers in
// turn. One that takes too long, or dies, is ended, its job with it, and the next job starts another.
import type { URL } from "node:url";
import { Worker } from "node:worker_threads";
import { type Problem, problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { messageOf } from "../core/thrown.ts";
import type { EnvelopeJob, EnvelopeReply, EnvelopesTask, EnvelopeThreadData } from "./envelope-jobs.ts";

/** How long one job may take, in milliseconds: several times what the limits of an agent's envelope let it take. */
const JOB_TIMEOUT_MS = 10_000;

/** How many jobs may wait: at ten a minute for each container, more than fifty that write as fast as they may. */
export const WAITING_LIMIT = 512;

type Waiting = { readonly job: EnvelopeJob; readonly resolve: (reply: EnvelopeReply) => void };

/** The jobs of one daemon. */
export class EnvelopeThread {
  readonly #data: EnvelopeThreadData;
  readonly #program: URL;
  readonly #timeoutMs: number;
  /** By container, whose turn it is first; the operator's own questions are one more. */
  readonly #waiting = new Map<string, Waiting[]>();
  #waitingCount = 0;
  #worker: Worker | null = null;
  #current: Waiting | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  /** Makes it for a program, by the entry of which the thread is started with the first job. */
  constructor(data: EnvelopeThreadData, program: URL, timeoutMs = JOB_TIMEOUT_MS) {
    this.#data = data;
    this.#program = program;
    this.#timeoutMs = timeoutMs;
  }

  /** Does a job in its turn; every job gets a reply. */
  run(job: EnvelopeJob): Promise<EnvelopeReply> {
    if (this.#isClosed || this.#waitingCount >= WAITING_LIMIT) return Promise.resolve({ kind: "busy" });
    return new Promise((resolve) => {
      const requester = job.kind === "view" ? "" : job.owner.id;
      this.#waiting.set(requester, [...(this.#waiting.get(requester) ?? []), { job, resolve }]);
      this.#waitingCount++;
      this.#next();
    });
  }

  /** Ends the thread; what waits is refused. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (let next = this.#takeNext(); next !== undefined; next = this.#takeNext()) next.resolve({ kind: "busy" });
    this.#settle(failure("the daemon stops"));
    await this.#worker?.terminate();
  }

  #next(): void {
    if (this.#current !== null) return;
    const next = this.#takeNext();
    if (next === undefined) return;
    this.#current = next;
    const worker = this.#worker ?? this.#start();
    this.#timer = setTimeout(() => this.#giveUp(worker, "an envelope took too long"), this.#timeoutMs);
    worker.postMessage(next.job);
  }

  // Whoever had a turn comes last again, so that one who writes much delays nobody else by more than one job.
  #takeNext(): Waiting | undefined {
    for (const [requester, [next, ...more]] of this.#waiting) {
      this.#waiting.delete(requester);
      if (more.length > 0) this.#waiting.set(requester, more);
      this.#waitingCount--;
      return next;
    }
    return undefined;
  }

  #start(): Worker {
    const workerData: EnvelopesTask = { kind: "envelopes", data: this.#data };
    const worker = new Worker(this.#program, { workerData });
    this.#worker = worker;
    worker.on("message", (reply: EnvelopeReply) => {
      if (this.#worker === worker) this.#settle(reply);
    });
    worker.on("error", (cause) => {
      const reason = messageOf(cause);
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
