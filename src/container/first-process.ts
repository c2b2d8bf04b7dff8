// FirstProcesses: the first process of each container that was looked up, so that it is searched for once in a life. It
// is known by its start time and forgotten when it has ended.
import { isRunning, readStat } from "../peer/proc-files.ts";
import type { FirstProcess } from "./container.ts";

/** Most containers whose first process is remembered. */
export const REMEMBERED_FIRST_PROCESSES = 4_096;

/** First processes by whatever names their container. */
export class FirstProcesses {
  readonly #known = new Map<string, FirstProcess>();

  /** The first process, if it is known and still runs. */
  recall(key: string): FirstProcess | undefined {
    const first = this.#known.get(key);
    if (first === undefined || isRunning(first.pid, first.startTime)) return first;
    this.#known.delete(key);
    return undefined;
  }

  /** Remembers a first process; the longest known goes when there are too many. */
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

/** The earlier of two processes; of two that started in the same tick the one with the lower pid. */
export function earlierOf(a: FirstProcess | undefined, b: FirstProcess): FirstProcess {
  if (a === undefined || b.startTime < a.startTime) return b;
  return b.startTime === a.startTime && b.pid < a.pid ? b : a;
}

/** The process with this pid as it is now. */
export function processAt(pid: number): FirstProcess | undefined {
  const stat = readStat(pid);
  return stat.ok ? { pid, startTime: stat.value.startTime } : undefined;
}
