// The clock: the times of records and the ages of envelopes depend on it.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../core/clock.ts";
import { quote } from "../core/quote.ts";
import { type Check, doubtful, failed, fine } from "./check.ts";
import { lookAt } from "./look.ts";

/** The program is newer than this, so a clock that shows an earlier time is wrong; milliseconds since 1970. */
export const NOT_BEFORE_MS = Date.UTC(2026, 0, 1);

/** How far in the future a file's time may be, in milliseconds: clocks of network file systems differ a little. */
export const AHEAD_MS = 60_000;

/** Compares the clock with the age of the program and with the files of a directory. */
export function checkClock(clock: Pick<Clock, "now">, dir: string): Check {
  const name = "clock";
  const now = clock.now();
  const remedy = "timedatectl set-ntp true";
  if (now.getTime() < NOT_BEFORE_MS) {
    return failed(name, `the clock says ${now.toISOString()}, which is before this program was made`, remedy);
  }
  const ahead = newestAfter(dir, now.getTime() + AHEAD_MS);
  if (ahead === null) return fine(name, now.toISOString());
  const found = `the clock says ${now.toISOString()}, but ${
    quote(ahead.path)
  } was changed at ${ahead.at.toISOString()}`;
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
    // Another check reports a directory that cannot be listed.
    return [];
  }
}
