// Runs the operator's program in this process and captures its output, so that tests of commands need no child process.
import { main } from "../../../src/cli/main.ts";
import type { Io } from "../../../src/cli/io.ts";

/** The output of a run, and its exit code. */
export type Run = { readonly stdout: string; readonly stderr: string; readonly exit: number };

/** The environment of a run; everything is empty by default. */
export type RunOptions = {
  readonly stdin?: readonly (string | Uint8Array)[];
  readonly environment?: Io["environment"];
  readonly isTerminal?: boolean;
  /** The width of the terminal in cells. */
  readonly columns?: number;
};

/** Runs outcall in this process. */
export async function runOutcall(argv: readonly string[], options: RunOptions = {}): Promise<Run> {
  const printed = { stdout: "", stderr: "" };
  const isTerminal = options.isTerminal ?? false;
  const exit = await main(argv, {
    stdout: (text) => void (printed.stdout += text),
    stderr: (text) => void (printed.stderr += text),
    drained: () => Promise.resolve(),
    stdin: bytesOf(options.stdin ?? []),
    environment: options.environment ?? {},
    isTerminal: { stdout: isTerminal, stderr: isTerminal },
    columns: () => isTerminal ? options.columns ?? 80 : null,
  });
  return { ...printed, exit };
}

/** Chunks as a stream of bytes. */
export async function* bytesOf(chunks: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for (const chunk of chunks) yield typeof chunk === "string" ? encoder.encode(chunk) : chunk;
}
