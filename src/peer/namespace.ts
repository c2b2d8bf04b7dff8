// Process -> the outermost pid namespace below ours that it is in. The kernel gives the parent of each namespace. The parent
// processes of the peer do not matter, because a process that entered a namespace from outside has its parent outside. An
// ordinary user may ask about processes that the user may trace.
import { type Problem, problem } from "../core/problem.ts";
import { err, ok, type Result } from "../core/result.ts";
import { type Libc, libc } from "./ffi.ts";
import { parseNamespaceLink } from "./proc.ts";
import { readNamespace, readProcLink } from "./proc-files.ts";

const O_RDONLY = 0;
const O_CLOEXEC = 0o2000000;
/** ioctl_ns(2): returns a descriptor of the parent namespace; the kernel refuses it for the parent of our own. */
const NS_GET_PARENT = 0xb702n;
/** The kernel's limit of nested pid namespaces (MAX_PID_NS_LEVEL). */
const DEEPEST_NESTING = 32;

/** Returns the inode of the outermost pid namespace below ours that holds the process; undefined if it is in our own. */
export function readOutermostPidNamespace(pid: number): Result<number | undefined, Problem> {
  const calls = libc();
  if (!calls.ok) return calls;
  const own = readNamespace("self", "pid");
  if (!own.ok) return own;
  const path = new TextEncoder().encode(`/proc/${pid}/ns/pid\0`);
  const fd = calls.value.open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return err(problem("peer.unidentified", "pid namespace of the process cannot be opened"));
  return climb(calls.value, fd, own.value);
}

// Takes over the descriptor and closes it; at each step one descriptor is open.
function climb(calls: Libc, start: number, own: number): Result<number | undefined, Problem> {
  let below: number | undefined;
  let fd = start;
  for (let level = 0; level <= DEEPEST_NESTING; level++) {
    const link = readProcLink(`/proc/self/fd/${fd}`);
    const inode = link.ok ? parseNamespaceLink("pid", link.value) : link;
    if (!inode.ok || inode.value === own) {
      calls.close(fd);
      return inode.ok ? ok(below) : inode;
    }
    below = inode.value;
    const parent = calls.ioctl(fd, NS_GET_PARENT);
    calls.close(fd);
    if (parent < 0) return err(problem("peer.unidentified", "pid namespace is not below the daemon's"));
    fd = parent;
  }
  calls.close(fd);
  return err(problem("peer.unidentified", "pid namespaces are nested too deeply"));
}
