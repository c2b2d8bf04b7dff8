// Notices for the supervisor, such as systemd (sd_notify(3)): datagrams to the Unix socket that it named.
import { type Problem, problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import { type Libc, libc } from "../peer/ffi.ts";

const AF_UNIX = 1;
const SOCK_DGRAM = 2;
const SOCK_NONBLOCK = 0o4000;
const SOCK_CLOEXEC = 0o2000000;

/** Bytes of a path in a Unix socket's address, its end mark counted (unix(7)). */
const PATH_BYTES = 108;

/** The notices: the daemon serves, the daemon stops. */
export type Notice = "READY=1" | "STOPPING=1";

/** Sends a notice to a socket: a path, or an abstract name after `@`. */
export function notify(target: string, notice: Notice): Result<null, Problem> {
  const address = addressOf(target);
  if (address === null) return err(failure(target, "it is neither a path nor an abstract name"));
  const calls = libc();
  if (!calls.ok) return err(failure(target, calls.error.message));
  const fd = calls.value.socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) return err(failure(target, "no socket can be made"));
  const isSent = send(calls.value, fd, notice, address);
  calls.value.close(fd);
  return isSent ? ok(null) : err(failure(target, "no process receives it"));
}

/** The bytes of a Unix socket's address, or null for a name that has none. */
export function addressOf(target: string): Uint8Array | null {
  const isAbstract = target.startsWith("@");
  if ((!isAbstract && !target.startsWith("/")) || target.includes("\0")) return null;
  const name = new TextEncoder().encode(isAbstract ? `\0${target.slice(1)}` : `${target}\0`);
  if (name.length < 2 || name.length > PATH_BYTES) return null;
  const address = new Uint8Array(2 + name.length);
  new DataView(address.buffer).setUint16(0, AF_UNIX, true);
  address.set(name, 2);
  return address;
}

function send(calls: Libc, fd: number, notice: Notice, address: Uint8Array): boolean {
  const data = new TextEncoder().encode(notice);
  return calls.sendto(fd, data, BigInt(data.length), 0, address, address.length) === data.length;
}

function failure(target: string, why: string): Problem {
  return problem("daemon.notify", `cannot notify ${quote(target)}: ${why}`);
}
