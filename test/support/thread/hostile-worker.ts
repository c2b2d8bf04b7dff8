// A worker whose jobs do what their text says: run forever, allocate memory, throw, end the thread, or return the job.
import { parentPort } from "node:worker_threads";
import { serveJobs } from "../../../src/thread/serve-jobs.ts";

if (parentPort === null) throw new Error("not started as a thread");
serveJobs(parentPort, (job: unknown) => {
  const text = JSON.stringify(job);
  if (text.includes("spin")) spin();
  if (text.includes("grow")) grow();
  if (text.includes("throw")) throw new Error("thrown");
  if (text.includes("exit")) process.exit(3);
  return job;
});

function spin(): never {
  for (;;) performance.now();
}

function grow(): never {
  const held: unknown[] = [];
  for (;;) held.push(new Uint8Array(1024 * 1024).fill(1));
}
