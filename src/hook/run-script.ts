// Descriptor of a script -> how its run ended. The script leads a process group of its own, which is killed whole at the
// end of every run, so that nothing that it started in that group outlives its answer.
import { type ChildProcess, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { invariant } from "../core/invariant.ts";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import { systemCodeOf } from "../core/thrown.ts";

/** Most bytes that a script may write to standard output (S003 section 5). */
export const OUTPUT_BYTES = 64 * 1024;

/** How much of standard error is kept for the warning (S003-EC-005). */
export const ERROR_BYTES = 1_024;

/** How long what a script left behind may hold its pipes open before it is killed: enough for `cmd | tee` to finish. */
const PIPE_GRACE_MS = 250;

/** How long the end of a killed group is waited for; only what the kernel cannot end now takes longer. */
const KILL_GRACE_MS = 1_000;

/** One run of a script. */
export type ScriptRun = {
  /** The open script; stays the caller's. */
  readonly fd: number;
  readonly workingDir: string;
  readonly environment: Readonly<Record<string, string>>;
  /** The whole of standard input. */
  readonly input: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
};

/** How a script ended by itself. */
export type ScriptEnd = {
  readonly status: number | null;
  /** The signal that ended it, where one did. */
  readonly signal: string | null;
  readonly stdout: Uint8Array;
  /** The first part of it. */
  readonly stderr: Uint8Array;
};

/** Runs a script to its end; the error is why it could not be started or had to be killed. */
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

// The descriptor is number 3 in the child, and the program is the link to it there: the kernel runs what was checked, and
// the interpreter of a `#!` script reads it by the same link.
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
  // A script need not read its input: then the pipe breaks, which says nothing.
  stdin.on("error", () => stdin.destroy());
  stdin.end(input);
  return ok({ group: pid, stdin, stdout, stderr, exit });
}

function notStarted(cause: unknown): string {
  const code = systemCodeOf(cause) ?? String(cause);
  // The script itself was just opened, so what is missing is what its first line names.
  if (code === "ENOENT") return "it cannot be run: its interpreter does not exist";
  if (code === "ENOEXEC") return "it cannot be run: it is no program and has no #! line";
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
  // A signal that came while the script was being started is not told again.
  if (run.signal?.aborted === true) onAbort();
  const timer = setTimeout(() => stop.ask(`it ran over its time of ${run.timeoutMs} ms`), run.timeoutMs);

  const ended = await Promise.race([exit, stop.asked]);
  if (ended !== null) await within(PIPE_GRACE_MS, Promise.race([closed, stop.asked]));
  killGroup(group);
  // What was written before the end may still be on its way.
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
  /** The first reason, or null while nobody asked. */
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

// Keeps the first bytes, says so when there are more, and goes on reading so that the writer is never held up.
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

// The number of a group stays taken while any process is in it, and pids are given out in turn, so the number of a script
// that just ended is not somebody else's yet.
function killGroup(group: number): void {
  try {
    process.kill(-group, "SIGKILL");
  } catch {
    // Nobody is left in the group, or it holds only what changed its user; neither can be killed.
    return;
  }
}

async function within(limitMs: number, work: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, limitMs)));
  await Promise.race([work, late]);
  clearTimeout(timer);
}
