// Pid -> facts from /proc. Each function reads one file once. The pid may belong to another process by then, so callers
// check the pinned process afterwards.
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

/** The kinds of namespaces that are compared. */
export type NamespaceKind = "pid" | "user";

/** One page, in bytes: the kernel fills it in one read, and most files of /proc are smaller. */
const FIRST_READ_BYTES = 4_096;

/** One buffer for all calls: each call is synchronous and done with it before the next one, and there is one for each request. */
const statBuffer = Buffer.alloc(FIRST_READ_BYTES);

/** Reads state, parent and start time of a process. */
export function readStat(pid: number): Result<ProcessStat, Problem> {
  const text = readWhole(`/proc/${pid}/stat`, (fd) => {
    // The kernel writes the line in one piece; a line that is cut short does not parse.
    return ok(statBuffer.toString("latin1", 0, readSync(fd, statBuffer, 0, statBuffer.length, null)));
  });
  return text.ok ? parseStat(text.value) : text;
}

/** Reads the cgroups of a process. */
export function readCgroup(pid: number): Result<readonly CgroupLine[], Problem> {
  const text = readProcFile(`/proc/${pid}/cgroup`);
  return text.ok ? parseCgroup(text.value) : text;
}

/** Reads the pids of a process, from the namespace of /proc inwards. */
export function readNamespacePids(pid: number | "self"): Result<readonly number[], Problem> {
  const text = readProcFile(`/proc/${pid}/status`);
  return text.ok ? parseNamespacePids(text.value) : text;
}

/** Reads the inode of a namespace of a process; needs the right to trace the process. */
export function readNamespace(pid: number | "self", kind: NamespaceKind): Result<number, Problem> {
  const link = readProcLink(`/proc/${pid}/ns/${kind}`);
  return link.ok ? parseNamespaceLink(kind, link.value) : link;
}

/** Whether a process with this pid and start time runs. */
export function isRunning(pid: number, startTime: number): boolean {
  const stat = readStat(pid);
  return stat.ok && stat.value.startTime === startTime && !isDead(stat.value);
}

/** Whether the process has ended and waits for its parent to reap it. */
export function isDead(stat: ProcessStat): boolean {
  return stat.state === "Z" || stat.state === "X" || stat.state === "x";
}

/** Reads a file of /proc or of a cgroup, one character for each byte; an error if it is longer than the limit. */
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

/** Reads the target of a link in /proc. */
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
