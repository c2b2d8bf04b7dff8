// StoreThread: the log's store behind a thread of its own, asked one thing at a time. A thread that dies is started anew with
// the next question.
import { URL } from "node:url";
import { Worker } from "node:worker_threads";
import { invariant } from "../core/invariant.ts";
import { type Problem, problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import type { Limits } from "./retention.ts";
import type { Row } from "./row.ts";

/** What the thread is started with. */
export type StoreThreadData = { readonly stateDir: string; readonly limits: Limits };

/** What it is asked. */
export type StoreRequest =
  | { readonly kind: "open" }
  | { readonly kind: "append"; readonly rows: readonly Row[] }
  | { readonly kind: "close" };

/** What it says: how the last question went, or that something failed which nobody asked for. */
export type StoreReply =
  | { readonly kind: "done" }
  | { readonly kind: "failed"; readonly problem: Problem }
  | { readonly kind: "trouble"; readonly problem: Problem };

/** Told of what fails without having been asked for. */
export type OnTrouble = (problem: Problem) => void;

// A compiled program has its files below the place of its entry, not beside this one.
const WORKER = import.meta.url.startsWith("file:///$bunfs/") ? "./audit/worker.ts" : "./worker.ts";

/** The store of a state directory in its thread. */
export class StoreThread {
  readonly #data: StoreThreadData;
  readonly #onTrouble: OnTrouble;
  #worker: Worker | null = null;
  #waiting: ((result: Result<null, Problem>) => void) | null = null;

  constructor(data: StoreThreadData, onTrouble: OnTrouble) {
    this.#data = data;
    this.#onTrouble = onTrouble;
  }

  /** Opens the store. */
  open(): Promise<Result<null, Problem>> {
    return this.#ask({ kind: "open" });
  }

  /** Appends a batch; resolves when it is on disk, or with why it is not. */
  append(rows: readonly Row[]): Promise<Result<null, Problem>> {
    return this.#ask({ kind: "append", rows });
  }

  /** Closes the store and ends the thread. */
  async close(): Promise<void> {
    if (this.#worker !== null) await this.#ask({ kind: "close" });
    await this.abandon();
  }

  /** Ends the thread without waiting for what it does. */
  async abandon(): Promise<void> {
    await this.#worker?.terminate();
  }

  #ask(request: StoreRequest): Promise<Result<null, Problem>> {
    invariant(this.#waiting === null, "the log's thread is asked one thing at a time");
    const worker = this.#worker ?? this.#start();
    return new Promise((resolve) => {
      this.#waiting = resolve;
      worker.postMessage(request);
    });
  }

  #start(): Worker {
    const worker = new Worker(new URL(WORKER, import.meta.url), { workerData: this.#data });
    this.#worker = worker;
    worker.on("message", (reply: StoreReply) => {
      if (reply.kind === "trouble") this.#onTrouble(reply.problem);
      else this.#answer(reply.kind === "done" ? ok(null) : err(reply.problem));
    });
    worker.on("error", (cause) => {
      const reason = cause instanceof Error ? cause.message : String(cause);
      this.#onTrouble(problem("audit.store", `the decision log's thread failed: ${quote(reason)}`, { cause }));
    });
    worker.once("exit", () => {
      if (this.#worker === worker) this.#worker = null;
      this.#answer(err(problem("audit.store", "the decision log's thread ended")));
    });
    return worker;
  }

  #answer(result: Result<null, Problem>): void {
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting?.(result);
  }
}
