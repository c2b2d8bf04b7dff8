// Number and noun -> text, so that no message says "1 files".

/** The number with its noun, for example `1 file` or `3 files`. */
export function countOf(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
