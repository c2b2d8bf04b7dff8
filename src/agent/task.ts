// What every command of the shim is given.
import type { Daemon } from "./ask-verdict.ts";
import type { Invocation } from "./invocation.ts";

/** Whom to ask, how to say a denial, and who is asking. */
export type Task = {
  readonly daemon: Daemon;
  /** Whether a denial is written as the whole verdict in JSON. */
  readonly verdictAsJson: boolean;
  readonly invocation: Invocation;
};
