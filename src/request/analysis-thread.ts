// AnalysisThread: the thread that parses, checks and compiles the submissions of agents. The serving thread does none of that,
// so no rule request can delay a permission check, whatever it contains.
import type { URL } from "node:url";
import { type Problem, problem } from "../core/problem.ts";
import { err, ok, type Result } from "../core/result.ts";
import { type JobFailure, JobThread } from "../thread/job-thread.ts";
import type { AnalysisJob, AnalysisReply, AnalysisTask } from "./analysis-jobs.ts";

/** How long one analysis may take, in milliseconds: twenty times what the limits of a submission allow. */
const ANALYSIS_MS = 2_000;

/** By how many bytes the process may grow during one analysis: four times what the limits of a submission allow. */
const ANALYSIS_GROWTH_BYTES = 256 * 1024 * 1024;

/** Most analyses that wait, in all and for one container, which may submit ten requests a minute. */
export const ANALYSIS_LIMITS = { waiting: 64, waitingPerKey: 4 } as const;

/** Analyses rule requests. */
export type Analyze = (job: AnalysisJob, requester: string) => Promise<Result<AnalysisReply, Problem>>;

/** The queue key of the operator's jobs. The operator takes turns with the containers. */
export const OPERATOR = "";

/** The options of an analysis thread. */
export type AnalysisOptions = {
  /** The entry file of the daemon, which detects that it runs as a thread. */
  readonly program: URL;
  /** Called with the reason when the thread fails. That is a bug, not the fault of a submission. */
  readonly onFailure: (reason: string) => void;
  /** Called whenever a thread ends, so that its memory can be collected. */
  readonly onEnd?: () => void;
  readonly jobMs?: number;
  readonly growthBytes?: number;
  readonly idleMs?: number;
};

/** The analyses of one daemon. */
export class AnalysisThread {
  readonly #thread: JobThread<AnalysisJob, AnalysisReply>;
  readonly #onFailure: (reason: string) => void;

  constructor({ onFailure, ...options }: AnalysisOptions) {
    const task: AnalysisTask = { kind: "requests" };
    const costs = { jobMs: ANALYSIS_MS, growthBytes: ANALYSIS_GROWTH_BYTES };
    this.#thread = new JobThread({ ...costs, ...options, task, limits: ANALYSIS_LIMITS });
    this.#onFailure = onFailure;
  }

  /** Whether a thread runs now. */
  get isRunning(): boolean {
    return this.#thread.isRunning;
  }

  /** Does one job in its requester's turn. The error says why there is no result: no room, too much time, or too much memory. */
  readonly analyze: Analyze = async (job, requester) => {
    const reply = await this.#thread.run(requester, job);
    if (reply.ok) return ok(reply.value);
    if (reply.error.kind === "failed") this.#onFailure(reply.error.reason);
    return err(problemOf(reply.error));
  };

  /** Ends the thread; jobs that wait are refused. */
  async close(): Promise<void> {
    await this.#thread.close();
  }
}

function problemOf({ kind }: JobFailure): Problem {
  switch (kind) {
    case "late":
      return problem("rule.limit", "rule request: its analysis takes too long");
    case "large":
      return problem("rule.limit", "rule request: its analysis takes too much memory");
    case "full":
      return problem("request.not-analyzed", "too many rule requests are being analysed");
    case "aborted":
    case "failed":
      return problem("request.not-analyzed", "the rule request cannot be analysed now");
  }
}
