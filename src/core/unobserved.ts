// What rules see of a program that no enforcement point saw: nothing that would speak for it.

/** What the `run` namespace says besides the path. */
export type UnobservedProgram = {
  readonly executable: string;
  readonly argv0: string;
  readonly changed: boolean;
  readonly env_keys: readonly string[];
};

/** The members that only an enforcement point knows, for a program that is known by its path alone. */
export function unobservedProgram(path: string): UnobservedProgram {
  return { executable: path, argv0: path.slice(path.lastIndexOf("/") + 1), changed: true, env_keys: [] };
}
