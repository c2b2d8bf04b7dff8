// What a command sees of the world around it; tests give their own, so that they need no process.
import type { Environment } from "../command/command.ts";

/** The streams, and the environment of a command. */
export type Io = {
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  /** Resolves when standard output takes more, so that long output does not pile up in memory. */
  readonly drained: () => Promise<void>;
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly environment: Environment;
  /** Whether a person reads standard output, and standard error, on a terminal. */
  readonly isTerminal: { readonly stdout: boolean; readonly stderr: boolean };
  /** How errors are printed; text when not stated. */
  readonly errors?: "text" | "json";
};
