// The width of a text on a terminal, so that columns and carets line up in every script.

/** The number of terminal cells that a printable text takes. */
export function cellWidth(text: string): number {
  let sum = 0;
  for (const character of text) sum += WIDE.test(character) ? 2 : MARK.test(character) ? 0 : 1;
  return sum;
}

// Emoji, East Asian scripts and full-width forms take two cells; half-width Katakana and Hangul take one.
const WIDE =
  /(?![\uff61-\uffdc])[\p{Emoji_Presentation}\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Yi}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]/u;

const MARK = /[\p{Mn}\p{Me}]/u;
