// Kernel features: /proc of this PID namespace, calls of libc, pidfds of peers, cgroups, and inotify.
import { watch } from "node:fs";
import { release } from "node:os";
import { systemCodeOf } from "../core/thrown.ts";
import { hasPeerPidfd } from "../peer/pin.ts";
import { libc } from "../peer/ffi.ts";
import { checkOwnProc } from "../peer/self.ts";
import { readCgroupMounts } from "../container/cgroup-mount.ts";
import { type Check, doubtful, failed, fine } from "./check.ts";

/** Checks the kernel's features: one result for each that is missing, or a single one if none is. */
export function checkKernel(): readonly Check[] {
  const name = "kernel";
  const missing = [...checkPeers(name), ...checkMounts(name), ...checkNotices(name)];
  return missing.length === 0 ? [fine(name, `Linux ${release()}: pidfds of peers, /proc, cgroups, inotify`)] : missing;
}

function checkPeers(name: string): readonly Check[] {
  const calls = libc();
  if (!calls.ok) return [failed(name, calls.error.message, "use the program that was built for this machine")];
  if (hasPeerPidfd(calls.value)) return [];
  const found = `Linux ${release()} has no SO_PEERPIDFD: processes are identified by pid and start time instead`;
  return [doubtful(name, found, "use Linux 6.5 or later")];
}

function checkMounts(name: string): readonly Check[] {
  const proc = checkOwnProc();
  if (!proc.ok) return [failed(name, proc.error.message, "mount -t proc proc /proc, in the host's PID namespace")];
  const mounts = readCgroupMounts();
  if (mounts.ok && mounts.value.length > 0) return [];
  const found = mounts.ok ? "no cgroup hierarchy is mounted" : mounts.error.message;
  return [doubtful(name, found, "mount -t cgroup2 none /sys/fs/cgroup")];
}

function checkNotices(name: string): readonly Check[] {
  try {
    watch("/", { persistent: false }).close();
    return [];
  } catch (cause) {
    const code = systemCodeOf(cause) ?? String(cause);
    const found = `no inotify (${code}): the rules directory is checked once a second instead`;
    return [doubtful(name, found, "sysctl fs.inotify.max_user_instances=1024 fs.inotify.max_user_watches=65536")];
  }
}
