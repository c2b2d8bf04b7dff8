// Runs an open script and returns how the run ended. The script gets its own process group, which is killed at the end of
// every run, so that no process that it started in the group outlives its answer.
import { type ChildProcess, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { invariant } from "../core/invariant.ts";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import { systemCodeOf } from "../core/thrown.ts";

/** Most bytes that a script may write to standard output. */
export const OUTPUT_BYTES = 64 * 1024;

/** How much of standard error is kept for the warning (S003-EC-005). */
export const ERROR_BYTES = 1_024;

/** How long processes that a script left behind may keep its pipes open, in milliseconds: enough for `cmd | tee` to finish. */
const PIPE_GRACE_MS = 250;

/** How long to wait for the end of a killed group, in milliseconds. Only a process blocked in the kernel takes longer. */
const KILL_GRACE_MS = 1_000;

/** One run of a script. */
export type ScriptRun = {
  /** The descriptor of the script, which the caller closes. */
  readonly fd: number;
  readonly workingDir: string;
  readonly environment: Readonly<Record<string, string>>;
  /** All of standard input. */
  readonly input: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
};

/** How a script ended without being killed. */
export type ScriptEnd = {
  readonly status: number | null;
  /** The signal that ended it, or null. */
  readonly signal: string | null;
  readonly stdout: Uint8Array;
  /** The first bytes of standard error. */
  readonly stderr: Uint8Array;
};

/** Runs a script to its end. The error says why it could not be started or had to be killed. */
export async function runScript(run: ScriptRun): Promise<Result<ScriptEnd, string>> {
  if (run.signal?.aborted === true) return err(GIVEN_UP);
  const started = await start(run);
  return started.ok ? await watch(started.value, run) : started;
}

const GIVEN_UP = "the evaluation was given up";

type Exit = Pick<ScriptEnd, "status" | "signal">;
type Started = {
  /** The pid of the script, which is also the number of its process group. */
  readonly group: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly exit: Promise<Exit>;
};

// The script is descriptor 3 in the child and is started through /proc/self/fd/3: the kernel runs exactly the file that was
// checked, and the interpreter of a `#!` script reads it through the same link.
const SCRIPT_FD = 3;

async function start({ fd, workingDir, environment, input }: ScriptRun): Promise<Result<Started, string>> {
  let child: ChildProcess;
  try {
    child = spawn(`/proc/self/fd/${SCRIPT_FD}`, [], {
      stdio: ["pipe", "pipe", "pipe", fd],
      env: { ...environment },
      cwd: workingDir,
      detached: true,
    });
  } catch (cause) {
    return err(notStarted(cause));
  }
  const { pid, stdin, stdout, stderr } = child;
  if (pid === undefined) return err(notStarted(await new Promise((resolve) => child.once("error", resolve))));
  invariant(stdin !== null && stdout !== null && stderr !== null, "a child with pipes has streams");
  const exit = new Promise<Exit>((resolve) => child.once("exit", (status, signal) => resolve({ status, signal })));
  // A script need not read its input. The broken pipe is then no failure.
  stdin.on("error", () => stdin.destroy());
  stdin.end(input);
  return ok({ group: pid, stdin, stdout, stderr, exit });
}

function notStarted(cause: unknown): string {
  const code = systemCodeOf(cause) ?? String(cause);
  // The script exists, since it was opened, so the missing file is the interpreter in its first line.
  if (code === "ENOENT") return "it cannot be run: its interpreter does not exist";
  if (code === "ENOEXEC") return "it cannot be run: it is neither a program nor a script with a #! line";
  return `it cannot be run: ${quote(code)}`;
}

async function watch(started: Started, run: ScriptRun): Promise<Result<ScriptEnd, string>> {
  const { group, exit } = started;
  const stop = createStop();
  const stdout = collect(started.stdout, OUTPUT_BYTES, () => stop.ask(`it wrote over ${OUTPUT_BYTES / 1_024} KiB`));
  const stderr = collect(started.stderr, ERROR_BYTES, () => {});
  const closed = Promise.all([stdout.closed, stderr.closed]);
  const onAbort = () => stop.ask(GIVEN_UP);
  run.signal?.addEventListener("abort", onAbort);
  // A signal that was aborted before this point sends no event.
  if (run.signal?.aborted === true) onAbort();
  const timer = setTimeout(() => stop.ask(`it ran over its time of ${run.timeoutMs} ms`), run.timeoutMs);

  const ended = await Promise.race([exit, stop.asked]);
  if (ended !== null) await within(PIPE_GRACE_MS, Promise.race([closed, stop.asked]));
  killGroup(group);
  // Output that was written before the end may still be in the pipes.
  await within(KILL_GRACE_MS, Promise.all([closed, exit]));

  clearTimeout(timer);
  run.signal?.removeEventListener("abort", onAbort);
  for (const stream of [started.stdin, started.stdout, started.stderr]) stream.destroy();
  const reason = stop.reason();
  if (ended === null || reason !== null) return err(reason ?? GIVEN_UP);
  return ok({ ...ended, stdout: stdout.bytes(), stderr: stderr.bytes() });
}

type Stop = {
  readonly ask: (reason: string) => void;
  /** The first reason to stop, or null. */
  readonly reason: () => string | null;
  readonly asked: Promise<null>;
};

function createStop(): Stop {
  const { promise, resolve } = Promise.withResolvers<null>();
  let first: string | null = null;
  const ask = (reason: string) => {
    first ??= reason;
    resolve(null);
  };
  return { ask, reason: () => first, asked: promise };
}

type Collected = { readonly closed: Promise<void>; readonly bytes: () => Uint8Array };

// Keeps the first bytes and reports when there are more. Reading goes on, so that the writer never blocks.
function collect(stream: Readable, limit: number, onOver: () => void): Collected {
  const kept: Uint8Array[] = [];
  let size = 0;
  stream.on("data", (chunk: Uint8Array) => {
    if (size < limit) kept.push(chunk.subarray(0, limit - size));
    size += chunk.length;
    if (size > limit) onOver();
  });
  const closed = new Promise<void>((resolve) => {
    stream.once("end", resolve);
    stream.once("close", resolve);
    stream.once("error", () => resolve());
  });
  return { closed, bytes: () => Buffer.concat(kept) };
}

// The kernel does not reuse a group's number while a process is in the group, and it assigns pids in ascending order. So the
// number of a script that has just ended does not belong to another process yet.
function killGroup(group: number): void {
  try {
    process.kill(-group, "SIGKILL");
  } catch {
    // The group is empty, or its processes have changed their user and cannot be killed.
    return;
  }
}

async function within(limitMs: number, work: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, limitMs)));
  await Promise.race([work, late]);
  clearTimeout(timer);
}
