// The thread of envelopes: what an agent's text costs to read, verify and keep is paid here, while the daemon decides on.
import { parentPort, workerData } from "node:worker_threads";
import { systemClock } from "../core/clock.ts";
import { invariant } from "../core/invariant.ts";
import type { EnvelopeJob, EnvelopeThreadData } from "./envelope-jobs.ts";
import { doEnvelopeJob } from "./envelope-work.ts";

invariant(parentPort !== null, "the thread of envelopes is started by its owner");
const port = parentPort;
// What the owner sent is what its types say: both are of this room.
const data = workerData as EnvelopeThreadData;
port.on("message", (job: EnvelopeJob) => port.postMessage(doEnvelopeJob(data, job, systemClock.now())));
