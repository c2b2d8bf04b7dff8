// How a static program starts before its runtime runs: which variables the runtime sees, and when it is not started at
// all.

/** The settings of a program for the time before its runtime runs. */
export type Start = {
  /** Its name in messages. */
  readonly name: string;
  /** The variables that the runtime sees, or those that are removed. */
  readonly variables: Variables;
  /** Variables that are added for the runtime, each as `NAME=value`: its configuration for this program. */
  readonly settings?: readonly string[];
  /** The exit status if the runtime cannot start. */
  readonly unreadyStatus: number;
  /**
   * Whether the program also ends with this status and one line when its runtime aborts later; otherwise the runtime
   * prints its crash report.
   */
  readonly quietAbort: boolean;
};

/** Names of variables in upper case, or prefixes that end in `*`. */
export type Variables = { readonly kind: "keep" | "drop"; readonly names: readonly string[] };
