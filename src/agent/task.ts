// The settings that every command of the shim gets.
import type { Daemon } from "./ask-verdict.ts";
import type { Invocation } from "./invocation.ts";

/** The daemon to ask, the form of a denial, and how the shim was called. */
export type Task = {
  readonly daemon: Daemon;
  /** Whether a denial is printed as the whole verdict in JSON. */
  readonly verdictAsJson: boolean;
  readonly invocation: Invocation;
};
