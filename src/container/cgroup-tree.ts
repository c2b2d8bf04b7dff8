// Directories of a mounted cgroup hierarchy: who owns the way down to one, which processes it holds, and which containers
// can be seen. Read without following links: the kernel makes none here, so one would be a sign of something else.
import { lstatSync, readdirSync, type Stats } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { readProcFile } from "../peer/proc-files.ts";
import { idInName } from "./cgroup-path.ts";
import type { FirstProcess } from "./container.ts";
import { earlierOf, processAt } from "./first-process.ts";

/** Most cgroups of one container that are looked into; a container that makes more is refused. */
export const CGROUPS_IN_CONTAINER = 1_024;
/** Most processes of one container: as many as a kernel has pids by default. */
export const PROCESSES_IN_CONTAINER = 32_768;
/** Longest list of processes: pids of seven digits and a line end each. */
const PROCESS_LIST_BYTES = PROCESSES_IN_CONTAINER * 8;
/** Cgroups and processes looked at before others get a turn. */
const SCAN_BATCH = 128;
/** How deep, and among how many cgroups, containers are looked for at start. */
const LAYOUT_DEPTH = 6;
const LAYOUT_CGROUPS = 4_096;

const WRITABLE_BY_OTHERS = 0o022;

// What engines make at the top of a hierarchy and leave there while no container runs.
const ENGINES_CGROUPS: readonly string[] = ["docker", "libpod_parent", "kubepods", "kubepods.slice"];

/** Whether only root and the owner may change a cgroup and all above it, so that its name can be trusted. */
export function isTrusted(mountPath: string, path: string, owners: readonly number[]): boolean {
  const names = path.split("/").filter((name) => name !== "");
  if (names.includes("..") || names.includes(".")) return false;
  let directory = mountPath;
  if (!isDirectoryOf(directory, owners)) return false;
  for (const name of names) {
    directory = `${directory}/${name}`;
    if (!isDirectoryOf(directory, owners)) return false;
  }
  // Who may write these moves processes in, whoever owns the directory; the second is version 1's.
  const tasks = statOf(`${directory}/tasks`);
  return isOwned(statOf(`${directory}/cgroup.procs`), owners) && (tasks === undefined || isOwned(tasks, owners));
}

/** Whether a cgroup holds a process itself, not one below it. */
export function holdsProcess(directory: string, pid: number): boolean {
  return processesIn(directory)?.includes(pid) ?? false;
}

/** The process of a cgroup and those below it that started first; undefined when there is none or too much to look at. */
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

/** Whether an engine's cgroups are to be seen below a mount. */
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
    return []; // removed meanwhile, and its processes with it
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
    return undefined; // not there, which no caller takes for trusted
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
