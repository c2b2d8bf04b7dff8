// When a text says nothing.

/** Whether a text is empty, or nobody would see that it is not. */
export function isBlank(text: string): boolean {
  return /^[ \t\n]*$/.test(text);
}
