// Foreign text on its way to a person: one line, printable, of bounded length. Every message that quotes text which an
// operator or an agent wrote goes through here, so no escape sequence or bidi mark reaches a terminal or a log.

/** How many code points of foreign text a message quotes when the caller does not say. */
export const QUOTE_LENGTH = 200;

/** Escapes everything that is not printable in one line as `\u{...}`, and cuts after `limit` code points with `...`. */
export function escapeText(text: string, limit = QUOTE_LENGTH): string {
  let out = "";
  let count = 0;
  for (const character of text) {
    if (count++ >= limit) return `${out}...`;
    out += isPrintable(character) ? character : `\\u{${character.codePointAt(0)?.toString(16)}}`;
  }
  return out;
}

/** The text escaped, cut and in double quotes. */
export function quote(text: string, limit = QUOTE_LENGTH): string {
  return `"${escapeText(text, limit)}"`;
}

// Controls, format characters (bidi, zero width), line and paragraph separators, lone surrogates, private use.
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}]/u;

function isPrintable(character: string): boolean {
  return !UNPRINTABLE.test(character);
}
