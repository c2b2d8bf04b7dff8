// Tests whether a text is blank.

/** Whether a text has only spaces, tabs and line breaks, or nothing. */
export function isBlank(text: string): boolean {
  return /^[ \t\n]*$/.test(text);
}
