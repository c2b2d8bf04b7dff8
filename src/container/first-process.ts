// FirstProcesses: remembers the first process of each container, so that it is searched for once for each instance. A
// process that has ended, by its pid and start time, is forgotten.
import { isRunning, readStat } from "../peer/proc-files.ts";
import type { FirstProcess } from "./container.ts";

/** Most containers whose first process is remembered. */
export const REMEMBERED_FIRST_PROCESSES = 4_096;

/** First processes, each under a name of its container. */
export class FirstProcesses {
  readonly #known = new Map<string, FirstProcess>();

  /** Returns the first process, if it is known and still runs. */
  recall(key: string): FirstProcess | undefined {
    const first = this.#known.get(key);
    if (first === undefined || isRunning(first.pid, first.startTime)) return first;
    this.#known.delete(key);
    return undefined;
  }

  /** Remembers a first process; over the limit the oldest entry is removed. */
  remember(key: string, first: FirstProcess): void {
    this.#known.delete(key);
    this.#known.set(key, first);
    const [oldest] = this.#known.keys();
    if (this.#known.size > REMEMBERED_FIRST_PROCESSES && oldest !== undefined) this.#known.delete(oldest);
  }

  /** Forgets everything. */
  clear(): void {
    this.#known.clear();
  }
}

/** Returns the earlier of two processes; if both started in the same clock tick, the one with the lower pid. */
export function earlierOf(a: FirstProcess | undefined, b: FirstProcess): FirstProcess {
  if (a === undefined || b.startTime < a.startTime) return b;
  return b.startTime === a.startTime && b.pid < a.pid ? b : a;
}

/** Reads the process that has this pid now. */
export function processAt(pid: number): FirstProcess | undefined {
  const stat = readStat(pid);
  return stat.ok ? { pid, startTime: stat.value.startTime } : undefined;
}
