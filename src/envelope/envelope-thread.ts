// EnvelopeThread: the thread that verifies and keeps envelopes. A container's jobs run in the order in which they came, and the
// containers take turns. Every job gets a reply.
import type { URL } from "node:url";
import { problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { type JobFailure, JobThread } from "../thread/job-thread.ts";
import type { EnvelopeJob, EnvelopeReply, EnvelopesTask, EnvelopeThreadData } from "./envelope-jobs.ts";

/** How long one job may take, in milliseconds: several times what the limits of an agent's envelope allow. */
const JOB_TIMEOUT_MS = 10_000;

/** Most jobs that wait: enough for fifty containers that each write ten envelopes a minute. */
export const WAITING_LIMIT = 512;

/** The jobs of one daemon. */
export class EnvelopeThread {
  readonly #thread: JobThread<EnvelopeJob, EnvelopeReply>;

  /** Takes the entry file of the daemon, which is started as a thread with the first job. */
  constructor(data: EnvelopeThreadData, program: URL, jobMs = JOB_TIMEOUT_MS) {
    const task: EnvelopesTask = { kind: "envelopes", data };
    this.#thread = new JobThread({ program, task, jobMs, limits: { waiting: WAITING_LIMIT } });
  }

  /** Does a job in its container's turn. The operator's jobs take turns with the containers. */
  async run(job: EnvelopeJob): Promise<EnvelopeReply> {
    const reply = await this.#thread.run(job.kind === "view" ? "" : job.owner.id, job);
    return reply.ok ? reply.value : replyTo(reply.error);
  }

  /** Ends the thread; jobs that wait are refused. */
  async close(): Promise<void> {
    await this.#thread.close();
  }
}

function replyTo(failure: JobFailure): EnvelopeReply {
  switch (failure.kind) {
    case "full":
    case "aborted":
      return { kind: "busy" };
    case "late":
      return failed("an envelope took too long");
    case "large":
      return failed("an envelope took too much memory");
    case "failed":
      return failed(`the thread of envelopes failed: ${quote(failure.reason)}`);
  }
}

function failed(message: string): EnvelopeReply {
  return { kind: "problem", problem: problem("rulespec.store", message) };
}
