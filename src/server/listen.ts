// Makes a Unix socket and listens (S004-FR-001 to FR-003): in a directory that only root and the daemon's user may write,
// never in place of a socket on which another daemon answers.
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

/** The socket to make. */
export type ListenOptions = {
  readonly path: string;
  /** File mode of the socket; the agent socket is open to all, because identity guards it. */
  readonly mode: number;
  /** The group of the socket's file; null: that of the process. */
  readonly gid?: number | null;
  readonly onConnection: (socket: Socket) => void;
  /** Called for errors while it listens, for example when no descriptor is left for a connection. */
  readonly onError: (cause: Error) => void;
};

/** How long to wait for an answer at a socket that is already there, in milliseconds. */
const DIAL_TIMEOUT_MS = 1_000;

/** Makes the socket and listens; refuses a path at which another file is, or at which a daemon answers. */
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
  if (!present.value.isSocket()) return err(bindProblem(path, "the file at that path is not a socket"));
  if (!isOwn(present.value)) {
    return err(bindProblem(path, `the socket at that path belongs to uid ${present.value.uid}`));
  }
  if (await isAnswered(path)) return err(bindProblem(path, "another daemon answers there"));
  try {
    unlinkSync(path);
  } catch (cause) {
    return err(
      bindProblem(path, `cannot remove the socket of a daemon that has ended: ${quote(messageOf(cause))}`, cause),
    );
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

// Only a refused connection proves that no daemon listens; silence counts as a live daemon.
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
    // The file is never open to more users than its final mode allows.
    const before = process.umask(0o177);
    server.listen(path, () => resolve(ok(null)));
    process.umask(before);
  });
}

// Removes the file only if it is still the one that was made here. Closing the server would remove any file at that path, so
// where another file has taken its place, the server stays open until the process ends.
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
