// Number and noun -> text, so that one file is never "1 files".

/** The number with its noun, for example `1 file` or `3 files`; `plural` where an `s` does not make it. */
export function countOf(number: number, noun: string, plural = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : plural}`;
}
