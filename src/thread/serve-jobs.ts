// The side of a job thread that works: it says that it is ready, then does one job after the other.
import type { MessagePort } from "node:worker_threads";

/** What a thread says: first that it takes jobs, then the reply to each. */
export type ThreadMessage<Reply> = { readonly kind: "ready" } | { readonly kind: "reply"; readonly reply: Reply };

/** Does the jobs that the owner of this thread sends. */
export function serveJobs<Job, Reply>(port: MessagePort, work: (job: Job) => Reply | Promise<Reply>): void {
  const say = (message: ThreadMessage<Reply>) => port.postMessage(message);
  port.on("message", async (job: Job) => say({ kind: "reply", reply: await work(job) }));
  say({ kind: "ready" });
}
