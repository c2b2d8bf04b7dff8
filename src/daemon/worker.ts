// The threads of the daemon: each is the daemon's own entry again, told by its owner what it is there for. So there is one
// entry in every form: from source, compiled, static.
import { parentPort, workerData } from "node:worker_threads";
import { invariant } from "../core/invariant.ts";
import { compileAsUsual } from "./engine.ts";
import type { EnvelopesTask } from "../envelope/envelope-jobs.ts";
import { serveEnvelopes } from "../envelope/envelope-worker.ts";
import { type RulesTask, serveParsing } from "../reload/parse-worker.ts";

// What a thread is there for.
type WorkerTask = RulesTask | EnvelopesTask;

/** Serves the thread that started this one, until that ends it. */
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
