// What a command sees of its process; tests pass their own, so that they need no process.
import type { Environment } from "../command/command.ts";

/** The streams, environment and terminal of a command. */
export type Io = {
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  /** Resolves when standard output accepts more data, so that long output does not fill the memory. */
  readonly drained: () => Promise<void>;
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly environment: Environment;
  /** Whether standard output, and standard error, is a terminal. */
  readonly isTerminal: { readonly stdout: boolean; readonly stderr: boolean };
  /** How many cells a line of the terminal behind standard output has; null when standard output is not a terminal. */
  readonly columns: () => number | null;
  /** How errors are printed; text when not stated. */
  readonly errors?: "text" | "json";
};
