// The last step of an allowed action: the process becomes the program, so that pid, signals, terminal and exit status are the
// program's own. Where the runtime cannot replace its process (Deno), the program is a child that is stood in for.
import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import process from "node:process";
import { type Problem, problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { systemCodeOf } from "../core/thrown.ts";

/** What to become. */
export type Execution = {
  /** Absolute. */
  readonly path: string;
  /** With argv[0]. */
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
};

/** Becomes the program; comes back only with a problem, or with the exit code of a child. */
export function execute(execution: Execution): Promise<number | Problem> {
  return process.execve === undefined ? runAsChild(execution) : Promise.resolve(replaceProcess(execution));
}

function replaceProcess({ path, argv, environment }: Execution): Problem {
  // The runtime ignores these two, and what is ignored stays so in the next program: one that is piped into `head` would
  // run on. What has a handler is set back to its default.
  for (const signal of ["SIGPIPE", "SIGXFSZ"] as const) process.on(signal, () => undefined);
  try {
    process.execve?.(path, [...argv], { ...environment });
  } catch (cause) {
    return cannotRun(path, cause);
  }
  return cannotRun(path, undefined);
}

/** What a terminal, a container's engine or a shell sends to a program they think they started. */
const PASSED_ON = ["SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM", "SIGUSR1", "SIGUSR2", "SIGCONT", "SIGWINCH"] as const;

function runAsChild({ path, argv, environment }: Execution): Promise<number | Problem> {
  const { promise, resolve } = Promise.withResolvers<number | Problem>();
  const [argv0 = path, ...rest] = argv;
  // Before the child is there: a signal that comes as soon as it is must not end this process alone. The handlers run after
  // this function, when there is a child to pass it to.
  for (const signal of PASSED_ON) process.on(signal, () => passOn(child, signal));
  const child = spawn(path, rest, { argv0, env: { ...environment }, stdio: "inherit" });
  child.on("error", (cause) => resolve(cannotRun(path, cause)));
  // A number as a shell gives it: handlers that Deno has installed once keep this process from ending by the signal itself.
  child.on("exit", (code, signal) => resolve(code ?? SIGNALLED + (signal === null ? 0 : constants.signals[signal])));
  return promise;
}

function passOn(child: ChildProcess, signal: NodeJS.Signals): void {
  // Not child.kill(): after that Deno takes any end of the child for one by the signal.
  if (child.pid !== undefined && child.exitCode === null) process.kill(child.pid, signal);
}

/** What a shell adds to the number of the signal that ended a program. */
const SIGNALLED = 128;

// execve(2), in the words of somebody who knows that the file is there and executable.
const REASONS: ReadonlyMap<string, string> = new Map([
  ["ENOENT", "what runs it, its interpreter or dynamic linker, is not there"],
  ["ENOEXEC", "it is neither a program of this machine nor a script that begins with #!"],
  ["EACCES", "permission denied"],
  ["E2BIG", "arguments and environment are too long"],
  ["ETXTBSY", "it is open for writing"],
]);

function cannotRun(path: string, cause: unknown): Problem {
  const code = systemCodeOf(cause);
  const reason = code === undefined ? "" : `: ${REASONS.get(code) ?? code}`;
  return problem("agent.program", `cannot run ${quote(path)}${reason}`, { cause });
}
