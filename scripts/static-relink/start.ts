// How a static program starts, before the runtime inside it does: what the runtime sees, and when it is not even tried.

/** What is said of a program before its runtime runs. */
export type Start = {
  /** Its name in messages. */
  readonly name: string;
  /** The variables that the runtime sees, or those that it does not. */
  readonly variables: Variables;
  /** Variables that the runtime sees besides, each as `NAME=value`: how it is set up for this program. */
  readonly settings?: readonly string[];
  /** The exit status of a program whose runtime cannot start here. */
  readonly unreadyStatus: number;
  /** Whether it also ends so, with one line, where its runtime aborts later; if not, the runtime reports at length. */
  readonly quietAbort: boolean;
};

/** Names of variables in upper case, or beginnings of names that end in `*`. */
export type Variables = { readonly kind: "keep" | "drop"; readonly names: readonly string[] };
