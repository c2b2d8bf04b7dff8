// Any text <-> the text of a symbol or comment: printable ASCII, with `{hex}` for every other character and for quote,
// backslash, brace and question mark. So no text can end a symbol, a comment or a line. Neither a reader of either dialect nor
// the C preprocessor that Soufflé runs first finds an escape, a continued line or a trigraph in it.

/** Encodes a text for use between the quotes of a symbol. */
export function encodeSymbol(text: string): string {
  return text.replaceAll(UNSAFE, (character) => `{${character.codePointAt(0)?.toString(16)}}`);
}

const UNSAFE = /[^\u0020-\u007e]|["\\{?]/gu;

/** Decodes a text from `encodeSymbol`, or returns undefined if it is malformed. */
export function decodeSymbol(text: string): string | undefined {
  if (!text.includes("{")) return text;
  let known = true;
  const decoded = text.replaceAll(/\{([0-9a-f]*)(\}?)/g, (_, hex: string, end: string) => {
    const code = Number.parseInt(hex, 16);
    known &&= end === "}" && code <= 0x10ffff;
    return known ? String.fromCodePoint(code) : "";
  });
  return known && encodeSymbol(decoded) === text ? decoded : undefined;
}
