// The worker threads of the daemon. Each runs the entry of the daemon with a task, so that one entry is enough in every form of
// the program: from source, compiled, static.
import { parentPort, workerData } from "node:worker_threads";
import { systemClock } from "../core/clock.ts";
import { invariant } from "../core/invariant.ts";
import { compileAsUsual } from "./engine.ts";
import type { EnvelopeJob, EnvelopesTask } from "../envelope/envelope-jobs.ts";
import { doEnvelopeJob } from "../envelope/envelope-work.ts";
import type { AnalysisJob, AnalysisTask } from "../request/analysis-jobs.ts";
import { doAnalysisJob } from "../request/analysis-work.ts";
import { createRuleEnvironment } from "../rule/check-ahead.ts";
import { type RulesTask, serveParts } from "../reload/directory-parts.ts";
import { serveJobs } from "../thread/serve-jobs.ts";

// The task of a worker.
type WorkerTask = RulesTask | EnvelopesTask | AnalysisTask;

/** Runs the task of this worker until its owner ends it. */
export function serveAsWorker(): void {
  invariant(parentPort !== null, "a worker is started by its owner");
  const task: WorkerTask = workerData;
  compileAsUsual();
  switch (task.kind) {
    case "rules":
      return serveParts(parentPort, task.options);
    case "requests": {
      const environment = createRuleEnvironment();
      return serveJobs(parentPort, (job: AnalysisJob) => doAnalysisJob(job, environment));
    }
    case "envelopes":
      return serveJobs(parentPort, (job: EnvelopeJob) => doEnvelopeJob(task.data, job, systemClock.now()));
  }
}
