// The last step of an allowed action: the process becomes the program, so that pid, signals, terminal and exit status are the
// program's own. Where the runtime cannot replace its process (Deno), the program is a child that is stood in for.
import { spawn } from "node:child_process";
import process from "node:process";
import { type Problem, problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";

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
  const child = spawn(path, rest, { argv0, env: { ...environment }, stdio: "inherit" });
  const passed = PASSED_ON.map((signal) => ({ signal, pass: () => void child.kill(signal) }));
  for (const { signal, pass } of passed) process.on(signal, pass);
  child.on("error", (cause) => resolve(cannotRun(path, cause)));
  child.on("exit", (code, signal) => {
    for (const { signal, pass } of passed) process.off(signal, pass);
    // Who waits for this process is to see the signal, not a number.
    if (signal !== null) process.kill(process.pid, signal);
    resolve(code ?? SIGNALLED);
  });
  return promise;
}

/** The exit code of a shell for a program that a signal ended, where ending by the signal itself failed. */
const SIGNALLED = 128;

function cannotRun(path: string, cause: unknown): Problem {
  const code = cause instanceof Error && "code" in cause && typeof cause.code === "string" ? `: ${cause.code}` : "";
  return problem("agent.program", `cannot run ${quote(path)}${code}`, { cause });
}
