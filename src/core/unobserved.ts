// The values that rules see of a program that no enforcement point saw. They are chosen so that none of them supports an allow.

/** The members of the `run` namespace that only an enforcement point knows. */
export type UnobservedProgram = {
  readonly executable: string;
  readonly argv0: string;
  readonly changed: boolean;
  readonly env_keys: readonly string[];
};

/** Makes these members for a program of which only the path is known. */
export function unobservedProgram(path: string): UnobservedProgram {
  return { executable: path, argv0: path.slice(path.lastIndexOf("/") + 1), changed: true, env_keys: [] };
}
