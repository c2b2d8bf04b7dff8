// /proc/self/mountinfo -> the mounts of cgroup hierarchies, and the mount of the hierarchy that a line of /proc/<pid>/cgroup
// names. A mount that shows only a part of a hierarchy is left out, because paths mean something else in it.
import type { Problem } from "../core/problem.ts";
import { ok, type Result } from "../core/result.ts";
import type { CgroupLine } from "../peer/proc.ts";
import { readProcFile } from "../peer/proc-files.ts";

/** A mounted hierarchy; `controllers` is null for version 2. */
export type CgroupMount = { readonly path: string; readonly controllers: readonly string[] | null };

/** Largest mount list that is read, in bytes: busy hosts have thousands of mounts of a few hundred bytes each. */
const MOUNT_LIST_BYTES = 4 * 1024 * 1024;

/** Reads the mounted hierarchies of this host. */
export function readCgroupMounts(): Result<readonly CgroupMount[], Problem> {
  const text = readProcFile("/proc/self/mountinfo", MOUNT_LIST_BYTES);
  return text.ok ? ok(parseCgroupMounts(text.value)) : text;
}

/** Returns the mounts of whole cgroup hierarchies in a mount list and leaves out all others. */
export function parseCgroupMounts(text: string): readonly CgroupMount[] {
  return text.split("\n").map(parseMount).filter((mount) => mount !== undefined);
}

/** Returns the mount of the hierarchy that a line belongs to. */
export function mountOf(line: CgroupLine, mounts: readonly CgroupMount[]): CgroupMount | undefined {
  return mounts.find(({ controllers }) => {
    if (line.hierarchy === 0 || controllers === null) return line.hierarchy === 0 && controllers === null;
    return line.controllers.length > 0 && line.controllers.every((name) => controllers.includes(name));
  });
}

// proc_pid_mountinfo(5): id, parent, device, root, mount point, options, optional fields, "-", type, source, options.
function parseMount(line: string): CgroupMount | undefined {
  const [head = "", tail = ""] = line.split(" - ", 2);
  const [, , , root, mountPoint] = head.split(" ");
  const [type, , options = ""] = tail.split(" ");
  if (root !== "/" || mountPoint === undefined || !mountPoint.startsWith("/")) return undefined;
  const path = unescape(mountPoint);
  if (type === "cgroup2") return { path, controllers: null };
  return type === "cgroup" ? { path, controllers: options.split(",") } : undefined;
}

// The kernel writes a space, tab, line feed or backslash as a backslash and three octal digits.
function unescape(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}
