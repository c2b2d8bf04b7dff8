// Runs a program to its end with exactly the environment, directory and input of the test.
import { spawn } from "node:child_process";

/** How to run it. */
export type RunOptions = {
  readonly environment?: Readonly<Record<string, string>>;
  readonly directory?: string;
  readonly input?: string;
};

/** How it ended and what it said. */
export type Ended = {
  readonly pid: number;
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
};

/** PATH and nothing else. */
export const PLAIN_ENVIRONMENT = { PATH: "/usr/local/bin:/usr/bin:/bin" };

/** Starts the words and waits for the end. */
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
  // A program that does not read its input is no failure of the test.
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
