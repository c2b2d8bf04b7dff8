// What a command sees of the world around it; tests give their own, so that they need no process.
import type { Environment } from "../command/parse-argv.ts";

/** The streams, the environment and the place that a command runs in. */
export type Io = {
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly environment: Environment;
  readonly cwd: string;
  /** Whether a person reads standard output, and standard error, on a terminal. */
  readonly isTerminal: { readonly stdout: boolean; readonly stderr: boolean };
};
