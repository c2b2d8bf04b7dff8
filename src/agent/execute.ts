// The last step of an allowed action: the process becomes the program (execve), so that pid, signals, terminal and exit status
// are the program's own. Deno cannot replace its process, so there the program is a child, and signals are passed on to it.
import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import process from "node:process";
import { type Problem, problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { systemCodeOf } from "../core/thrown.ts";

/** The program to become. */
export type Execution = {
  /** Absolute. */
  readonly path: string;
  /** With argv[0]. */
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
};

/** Becomes the program; returns only a problem, or the exit code of a child. */
export function execute(execution: Execution): Promise<number | Problem> {
  return process.execve === undefined ? runAsChild(execution) : Promise.resolve(replaceProcess(execution));
}

function replaceProcess({ path, argv, environment }: Execution): Problem {
  // The runtime ignores these two signals, and execve keeps ignored signals ignored: a program piped into `head` would not
  // end. A signal with a handler is set back to its default.
  for (const signal of ["SIGPIPE", "SIGXFSZ"] as const) process.on(signal, () => undefined);
  try {
    process.execve?.(path, [...argv], { ...environment });
  } catch (cause) {
    return cannotRun(path, cause);
  }
  return cannotRun(path, undefined);
}

/** Signals that a terminal, an engine or a shell sends to a program that it started. */
const PASSED_ON = ["SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM", "SIGUSR1", "SIGUSR2", "SIGCONT", "SIGWINCH"] as const;

function runAsChild({ path, argv, environment }: Execution): Promise<number | Problem> {
  const { promise, resolve } = Promise.withResolvers<number | Problem>();
  const [argv0 = path, ...rest] = argv;
  // Installed before the child starts, so that an early signal does not end only this process. The handlers run after this
  // function returns, when the child exists.
  for (const signal of PASSED_ON) process.on(signal, () => passOn(child, signal));
  const child = spawn(path, rest, { argv0, env: { ...environment }, stdio: "inherit" });
  child.on("error", (cause) => resolve(cannotRun(path, cause)));
  // The exit code is that of a shell, because the handlers that Deno installed keep this process from ending by a signal.
  child.on("exit", (code, signal) => resolve(code ?? SIGNALLED + (signal === null ? 0 : constants.signals[signal])));
  return promise;
}

function passOn(child: ChildProcess, signal: NodeJS.Signals): void {
  // Not child.kill(): Deno would report every later end of the child as an end by this signal.
  if (child.pid !== undefined && child.exitCode === null) process.kill(child.pid, signal);
}

/** A shell adds this to the number of the signal that ended a program. */
const SIGNALLED = 128;

// Errors of execve(2) for a file that exists and is executable.
const REASONS: ReadonlyMap<string, string> = new Map([
  ["ENOENT", "its interpreter or dynamic linker does not exist"],
  ["ENOEXEC", "it is neither a program for this machine nor a script that begins with #!"],
  ["EACCES", "permission denied"],
  ["E2BIG", "arguments and environment are too long"],
  ["ETXTBSY", "it is open for writing"],
]);

function cannotRun(path: string, cause: unknown): Problem {
  const code = systemCodeOf(cause);
  const reason = code === undefined ? "" : `: ${REASONS.get(code) ?? code}`;
  return problem("agent.program", `cannot run ${quote(path)}${reason}`, { cause });
}
