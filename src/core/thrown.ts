// What a call of the system or of a library has thrown, in words: such a value may be anything.

/** What was thrown, as a text: an error's own message. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** The system's name of what went wrong, such as `ENOENT`; undefined where the system said nothing. */
export function systemCodeOf(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error) || !("code" in thrown)) return undefined;
  return typeof thrown.code === "string" ? thrown.code : undefined;
}

/** Whether the system says that there is no such file. */
export function isMissing(thrown: unknown): boolean {
  return systemCodeOf(thrown) === "ENOENT";
}
