// Check: one thing that the daemon needs of this host, as it was found, and what to do where it is not as it must be.

/** `failed` keeps the daemon from working; a `warning` is worth knowing and does not. */
export type Outcome = "ok" | "warning" | "failed";

/** One thing that was looked at. */
export type Check = {
  readonly name: string;
  readonly outcome: Outcome;
  /** What was found, on one line. */
  readonly found: string;
  /** What to do; null where there is nothing to do. */
  readonly remedy: string | null;
};

/** Something that is as it must be. */
export function fine(name: string, found: string): Check {
  return { name, outcome: "ok", found, remedy: null };
}

/** Something that is worth knowing. */
export function doubtful(name: string, found: string, remedy: string): Check {
  return { name, outcome: "warning", found, remedy };
}

/** Something that must be mended. */
export function failed(name: string, found: string, remedy: string): Check {
  return { name, outcome: "failed", found, remedy };
}
