// Peer's pid -> pinned process. The kernel may give a pid to another process a moment later. With SO_PEERPIDFD (Linux 6.5) the
// connection gives a descriptor of the process that connected. On older kernels the start time identifies the process, which
// does not cover the time between connect and accept. The holder releases the process when the connection closes.
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
/** How often a failed poll is repeated: a signal interrupts it, and the runtime sends itself signals. */
const POLL_TRIES = 8;

/** A process that can be told apart from a later one with the same pid; `startTime` is in clock ticks since boot. */
export type PinnedProcess = {
  readonly pid: number;
  readonly startTime: number;
  /** The kernel's descriptor of the process, or null if the kernel has none. */
  readonly pidfd: Pidfd | null;
};

/** A pidfd that is closed only once, so that its number is never used for another file. */
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

  /** Whether the process runs: a pidfd becomes readable when the process ends. If polling fails, the answer is no. */
  isAlive(): boolean {
    if (this.#fd === null) return false;
    this.#poll.setInt32(0, this.#fd, true);
    this.#poll.setInt16(4, POLLIN, true);
    let ready = -1;
    for (let tries = 0; ready < 0 && tries < POLL_TRIES; tries++) ready = this.#libc.poll(this.#bytes, 1n, 0);
    return ready === 0;
  }

  /** Reads the pid that the process has now. */
  readPid(): Result<number, Problem> {
    if (this.#fd === null) return err(problem("peer.unidentified", "process is released"));
    const text = readProcFile(`/proc/self/fdinfo/${this.#fd}`);
    return text.ok ? parseFdinfoPid(text.value) : text;
  }

  /** Closes the descriptor; further calls do nothing. */
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
  // The kernel has the option and gives no descriptor: the process has ended, or no descriptor is left. The peer is refused;
  // it is never pinned by its start time instead.
  if (pidfd < 0) return err(rejectPeer(pid, "kernel gives no handle of the process"));
  return pinByPid(pid, new Pidfd(calls.value, pidfd));
}

/** Pins a process by its start time and by its pidfd, if there is one; the pidfd is closed if pinning fails. */
export function pinByPid(pid: number, pidfd: Pidfd | null): Result<PinnedProcess, Problem> {
  const stat = readStat(pid);
  if (!stat.ok || isDead(stat.value)) {
    pidfd?.close();
    return err(rejectPeer(pid, stat.ok ? "process has ended" : stat.error.message));
  }
  const pinned = { pid, startTime: stat.value.startTime, pidfd };
  // The pidfd still names a running process, so the start time above belongs to this process.
  if (isUnchanged(pinned)) return ok(pinned);
  release(pinned);
  return err(rejectPeer(pid, "process ended while it was pinned"));
}

/** Whether the process still runs: one system call with a pidfd, otherwise one read of /proc. */
export function isAlive(pinned: PinnedProcess): boolean {
  return pinned.pidfd === null ? isRunning(pinned.pid, pinned.startTime) : pinned.pidfd.isAlive();
}

/** Whether the process still runs with the same pid and start time. Callers ask this after they read /proc by the pid. */
export function isUnchanged(pinned: PinnedProcess): boolean {
  if (pinned.pidfd !== null) {
    const pid = pinned.pidfd.readPid();
    if (!pid.ok || pid.value !== pinned.pid || !pinned.pidfd.isAlive()) return false;
  }
  return isRunning(pinned.pid, pinned.startTime);
}

/** Releases the process; with a pidfd it counts as ended afterwards. */
export function release(pinned: PinnedProcess): void {
  pinned.pidfd?.close();
}

const answers = new WeakMap<Libc, boolean>();

/** Whether the kernel gives pidfds of peers; tested once on a pair of our own sockets. */
export function hasPeerPidfd(calls: Libc): boolean {
  const known = answers.get(calls);
  if (known !== undefined) return known;
  const answer = withSocketPair(calls, (socket) => {
    const pidfd = readPeerPidfd(calls, socket);
    if (pidfd >= 0) return calls.close(pidfd) === 0;
    // Either the option is missing, or no descriptor was left for the answer. A second pair of sockets tells which.
    return withSocketPair(calls, () => false);
  });
  if (answer !== undefined) answers.set(calls, answer);
  // If the test cannot be made, the answer is yes, so that a lack of descriptors never weakens the pin.
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
