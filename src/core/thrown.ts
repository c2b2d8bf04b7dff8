// Values that a system call or a library has thrown, which can be of any type, as text.

/** The message of an error, or the text of any other thrown value. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** The system's error code, such as `ENOENT`; undefined where there is none. */
export function systemCodeOf(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error) || !("code" in thrown)) return undefined;
  return typeof thrown.code === "string" ? thrown.code : undefined;
}

/** Whether the error says that there is no such file. */
export function isMissing(thrown: unknown): boolean {
  return systemCodeOf(thrown) === "ENOENT";
}
