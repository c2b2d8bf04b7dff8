// The container source `cgroup`. The id in the name of the peer's cgroup counts if only root (or the user of a rootless
// engine) can change that cgroup and all above it, and the cgroup holds the process. No engine is asked, so names of
// containers are not known.
import type { Problem } from "../core/problem.ts";
import { err, ok, type Result } from "../core/result.ts";
import { type CgroupLine, parseCgroup } from "../peer/proc.ts";
import { isRunning, readProcFile } from "../peer/proc-files.ts";
import { rejectPeer } from "../peer/rejection.ts";
import { type CgroupMount, mountOf } from "./cgroup-mount.ts";
import { containerIdOf, containerPath } from "./cgroup-path.ts";
import { earliestProcess, holdsProcess, isTrusted } from "./cgroup-tree.ts";
import { namelessContainer, shortIdOf } from "./container.ts";
import type { ContainerFinder, Found } from "./finder.ts";
import { FirstProcesses } from "./first-process.ts";

/** The mounted hierarchies, and the users that may own a container's cgroup. */
export type CgroupOptions = { readonly mounts: readonly CgroupMount[]; readonly owners: readonly number[] };

/** Makes a finder that identifies containers by their cgroups and the owners of these. */
export function cgroupFinder(options: CgroupOptions): ContainerFinder {
  const known = new FirstProcesses();
  return {
    kind: "cgroup",
    readEvidence: (pid) => readProcFile(`/proc/${pid}/cgroup`),
    find: (pid, evidence, signal) => find(options, known, { pid, evidence, signal }),
    isCurrent: () => true,
    onChange: () => undefined,
    status: () => ({ ready: true, detail: `${options.mounts.length} cgroup hierarchies` }),
    close: () => known.clear(),
  };
}

type Question = { readonly pid: number; readonly evidence: string; readonly signal: AbortSignal };

async function find(
  options: CgroupOptions,
  known: FirstProcesses,
  { pid, evidence, signal }: Question,
): Promise<Result<Found, Problem>> {
  const lines = parseCgroup(evidence);
  if (!lines.ok) return err(rejectPeer(pid, lines.error.message));
  const id = containerIdOf(lines.value);
  if (!id.ok) return err(rejectPeer(pid, id.error));
  const directory = verifyCgroups(options, lines.value, pid);
  if (!directory.ok) return err(rejectPeer(pid, directory.error));
  const first = known.recall(directory.value) ?? await earliestProcess(directory.value, signal);
  if (first === undefined || !isRunning(first.pid, first.startTime)) {
    return err(rejectPeer(pid, "first process of the container is not found"));
  }
  known.remember(directory.value, first);
  return ok({ container: namelessContainer(id.value, shortIdOf(id.value), first, "cgroup"), first });
}

/** Verifies every line that names the container and returns the directory of the container's cgroup. */
export function verifyCgroups(
  { mounts, owners }: CgroupOptions,
  lines: readonly CgroupLine[],
  pid: number,
): Result<string, string> {
  let verified: string | undefined;
  for (const line of lines) {
    const path = containerPath(line.path);
    const mount = path === undefined ? undefined : mountOf(line, mounts);
    if (path === undefined || mount === undefined) continue;
    if (!isTrusted(mount.path, path, owners)) return err("the container's cgroup can be changed by others");
    if (!holdsProcess(`${mount.path}${line.path}`, pid)) return err("the container's cgroup does not hold the process");
    verified ??= `${mount.path}${path}`;
  }
  return verified === undefined ? err("no hierarchy that names the container is mounted") : ok(verified);
}
