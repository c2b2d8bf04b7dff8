// The program's own code in memory: most of what was needed to start is never needed again, and an idle daemon should not
// hold on to it. The kernel reads a page again from the file, which nobody can write while it runs, if it is needed.
import { ok, type Result } from "../core/result.ts";
import type { Problem } from "../core/problem.ts";
import { libc } from "./ffi.ts";
import { readProcFile, readProcLink } from "./proc-files.ts";

/** madvise(2): the pages are let go of; of a file that is only read and run nothing is lost. */
const MADV_DONTNEED = 4;

/** A range of addresses. */
export type Range = { readonly start: bigint; readonly length: bigint };

/** Lets go of the pages of the program's code; gives how many ranges were let go of. */
export function releaseProgramPages(): Result<number, Problem> {
  const calls = libc();
  if (!calls.ok) return calls;
  const program = readProcLink("/proc/self/exe");
  if (!program.ok) return program;
  const maps = readProcFile("/proc/self/maps");
  if (!maps.ok) return maps;
  const ranges = codeRanges(maps.value, program.value);
  return ok(ranges.filter(({ start, length }) => calls.value.madvise(start, length, MADV_DONTNEED) === 0).length);
}

/** The ranges of /proc/self/maps that hold code of this file and nothing that was written since: never writable, private. */
export function codeRanges(maps: string, file: string): readonly Range[] {
  return maps.split("\n").flatMap((line) => {
    const [, from, to, path] = /^([0-9a-f]+)-([0-9a-f]+) r-xp [0-9a-f]+ \S+ [1-9]\d* +(.*)$/.exec(line) ?? [];
    if (from === undefined || to === undefined || path !== file) return [];
    const start = BigInt(`0x${from}`);
    return [{ start, length: BigInt(`0x${to}`) - start }];
  });
}
