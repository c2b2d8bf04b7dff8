// Foreign text -> printable ASCII, with every other character written as `\u{...}`: no letter can imitate another one, and
// no character is invisible.

/** The text with everything outside printable ASCII escaped. */
export function escapeToAscii(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/gu, escapeCharacter);
}

/** A canonical condition with the escapes of its string literals written as `\u{...}` too. */
export function showCondition(canonical: string): string {
  return canonical.replaceAll(/\\(?:u([0-9a-f]{4})|U([0-9a-f]{8})|[^])/g, (written, short, long) => {
    const digits: unknown = short ?? long;
    return typeof digits === "string" ? `\\u{${Number.parseInt(digits, 16).toString(16)}}` : written;
  });
}

/** The text in one line of printable ASCII, white space folded, cut with `...` to a length in characters. */
export function foldToLine(text: string, limit: number): string {
  return cutToLine(text.trim().replaceAll(/\s+/g, " "), limit);
}

/** The text in one line of printable ASCII, cut with `...` to a length in characters. */
export function cutToLine(text: string, limit: number): string {
  const escaped = escapeToAscii(text);
  if (escaped.length <= limit) return escaped;
  const characters = escaped.match(/\\u\{[0-9a-f]+\}|[^]/g) ?? [];
  let line = "";
  for (const character of characters) {
    if (line.length + character.length > limit - "...".length) break;
    line += character;
  }
  return `${line}...`;
}

function escapeCharacter(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}
