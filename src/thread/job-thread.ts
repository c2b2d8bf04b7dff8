// JobThread: a worker that does jobs for the serving thread, one at a time, in the order of a fair queue. After a failed job,
// the next job starts another worker. A worker without jobs is ended, because it keeps tens of megabytes.
import { FairQueue, type NotRun, type QueueLimits } from "../core/fair-queue.ts";
import { err, type Result } from "../core/result.ts";
import { Thread, type ThreadFailure, type ThreadOptions } from "./thread.ts";

/** The options of a job thread. */
export type JobThreadOptions = ThreadOptions & {
  /** How many jobs may wait, in all and for one key. */
  readonly limits: Pick<QueueLimits, "waiting" | "waitingPerKey">;
  /** How long a thread without work is kept, in milliseconds. */
  readonly idleMs?: number;
  /** Called whenever a thread ends, so that its memory can be collected. */
  readonly onEnd?: () => void;
};

/** The reason why a job has no reply: it was not begun, or it failed. */
export type JobFailure = { readonly kind: NotRun } | ThreadFailure;

/** How long a thread without work is kept, in milliseconds: an operator who looks at several requests needs one. */
const IDLE_MS = 3_000;

/** One thread and the jobs that wait for it. */
export class JobThread<Job, Reply> {
  readonly #options: JobThreadOptions;
  readonly #queue: FairQueue;
  readonly #closed = new AbortController();
  #thread: Thread<Job, Reply> | null = null;
  #idle: ReturnType<typeof setTimeout> | undefined;

  constructor(options: JobThreadOptions) {
    this.#options = options;
    this.#queue = new FairQueue({ ...options.limits, running: 1 });
  }

  /** Whether there is a thread now. */
  get isRunning(): boolean {
    return this.#thread !== null;
  }

  /** Does a job when the turn of its key comes. */
  async run(key: string, job: Job): Promise<Result<Reply, JobFailure>> {
    const done = await this.#queue.run(key, () => this.#do(job), this.#closed.signal);
    return done.ok ? done.value : err({ kind: done.error });
  }

  /** Ends the thread; jobs that wait are not begun. */
  async close(): Promise<void> {
    this.#closed.abort();
    clearTimeout(this.#idle);
    await this.#thread?.end("the daemon stops");
  }

  async #do(job: Job): Promise<Result<Reply, JobFailure>> {
    clearTimeout(this.#idle);
    const thread = this.#thread ?? this.#start();
    const reply = await thread.run(job);
    this.#idle = setTimeout(() => void thread.end("it has no work"), this.#options.idleMs ?? IDLE_MS);
    // The timer does not keep the process alive.
    this.#idle.unref();
    return reply;
  }

  #start(): Thread<Job, Reply> {
    const thread = new Thread<Job, Reply>(this.#options, () => {
      if (this.#thread === thread) this.#thread = null;
      this.#options.onEnd?.();
    });
    this.#thread = thread;
    return thread;
  }
}
