// Runs a program to its end, with exactly the environment, directory and input that the test gives.
import { spawn } from "node:child_process";

/** The options of a run. */
export type RunOptions = {
  readonly environment?: Readonly<Record<string, string>>;
  readonly directory?: string;
  readonly input?: string;
};

/** The exit status and output of a program. */
export type Ended = {
  readonly pid: number;
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
};

/** An environment that contains only PATH. */
export const PLAIN_ENVIRONMENT = { PATH: "/usr/local/bin:/usr/bin:/bin" };

/** Starts the command and waits for its end. */
export function runProgram(words: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const [file = "", ...args] = words;
  const child = spawn(file, args, {
    env: { ...(options.environment ?? PLAIN_ENVIRONMENT) },
    ...(options.directory === undefined ? {} : { cwd: options.directory }),
    stdio: "pipe",
  });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
  // A program may exit without reading its input.
  child.stdin.on("error", () => child.stdin.destroy());
  child.stdin.end(options.input ?? "");
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => {
      const text = (chunks: readonly Buffer[]): string => Buffer.concat(chunks).toString("utf8");
      resolve({ pid: child.pid ?? -1, code, signal, stdout: text(stdout), stderr: text(stderr) });
    });
  });
}
