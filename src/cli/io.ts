// The process as a command sees it. Tests pass their own streams, so they need no process.
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
  /** The cells in a line of the terminal at standard output; null if standard output is not a terminal. */
  readonly columns: () => number | null;
  /** The form in which errors are printed; text by default. */
  readonly errors?: "text" | "json";
};
