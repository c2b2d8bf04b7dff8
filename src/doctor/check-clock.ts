// The clock: records, rate windows and envelopes are judged by it.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../core/clock.ts";
import { quote } from "../core/quote.ts";
import { type Check, doubtful, failed, fine } from "./check.ts";
import { lookAt } from "./look.ts";

/** No clock of a host that runs this program can be before it, in milliseconds since 1970. */
export const NOT_BEFORE_MS = Date.UTC(2026, 0, 1);

/** How far ahead a file may be, in milliseconds: file systems of other hosts differ a little. */
export const AHEAD_MS = 60_000;

/** Holds the clock against the program's own age and against the files of a directory. */
export function checkClock(clock: Pick<Clock, "now">, dir: string): Check {
  const name = "clock";
  const now = clock.now();
  const remedy = "timedatectl set-ntp true";
  if (now.getTime() < NOT_BEFORE_MS) return failed(name, `it is ${now.toISOString()}, before this program was`, remedy);
  const ahead = newestAfter(dir, now.getTime() + AHEAD_MS);
  if (ahead === null) return fine(name, now.toISOString());
  const found = `it is ${now.toISOString()}, and ${quote(ahead.path)} is of ${ahead.at.toISOString()}`;
  return doubtful(name, found, `${remedy}, or touch the file`);
}

function newestAfter(dir: string, limitMs: number): { readonly path: string; readonly at: Date } | null {
  const found = lookAt(dir);
  if (found.kind !== "there" || !found.stats.isDirectory()) return null;
  for (const path of [dir, ...listNames(dir).map((each) => join(dir, each))]) {
    const looked = lookAt(path);
    if (looked.kind === "there" && looked.stats.mtimeMs > limitMs) return { path, at: looked.stats.mtime };
  }
  return null;
}

function listNames(dir: string): readonly string[] {
  try {
    return readdirSync(dir).sort();
  } catch {
    // What may not be listed is another check's matter.
    return [];
  }
}
