// Whether /proc belongs to our own pid namespace. Every pid that the kernel gives is looked up in /proc, and the /proc of
// another namespace would describe other processes. This is checked once, before any peer is identified.
import { type Problem, problem } from "../core/problem.ts";
import { err, ok, type Result } from "../core/result.ts";
import { readNamespacePids, readProcLink } from "./proc-files.ts";

/** Checks that /proc exists and belongs to our own pid namespace. */
export function checkOwnProc(): Result<null, Problem> {
  const self = readProcLink("/proc/self");
  if (!self.ok) return self;
  const pids = readNamespacePids("self");
  if (!pids.ok) return pids;
  const [pid] = pids.value;
  const isOwn = pids.value.length === 1 && pid === process.pid && self.value === String(pid);
  return isOwn ? ok(null) : err(problem("peer.unidentified", "/proc is that of another pid namespace"));
}
