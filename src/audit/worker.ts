// The thread of the decision log: rows come in, a batch at a time, and each is answered once it is on disk. What a disk
// takes its time for happens here, so that the thread which serves never waits for it.
import { parentPort, workerData } from "node:worker_threads";
import { systemClock } from "../core/clock.ts";
import { invariant } from "../core/invariant.ts";
import type { Problem } from "../core/problem.ts";
import { ok, type Result } from "../core/result.ts";
import { Appender } from "./appender.ts";
import type { StoreReply, StoreRequest, StoreThreadData } from "./thread.ts";

/** How often a thread that has nothing to do looks for records that are too old, in milliseconds. */
const SHORTEST_CHECK_MS = 1_000;
const LONGEST_CHECK_MS = 3_600_000;

/** A check now and then in the life of a record is enough. */
const CHECKS_PER_LIFE = 24;

invariant(parentPort !== null, "the log's thread is started by its owner");
const port = parentPort;
// What the owner sent is what its types say: both are of this room.
const { stateDir, limits } = workerData as StoreThreadData;
const appender = new Appender({ stateDir, limits, clock: systemClock });
const checkMs = Math.min(Math.max(limits.keepMs / CHECKS_PER_LIFE, SHORTEST_CHECK_MS), LONGEST_CHECK_MS);
const removal = { isRunning: false, lastMs: systemClock.monotonicMs() };

port.on("message", (request: StoreRequest) => {
  switch (request.kind) {
    case "open":
      return reply(appender.open());
    case "append": {
      reply(appender.append(request.rows));
      return removeOld();
    }
    case "close":
      appender.close();
      return reply(ok(null));
  }
});
setInterval(removeOld, checkMs).unref();

function reply(result: Result<unknown, Problem>): void {
  const answer: StoreReply = result.ok ? { kind: "done" } : { kind: "failed", problem: plain(result.error) };
  port.postMessage(answer);
}

// One slice, then whoever waits, then the next.
function removeOld(): void {
  if (removal.isRunning) return;
  const isDue = systemClock.monotonicMs() - removal.lastMs >= checkMs;
  if (!isDue && !appender.isOverSize) return;
  removal.isRunning = true;
  removal.lastMs = systemClock.monotonicMs();
  const next = () => {
    const removed = appender.removeSlice();
    if (removed.ok && removed.value) return void setImmediate(next);
    removal.isRunning = false;
    if (!removed.ok) port.postMessage({ kind: "trouble", problem: plain(removed.error) } satisfies StoreReply);
  };
  setImmediate(next);
}

// What was thrown does not cross threads.
function plain({ code, message, hint }: Problem): Problem {
  return hint === undefined ? { code, message } : { code, message, hint };
}
