// What an RE2 pattern leaves open: whether each of its alternatives is tied to the beginning and to the end of a text, and
// whether a dot in it stands for any character where a dot is meant. Only what is certain is said.

/** One alternative at the top level of a pattern. */
export type Alternative = {
  /** Whether it has `^` or `\A` anywhere. */
  readonly isTiedToStart: boolean;
  /** Whether it has `$` or `\z` anywhere. */
  readonly isTiedToEnd: boolean;
  /** The pattern of this alternative as written. */
  readonly text: string;
};

/** The alternatives of a pattern at its top level; anchors of a group count for the alternative that the group is in. */
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

/** Whether a bare dot stands between two letters, digits or hyphens, as in `api.example.com`. */
export function hasBareDot(pattern: string): boolean {
  const elements = elementsOf(pattern);
  return elements.some(({ text }, at) =>
    text === "." && /^[\w-]$/.test(elements[at - 1]?.text ?? "") && /^[\w-]$/.test(elements[at + 1]?.text ?? "")
  );
}

type Element = { readonly text: string; readonly at: number };

// Single characters, escapes and whole classes, in their order.
function elementsOf(pattern: string): readonly Element[] {
  return [...pattern.matchAll(/\\Q.*?(?:\\E|$)|\\.|\[\^?\]?(?:\\.|\[:\w+:\]|[^\]\\])*\]|./gsu)].map((
    { 0: text, index },
  ) => ({
    text,
    at: index,
  }));
}
