// The container source `namespace`: every pid namespace below the daemon's counts as a container. Every user of the host who
// may create namespaces can make such containers, so `auto` never chooses this source.
import { readdirSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import type { Problem } from "../core/problem.ts";
import { err, ok, type Result } from "../core/result.ts";
import { readOutermostPidNamespace } from "../peer/namespace.ts";
import { isRunning, readNamespace, readNamespacePids, readProcLink } from "../peer/proc-files.ts";
import { rejectPeer } from "../peer/rejection.ts";
import { type FirstProcess, hashedShortId, namelessContainer } from "./container.ts";
import type { ContainerFinder, Found } from "./finder.ts";
import { FirstProcesses, processAt } from "./first-process.ts";

/** Processes read before the event loop runs other work: about 20 µs each. */
const SCAN_BATCH = 128;

/** Makes a finder that identifies containers by their pid namespace. */
export function namespaceFinder(): ContainerFinder {
  const known = new FirstProcesses();
  return {
    kind: "namespace",
    readEvidence: (pid) => readProcLink(`/proc/${pid}/ns/pid`),
    find: (pid, _evidence, signal) => find(known, pid, signal),
    isCurrent: () => true,
    onChange: () => undefined,
    status: () => ({ ready: true, detail: "every pid namespace below the daemon's counts as a container" }),
    close: () => known.clear(),
  };
}

async function find(known: FirstProcesses, pid: number, signal: AbortSignal): Promise<Result<Found, Problem>> {
  const inode = readOutermostPidNamespace(pid);
  if (!inode.ok) return err(rejectPeer(pid, inode.error.message));
  if (inode.value === undefined) return err(rejectPeer(pid, "process is of the daemon's own pid namespace"));
  const first = known.recall(String(inode.value)) ?? await searchFirstProcess(inode.value, signal);
  if (first === undefined) return err(rejectPeer(pid, "first process of the pid namespace is not found"));
  known.remember(String(inode.value), first);
  const id = `ns-${inode.value}-${first.startTime}`;
  return ok({ container: namelessContainer(id, hashedShortId(id), first, "namespace"), first });
}

// The first process has pid 1 in the namespace. It need not be a parent of the peer.
async function searchFirstProcess(inode: number, signal: AbortSignal): Promise<FirstProcess | undefined> {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name)).map(Number);
  for (const [index, pid] of pids.entries()) {
    if (index % SCAN_BATCH === SCAN_BATCH - 1) await setImmediate();
    if (signal.aborted) return undefined;
    const first = firstProcessAt(pid, inode);
    if (first !== undefined) return first;
  }
  return undefined;
}

function firstProcessAt(pid: number, inode: number): FirstProcess | undefined {
  const process = processAt(pid);
  const pids = readNamespacePids(pid);
  if (process === undefined || !pids.ok || pids.value.length !== 2 || pids.value[1] !== 1) return undefined;
  const namespace = readNamespace(pid, "pid");
  if (!namespace.ok || namespace.value !== inode || !isRunning(pid, process.startTime)) return undefined;
  return process;
}
