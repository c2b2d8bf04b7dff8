// A worker that starts slowly and returns each job.
import { parentPort } from "node:worker_threads";
import { serveJobs } from "../../../src/thread/serve-jobs.ts";

const START_MS = 3_000;

if (parentPort === null) throw new Error("not started as a thread");
const port = parentPort;
setTimeout(() => serveJobs(port, (job: unknown) => job), START_MS);
