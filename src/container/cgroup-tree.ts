// Directories of a mounted cgroup hierarchy: the owners of a directory and all above it, the processes in it, and whether
// containers exist. Symbolic links are not followed: cgroup file systems have none, so a link means another file system.
import { lstatSync, readdirSync, type Stats } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { readProcFile } from "../peer/proc-files.ts";
import { idInName } from "./cgroup-path.ts";
import type { FirstProcess } from "./container.ts";
import { earlierOf, processAt } from "./first-process.ts";

/** Most cgroups of one container that are searched; a container that makes more is refused. */
export const CGROUPS_IN_CONTAINER = 1_024;
/** Most processes of one container: as many as a kernel has pids by default. */
export const PROCESSES_IN_CONTAINER = 32_768;
/** Longest list of processes, in bytes: each pid has up to seven digits and a line feed. */
const PROCESS_LIST_BYTES = PROCESSES_IN_CONTAINER * 8;
/** Cgroups or processes that are read before the event loop runs other work. */
const SCAN_BATCH = 128;
/** Limits of the search for containers at start: levels, and cgroups in all. */
const LAYOUT_DEPTH = 6;
const LAYOUT_CGROUPS = 4_096;

const WRITABLE_BY_OTHERS = 0o022;

// Cgroups that engines make at the top of a hierarchy and keep while no container runs.
const ENGINES_CGROUPS: readonly string[] = ["docker", "libpod_parent", "kubepods", "kubepods.slice"];

/** Whether only `owners` may change a cgroup and all cgroups above it, so that its name can be trusted. */
export function isTrusted(mountPath: string, path: string, owners: readonly number[]): boolean {
  const names = path.split("/").filter((name) => name !== "");
  if (names.includes("..") || names.includes(".")) return false;
  let directory = mountPath;
  if (!isDirectoryOf(directory, owners)) return false;
  for (const name of names) {
    directory = `${directory}/${name}`;
    if (!isDirectoryOf(directory, owners)) return false;
  }
  // A user who may write these files can move processes into the cgroup. `tasks` is cgroup version 1's.
  const tasks = statOf(`${directory}/tasks`);
  return isOwned(statOf(`${directory}/cgroup.procs`), owners) && (tasks === undefined || isOwned(tasks, owners));
}

/** Whether a process is in this cgroup itself, and not only in a cgroup below it. */
export function holdsProcess(directory: string, pid: number): boolean {
  return processesIn(directory)?.includes(pid) ?? false;
}

/** Returns the earliest process of a cgroup and the cgroups below it; undefined if there is none, or over the limits. */
export async function earliestProcess(directory: string, signal: AbortSignal): Promise<FirstProcess | undefined> {
  const directories = [directory];
  let first: FirstProcess | undefined;
  let processes = 0;
  for (const [index, next] of directories.entries()) {
    if (index % SCAN_BATCH === SCAN_BATCH - 1) await setImmediate();
    const pids = processesIn(next);
    if (pids === undefined) return undefined;
    for (const pid of pids) {
      if (++processes % SCAN_BATCH === 0) await setImmediate();
      const process = processAt(pid);
      if (process !== undefined) first = earlierOf(first, process);
    }
    directories.push(...subdirectories(next));
    const isTooMuch = directories.length > CGROUPS_IN_CONTAINER || processes > PROCESSES_IN_CONTAINER;
    if (isTooMuch || signal.aborted) return undefined;
  }
  return first;
}

/** Whether a container engine has made cgroups below a mount. */
export function hasContainerLayout(mountPath: string): boolean {
  let level: readonly string[] = [mountPath];
  let count = 0;
  for (let depth = 0; depth < LAYOUT_DEPTH && count < LAYOUT_CGROUPS; depth++) {
    const names = level.flatMap(subdirectories);
    if (depth === 0 && names.some((path) => ENGINES_CGROUPS.includes(nameOf(path)))) return true;
    if (names.some((path) => idInName(nameOf(path)) !== undefined)) return true;
    count += names.length;
    level = names;
  }
  return false;
}

function processesIn(directory: string): readonly number[] | undefined {
  const text = readProcFile(`${directory}/cgroup.procs`, PROCESS_LIST_BYTES);
  return text.ok ? text.value.split("\n").filter((line) => /^\d+$/.test(line)).map(Number) : undefined;
}

function subdirectories(directory: string): readonly string[] {
  try {
    const entries = readdirSync(directory, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map((entry) => `${directory}/${entry.name}`);
  } catch {
    return []; // The cgroup was removed, so it has no processes.
  }
}

function isDirectoryOf(path: string, owners: readonly number[]): boolean {
  const stat = statOf(path);
  return stat?.isDirectory() === true && isOwned(stat, owners);
}

function isOwned(stat: Stats | undefined, owners: readonly number[]): boolean {
  return stat !== undefined && owners.includes(stat.uid) && (stat.mode & WRITABLE_BY_OTHERS) === 0;
}

function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined; // The file is missing, and no caller trusts a missing file.
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
