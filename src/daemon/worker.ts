// The threads of the daemon: each is the daemon's own entry again, told by its owner what it is there for. So there is one
// entry in every form: from source, compiled, static.
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

// What a thread is there for.
type WorkerTask = RulesTask | EnvelopesTask | AnalysisTask;

/** Serves the thread that started this one, until that ends it. */
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
