// Any text <-> the text of a symbol or comment of a program: printable ASCII without quote, backslash, brace or question
// mark, for which `{hex}` stands. So no text can end a symbol, a comment or a line, and no reader of either dialect, nor a C
// preprocessor before it (Soufflé has one), finds an escape, a continued line or a trigraph in it.

/** Writes any text so that it can stand between the quotes of a symbol. */
export function encodeSymbol(text: string): string {
  return text.replaceAll(UNSAFE, (character) => `{${character.codePointAt(0)?.toString(16)}}`);
}

const UNSAFE = /[^\u0020-\u007e]|["\\{?]/gu;

/** Reads what `encodeSymbol` wrote, or undefined where it cannot have written this. */
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
