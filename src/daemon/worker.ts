// The worker threads of the daemon. Each runs the entry of the daemon with a task, so that one entry is enough in every form of
// the program: from source, compiled, static.
import { parentPort, workerData } from "node:worker_threads";
import { invariant } from "../core/invariant.ts";
import { compileAsUsual } from "./engine.ts";
import type { EnvelopesTask } from "../envelope/envelope-jobs.ts";
import { serveEnvelopes } from "../envelope/envelope-worker.ts";
import { type RulesTask, serveParsing } from "../reload/parse-worker.ts";

/** The task of a worker. */
export type WorkerTask = RulesTask | EnvelopesTask;

/** Runs the task of this worker until its owner ends it. */
export function serveAsWorker(): void {
  invariant(parentPort !== null, "a worker is started by its owner");
  const task: WorkerTask = workerData;
  compileAsUsual();
  switch (task.kind) {
    case "rules":
      return serveParsing(parentPort, task.options);
    case "envelopes":
      return serveEnvelopes(parentPort, task.data);
  }
}
