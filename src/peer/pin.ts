// Peer's pid -> pinned process. A pid alone may be another process's a moment later. Where the kernel has SO_PEERPIDFD
// (6.5) the connection itself gives a descriptor of the process that connected; elsewhere the start time stands in, which
// leaves the time between connect and accept unguarded. The holder releases the process when the connection closes.
import { type Problem, problem } from "../core/problem.ts";
import { err, ok, type Result } from "../core/result.ts";
import { type Libc, libc } from "./ffi.ts";
import { parseFdinfoPid } from "./proc.ts";
import { isDead, isRunning, readProcFile, readStat } from "./proc-files.ts";
import { rejectPeer } from "./rejection.ts";
import { SO_PEERPIDFD, SOL_SOCKET } from "./socket-options.ts";

const AF_UNIX = 1;
const SOCK_STREAM = 1;
const SOCK_CLOEXEC = 0o2000000;
const POLLIN = 1;
/** `struct pollfd`: descriptor, events, returned events. */
const POLLFD_BYTES = 8;
/** How often a poll is tried that fails: a signal ends one, and the runtime's own come in its collections and profiles. */
const POLL_TRIES = 8;

/** A process that can be told from a later one with the same pid; `startTime` is in clock ticks since boot. */
export type PinnedProcess = {
  readonly pid: number;
  readonly startTime: number;
  /** The kernel's own handle, or null where the kernel has none to give. */
  readonly pidfd: Pidfd | null;
};

/** A pidfd that is closed once, so that its number is never used after it belongs to something else. */
export class Pidfd {
  readonly #libc: Libc;
  readonly #bytes = new Uint8Array(POLLFD_BYTES);
  readonly #poll = new DataView(this.#bytes.buffer);
  #fd: number | null;

  /** Takes over an open pidfd. */
  constructor(libc: Libc, fd: number) {
    this.#libc = libc;
    this.#fd = fd;
  }

  /** Whether the process runs: a pidfd becomes readable when it has ended. What cannot be polled does not run. */
  isAlive(): boolean {
    if (this.#fd === null) return false;
    this.#poll.setInt32(0, this.#fd, true);
    this.#poll.setInt16(4, POLLIN, true);
    let ready = -1;
    for (let tries = 0; ready < 0 && tries < POLL_TRIES; tries++) ready = this.#libc.poll(this.#bytes, 1n, 0);
    return ready === 0;
  }

  /** The pid that the kernel gives the process now. */
  readPid(): Result<number, Problem> {
    if (this.#fd === null) return err(problem("peer.unidentified", "process is released"));
    const text = readProcFile(`/proc/self/fdinfo/${this.#fd}`);
    return text.ok ? parseFdinfoPid(text.value) : text;
  }

  /** Closes the descriptor; again does nothing. */
  close(): void {
    if (this.#fd !== null) this.#libc.close(this.#fd);
    this.#fd = null;
  }
}

/** Pins the process that connected on this descriptor, whose pid the kernel gave. */
export function pin(fd: number, pid: number): Result<PinnedProcess, Problem> {
  const calls = libc();
  if (!calls.ok) return calls;
  if (!hasPeerPidfd(calls.value)) return pinByPid(pid, null);
  const pidfd = readPeerPidfd(calls.value, fd);
  // The kernel has the option and does not answer: the process is gone (or no descriptor is left for it), so it is
  // refused and never pinned by the weaker means.
  if (pidfd < 0) return err(rejectPeer(pid, "kernel gives no handle of the process"));
  return pinByPid(pid, new Pidfd(calls.value, pidfd));
}

/** Pins a process by its start time and, where there is one, by a pidfd, which is closed when that fails. */
export function pinByPid(pid: number, pidfd: Pidfd | null): Result<PinnedProcess, Problem> {
  const stat = readStat(pid);
  if (!stat.ok || isDead(stat.value)) {
    pidfd?.close();
    return err(rejectPeer(pid, stat.ok ? "process has ended" : stat.error.message));
  }
  const pinned = { pid, startTime: stat.value.startTime, pidfd };
  // Only now is it known that the start time above was read of the process that the pidfd names.
  if (isUnchanged(pinned)) return ok(pinned);
  release(pinned);
  return err(rejectPeer(pid, "process ended while it was pinned"));
}

/** Whether the process still runs: one system call with a pidfd, else one read of /proc. */
export function isAlive(pinned: PinnedProcess): boolean {
  return pinned.pidfd === null ? isRunning(pinned.pid, pinned.startTime) : pinned.pidfd.isAlive();
}

/** Whether the process still runs under the same pid and start time: to be asked after /proc was read for its pid. */
export function isUnchanged(pinned: PinnedProcess): boolean {
  if (pinned.pidfd !== null) {
    const pid = pinned.pidfd.readPid();
    if (!pid.ok || pid.value !== pinned.pid || !pinned.pidfd.isAlive()) return false;
  }
  return isRunning(pinned.pid, pinned.startTime);
}

/** Lets go of the process; it counts as ended afterwards where the kernel has pidfds. */
export function release(pinned: PinnedProcess): void {
  pinned.pidfd?.close();
}

const answers = new WeakMap<Libc, boolean>();

/** Whether the kernel gives pidfds of peers, which is found out once by asking it about ourselves. */
export function hasPeerPidfd(calls: Libc): boolean {
  const known = answers.get(calls);
  if (known !== undefined) return known;
  const answer = withSocketPair(calls, (socket) => {
    const pidfd = readPeerPidfd(calls, socket);
    if (pidfd >= 0) return calls.close(pidfd) === 0;
    // No: because the option is missing, or because no descriptor is left for the answer? A second pair tells.
    return withSocketPair(calls, () => false);
  });
  if (answer !== undefined) answers.set(calls, answer);
  // What cannot be found out now counts as yes, so that nobody is pinned by the weaker means for lack of descriptors.
  return answer ?? true;
}

function withSocketPair<T>(calls: Libc, use: (socket: number) => T): T | undefined {
  const pair = new Int32Array(2);
  if (calls.socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, new Uint8Array(pair.buffer)) !== 0) return undefined;
  const [first = -1, second = -1] = pair;
  const result = use(first);
  calls.close(first);
  calls.close(second);
  return result;
}

function readPeerPidfd(calls: Libc, fd: number): number {
  const value = new Int32Array([-1]);
  const length = new Uint8Array(Uint32Array.of(value.byteLength).buffer);
  const status = calls.getsockopt(fd, SOL_SOCKET, SO_PEERPIDFD, new Uint8Array(value.buffer), length);
  return status === 0 ? value[0] ?? -1 : -1;
}
