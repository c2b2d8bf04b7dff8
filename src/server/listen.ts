// A Unix socket that is ours: made in a directory that nobody else may write, never over a live one, its connections known
// by the kernel's word before a byte of them is read (S004-FR-001 to FR-003).
import { chmodSync, chownSync, lstatSync, type Stats, statSync, unlinkSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { dirname } from "node:path";
import { type Problem, problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import { messageOf } from "../core/thrown.ts";
import { whyUntrusted } from "../file/trust.ts";

/** A socket that listens. */
export type BoundSocket = { readonly path: string; readonly close: () => Promise<void> };

/** How a socket is to be made. */
export type ListenOptions = {
  readonly path: string;
  /** File mode of the socket; the agent socket is open to all, because identity guards it. */
  readonly mode: number;
  /** The group of the socket's file; null: that of the process. */
  readonly gid?: number | null;
  readonly onConnection: (socket: Socket) => void;
  /** Told of what goes wrong while it listens, for example that no descriptor is left for a connection. */
  readonly onError: (cause: Error) => void;
};

/** How long a socket that is already there has to answer before it counts as a dead daemon's. */
const DIAL_TIMEOUT_MS = 1_000;

/** Makes the socket and listens; refuses a path that is no socket, or where somebody answers. */
export async function listen(
  { path, mode, gid = null, onConnection, onError }: ListenOptions,
): Promise<Result<BoundSocket, Problem>> {
  const prepared = await preparePath(path);
  if (!prepared.ok) return prepared;
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: false }, onConnection);
  const bound = await bind(server, path);
  if (!bound.ok) return bound;
  server.on("error", onError);
  const made = setAccess(path, mode, gid);
  if (made.ok) return ok({ path, close: () => closeListener(server, path, made.value) });
  server.close();
  return made;
}

// The group before the mode: until then the file is its owner's alone.
function setAccess(path: string, mode: number, gid: number | null): Result<Stats, Problem> {
  try {
    if (gid !== null) chownSync(path, lstatSync(path).uid, gid);
    chmodSync(path, mode);
    return ok(lstatSync(path));
  } catch (cause) {
    return err(bindProblem(path, quote(messageOf(cause)), cause));
  }
}

async function preparePath(path: string): Promise<Result<null, Problem>> {
  const parent = dirname(path);
  const directory = look(parent, statSync);
  if (!directory.ok) return err(bindProblem(path, `cannot use ${quote(parent)}: ${directory.error}`));
  if (directory.value === null) return err(bindProblem(path, `${quote(parent)} does not exist`));
  const untrusted = whyUntrusted(directory.value);
  if (untrusted !== null) return err(bindProblem(path, `${quote(parent)} ${untrusted}`));
  const present = look(path, lstatSync);
  if (!present.ok) return err(bindProblem(path, present.error));
  if (present.value === null) return ok(null);
  if (!present.value.isSocket()) return err(bindProblem(path, "there is something else at that path, not a socket"));
  if (!isOwn(present.value)) return err(bindProblem(path, `the socket there is of uid ${present.value.uid}`));
  if (await isAnswered(path)) return err(bindProblem(path, "another daemon answers there"));
  try {
    unlinkSync(path);
  } catch (cause) {
    return err(bindProblem(path, `cannot remove what a dead daemon left: ${quote(messageOf(cause))}`, cause));
  }
  return ok(null);
}

function isOwn({ uid }: Stats): boolean {
  return uid === 0 || uid === process.getuid?.();
}

function look(
  path: string,
  stat: (path: string, options: { throwIfNoEntry: false }) => Stats | undefined,
): Result<Stats | null, string> {
  try {
    return ok(stat(path, { throwIfNoEntry: false }) ?? null);
  } catch (cause) {
    return err(quote(messageOf(cause)));
  }
}

// Only a refused connection proves that nobody listens; anything else, silence included, counts as a live daemon.
function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const settle = (answered: boolean) => {
      socket.destroy();
      resolve(answered);
    };
    socket.setTimeout(DIAL_TIMEOUT_MS, () => settle(true));
    socket.once("connect", () => settle(true));
    socket.once("error", (error) => settle(!("code" in error) || error.code !== "ECONNREFUSED"));
  });
}

function bind(server: Server, path: string): Promise<Result<null, Problem>> {
  return new Promise((resolve) => {
    server.once("error", (cause) => resolve(err(bindProblem(path, quote(cause.message), cause))));
    // The socket file appears with its final mode or stricter, never wider.
    const before = process.umask(0o177);
    server.listen(path, () => resolve(ok(null)));
    process.umask(before);
  });
}

// The file is removed only if it is still the one we made. The runtime removes whatever is there, so with another's in its
// place the server is left to the end of the process.
async function closeListener(server: Server, path: string, made: Stats): Promise<void> {
  const present = look(path, lstatSync);
  const ours = present.ok && present.value?.ino === made.ino && present.value.dev === made.dev;
  if (!ours) return void server.unref();
  await new Promise<void>((resolve) => server.close(() => resolve()));
  const left = look(path, lstatSync);
  if (left.ok && left.value?.ino === made.ino) unlinkSync(path);
}

function bindProblem(path: string, why: string, cause?: unknown): Problem {
  return problem("daemon.socket-bind", `cannot listen at ${quote(path)}: ${why}`, cause === undefined ? {} : { cause });
}
