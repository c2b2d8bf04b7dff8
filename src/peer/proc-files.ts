// Pid -> what /proc says of it. Each function is one read of one file: the answer may be of another process by the time
// it is looked at, so callers check the pinned process afterwards.
import { closeSync, openSync, readlinkSync, readSync } from "node:fs";
import { type Problem, problem } from "../core/problem.ts";
import { err, ok, type Result } from "../core/result.ts";
import {
  type CgroupLine,
  parseCgroup,
  parseNamespaceLink,
  parseNamespacePids,
  parseStat,
  PROC_FILE_BYTES,
  type ProcessStat,
} from "./proc.ts";

/** The kinds of namespaces that identity is about. */
export type NamespaceKind = "pid" | "user";

/** One page: the kernel fills it at once, and most files of /proc are smaller. */
const FIRST_READ_BYTES = 4_096;

/** Used by one call at a time, since it is read before anything else can run: this is asked for each request. */
const statBuffer = Buffer.alloc(FIRST_READ_BYTES);

/** State, parent and start time of a process. */
export function readStat(pid: number): Result<ProcessStat, Problem> {
  const text = readWhole(`/proc/${pid}/stat`, (fd) => {
    // The kernel writes the line at once into whatever has room for it; one that were cut short would not parse.
    return ok(statBuffer.toString("latin1", 0, readSync(fd, statBuffer, 0, statBuffer.length, null)));
  });
  return text.ok ? parseStat(text.value) : text;
}

/** The cgroups of a process. */
export function readCgroup(pid: number): Result<readonly CgroupLine[], Problem> {
  const text = readProcFile(`/proc/${pid}/cgroup`);
  return text.ok ? parseCgroup(text.value) : text;
}

/** The pids of a process in the namespaces from that of /proc inwards. */
export function readNamespacePids(pid: number | "self"): Result<readonly number[], Problem> {
  const text = readProcFile(`/proc/${pid}/status`);
  return text.ok ? parseNamespacePids(text.value) : text;
}

/** The inode of a namespace that a process is in; needs the right to trace it. */
export function readNamespace(pid: number | "self", kind: NamespaceKind): Result<number, Problem> {
  const link = readProcLink(`/proc/${pid}/ns/${kind}`);
  return link.ok ? parseNamespaceLink(kind, link.value) : link;
}

/** Whether a process is there, is the one that started at this time, and has not ended. */
export function isRunning(pid: number, startTime: number): boolean {
  const stat = readStat(pid);
  return stat.ok && stat.value.startTime === startTime && !isDead(stat.value);
}

/** Whether the process has ended and only waits to be reaped. */
export function isDead(stat: ProcessStat): boolean {
  return stat.state === "Z" || stat.state === "X" || stat.state === "x";
}

/** A file of /proc or a cgroup, one character for each byte; refused when it is longer than the limit. */
export function readProcFile(path: string, limitBytes = PROC_FILE_BYTES): Result<string, Problem> {
  return readWhole(path, (fd) => readBounded(path, fd, limitBytes));
}

function readWhole(path: string, read: (fd: number) => Result<string, Problem>): Result<string, Problem> {
  let fd: number;
  try {
    fd = openSync(path, "r");
  } catch (cause) {
    return unreadable(path, cause);
  }
  try {
    return read(fd);
  } catch (cause) {
    return unreadable(path, cause);
  } finally {
    closeSync(fd);
  }
}

/** The target of a link of /proc. */
export function readProcLink(path: string): Result<string, Problem> {
  try {
    return ok(readlinkSync(path));
  } catch (cause) {
    return unreadable(path, cause);
  }
}

function readBounded(path: string, fd: number, limitBytes: number): Result<string, Problem> {
  let buffer = Buffer.allocUnsafe(FIRST_READ_BYTES);
  let length = 0;
  while (length <= limitBytes) {
    const count = readSync(fd, buffer, length, buffer.length - length, null);
    if (count === 0) return ok(buffer.toString("latin1", 0, length));
    length += count;
    if (length === buffer.length) buffer = Buffer.concat([buffer, Buffer.allocUnsafe(buffer.length)]);
  }
  return unreadable(path, "too large");
}

function unreadable(path: string, cause: unknown): Result<never, Problem> {
  return err(problem("peer.unidentified", `cannot read ${path}`, { cause }));
}
