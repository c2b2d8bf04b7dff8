// Check: one thing that the daemon needs from this host, the finding, and the remedy.

/** `failed`: the daemon cannot work like this. `warning`: the daemon works, but the operator should know. */
export type Outcome = "ok" | "warning" | "failed";

/** The result of one check. */
export type Check = {
  readonly name: string;
  readonly outcome: Outcome;
  /** The finding, on one line. */
  readonly found: string;
  /** The remedy, mostly a command; null if nothing needs to be done. */
  readonly remedy: string | null;
};

/** A check that passed. */
export function fine(name: string, found: string): Check {
  return { name, outcome: "ok", found, remedy: null };
}

/** A check that found something that the operator should know. */
export function doubtful(name: string, found: string, remedy: string): Check {
  return { name, outcome: "warning", found, remedy };
}

/** A check that failed. */
export function failed(name: string, found: string, remedy: string): Check {
  return { name, outcome: "failed", found, remedy };
}
