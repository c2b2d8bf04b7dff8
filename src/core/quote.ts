// Foreign text -> printable text in one line of bounded length. Every message that quotes what an operator or an agent wrote
// uses these functions, so that no escape sequence and no bidi mark reaches a terminal or a log.

/** How many code points of foreign text a message quotes by default. */
const QUOTE_LENGTH = 200;

/** Escapes everything that is not printable in one line as `\u{...}`, and cuts after `limit` code points with `...`. */
export function escapeText(text: string, limit = QUOTE_LENGTH): string {
  let out = "";
  let count = 0;
  for (const character of text) {
    if (count++ >= limit) return `${out}...`;
    out += escapeWhole(character);
  }
  return out;
}

/** The whole text with everything that is not printable in one line escaped as `\u{...}`, however long it is. */
export function escapeWhole(text: string): string {
  return replaceUnprintable(text, escapeCharacter);
}

/** The text escaped, cut and in double quotes. */
export function quote(text: string, limit = QUOTE_LENGTH): string {
  return `"${escapeText(text, limit)}"`;
}

/** Replaces every character that is not printable in one line. */
export function replaceUnprintable(text: string, replace: (character: string) => string): string {
  return text.replaceAll(UNPRINTABLE, replace);
}

// Controls, format characters (bidi, zero width), line and paragraph separators, lone surrogates, private use, unassigned.
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}]/gu;

function escapeCharacter(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}

/** A path as a shell takes it, for commands that a message advises. */
export function shellPath(path: string): string {
  return /^[\w./@:+,-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
