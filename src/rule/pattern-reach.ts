// Finds out whether the alternatives of an RE2 pattern are anchored at both ends, and whether an unescaped dot stands where a
// literal dot is meant. Only what is certain is reported.

/** An alternative at the top level of a pattern. */
export type Alternative = {
  /** Whether it has `^` or `\A` anywhere. */
  readonly isTiedToStart: boolean;
  /** Whether it has `$` or `\z` anywhere. */
  readonly isTiedToEnd: boolean;
  /** The text of the alternative. */
  readonly text: string;
};

/** Splits a pattern into its top-level alternatives; an anchor in a group counts for the alternative that contains the group. */
export function alternativesOf(pattern: string): readonly Alternative[] {
  const found: Alternative[] = [];
  let [start, depth, isTiedToStart, isTiedToEnd] = [0, 0, false, false];
  const close = (end: number) => {
    found.push({ text: pattern.slice(start, end), isTiedToStart, isTiedToEnd });
    [start, isTiedToStart, isTiedToEnd] = [end + 1, false, false];
  };
  for (const { text, at } of elementsOf(pattern)) {
    if (text === "(") depth++;
    else if (text === ")") depth--;
    else if (text === "|" && depth === 0) close(at);
    else if (text === "^" || text === "\\A") isTiedToStart = true;
    else if (text === "$" || text === "\\z") isTiedToEnd = true;
  }
  close(pattern.length);
  return found;
}

/** Whether an unescaped dot is between two letters, digits or hyphens, as in `api.example.com`. */
export function hasBareDot(pattern: string): boolean {
  const elements = elementsOf(pattern);
  return elements.some(({ text }, at) =>
    text === "." && /^[\w-]$/.test(elements[at - 1]?.text ?? "") && /^[\w-]$/.test(elements[at + 1]?.text ?? "")
  );
}

type Element = { readonly text: string; readonly at: number };

// Splits a pattern into characters, escapes and classes.
function elementsOf(pattern: string): readonly Element[] {
  return [...pattern.matchAll(/\\Q.*?(?:\\E|$)|\\.|\[\^?\]?(?:\\.|\[:\w+:\]|[^\]\\])*\]|./gsu)].map((
    { 0: text, index },
  ) => ({
    text,
    at: index,
  }));
}
