// Lines of /proc -> values. A process chooses its own name and may choose the names of its cgroups, so every parser accepts
// any text: the result is a value or a problem, never an exception, and unknown forms are refused. Texts are Latin-1, one
// character for each byte, so that different bytes stay different.
import { type Problem, problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";

/** The members of /proc/<pid>/stat that are used; the start time is in clock ticks since boot. */
export type ProcessStat = {
  readonly pid: number;
  readonly state: string;
  readonly parent: number;
  readonly startTime: number;
};

/** One line of /proc/<pid>/cgroup; hierarchy 0 without controllers is version 2. */
export type CgroupLine = { readonly hierarchy: number; readonly controllers: readonly string[]; readonly path: string };

/** Most bytes of a file of /proc; the largest, a cgroup list, has 16 paths of 4,096 bytes at most. */
export const PROC_FILE_BYTES = 131_072;

// Field 22 of proc_pid_stat(5), counted from the state, which is field 3 and follows the name.
const START_TIME_AFTER_NAME = 22 - 3;
const PARENT_AFTER_NAME = 4 - 3;

/** Parses /proc/<pid>/stat; the name may hold spaces, parentheses and line ends, so it ends at the last parenthesis. */
export function parseStat(text: string): Result<ProcessStat, Problem> {
  const open = text.indexOf(" (");
  const close = text.lastIndexOf(") ");
  if (open < 0 || close < open) return malformed("stat", text);
  const fields = text.slice(close + 2).trimEnd().split(" ");
  const pid = wholeNumber(text.slice(0, open));
  const [state = ""] = fields;
  const parent = wholeNumber(fields[PARENT_AFTER_NAME]);
  const startTime = wholeNumber(fields[START_TIME_AFTER_NAME]);
  if (pid === undefined || pid === 0 || parent === undefined || startTime === undefined || !/^[A-Za-z]$/.test(state)) {
    return malformed("stat", text);
  }
  return ok({ pid, state, parent, startTime });
}

/** Parses /proc/<pid>/cgroup; the path is everything after the second colon. */
export function parseCgroup(text: string): Result<readonly CgroupLine[], Problem> {
  if (text.length > PROC_FILE_BYTES) return malformed("cgroup list", text);
  const lines: CgroupLine[] = [];
  for (const line of linesOf(text)) {
    const [, number, controllers, path] = /^(\d+):([^:]*):(\/.*)$/s.exec(line) ?? [];
    const hierarchy = wholeNumber(number);
    if (hierarchy === undefined || controllers === undefined || path === undefined) return malformed("cgroup", line);
    if (lines.some((other) => other.hierarchy === hierarchy)) return malformed("cgroup", line);
    lines.push({ hierarchy, controllers: controllers === "" ? [] : controllers.split(","), path });
  }
  return ok(lines);
}

/** Parses the NSpid line of /proc/<pid>/status: the pids from the namespace of /proc inwards; never empty. */
export function parseNamespacePids(text: string): Result<readonly number[], Problem> {
  const pids = onlyField(text, "NSpid")?.split("\t").map(wholeNumber);
  if (pids === undefined || pids.length === 0 || !pids.every((pid) => pid !== undefined)) {
    return malformed("process status", text);
  }
  return ok(pids);
}

/** Parses the pid in /proc/self/fdinfo/<pidfd>: -1 once the process is reaped, 0 if it is in another namespace tree. */
export function parseFdinfoPid(text: string): Result<number, Problem> {
  const field = onlyField(text, "Pid");
  const pid = field === "-1" ? -1 : wholeNumber(field);
  return pid === undefined ? malformed("descriptor information", text) : ok(pid);
}

/** Parses the inode in a link of /proc/<pid>/ns, such as `pid:[4026531836]`. */
export function parseNamespaceLink(kind: string, link: string): Result<number, Problem> {
  const [, name, digits] = /^([a-z_]+):\[(\d+)\]$/.exec(link) ?? [];
  const inode = wholeNumber(digits);
  return name !== kind || inode === undefined || inode === 0 ? malformed("namespace link", link) : ok(inode);
}

// The value of a `Name:\tvalue` line that occurs exactly once. The kernel escapes line feeds in names of processes; a second
// line would mean that it did not.
function onlyField(text: string, name: string): string | undefined {
  const found = linesOf(text).filter((line) => line.startsWith(`${name}:\t`));
  return found.length === 1 ? found[0]?.slice(name.length + 2) : undefined;
}

function linesOf(text: string): readonly string[] {
  return (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n").filter((line) => line !== "");
}

function wholeNumber(digits: string | undefined): number | undefined {
  if (digits === undefined || !/^\d{1,16}$/.test(digits)) return undefined;
  const value = Number(digits);
  return Number.isSafeInteger(value) ? value : undefined;
}

function malformed(what: string, text: string): Result<never, Problem> {
  return err(problem("peer.unidentified", `malformed ${what}: ${quote(text)}`));
}
