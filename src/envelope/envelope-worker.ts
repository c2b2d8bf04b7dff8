// The thread of envelopes: what an agent's text costs to read, verify and keep is paid here, while the daemon decides on.
import type { MessagePort } from "node:worker_threads";
import { systemClock } from "../core/clock.ts";
import type { EnvelopeJob, EnvelopeThreadData } from "./envelope-jobs.ts";
import { doEnvelopeJob } from "./envelope-work.ts";

/** Does the jobs that its owner sends, one after the other. */
export function serveEnvelopes(port: MessagePort, data: EnvelopeThreadData): void {
  port.on("message", (job: EnvelopeJob) => port.postMessage(doEnvelopeJob(data, job, systemClock.now())));
}
