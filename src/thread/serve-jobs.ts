// The worker's side of a job thread: it reports that it is ready, then does one job after the other.
import type { MessagePort } from "node:worker_threads";

/** A message of the worker: first that it is ready, then the reply to each job. */
export type ThreadMessage<Reply> = { readonly kind: "ready" } | { readonly kind: "reply"; readonly reply: Reply };

/** Does the jobs that the owner of this thread sends. */
export function serveJobs<Job, Reply>(port: MessagePort, work: (job: Job) => Reply | Promise<Reply>): void {
  const say = (message: ThreadMessage<Reply>) => port.postMessage(message);
  port.on("message", async (job: Job) => say({ kind: "reply", reply: await work(job) }));
  say({ kind: "ready" });
}
