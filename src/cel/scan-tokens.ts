// CEL text -> coarse tokens, enough to find `$name` outside of strings and comments and to measure nesting before a
// parser recurses. Where strings and comments begin and end is exactly what the library's lexer makes of them (a
// backslash skips a character in raw strings too, a comment ends at a line feed alone), so that what is a string here
// is a string there.
import type { Span } from "../core/span.ts";

/** A coarse token of CEL text; white space and comments are no tokens. */
export type Token = {
  readonly kind: "string" | "word" | "number" | "reference" | "symbol";
  readonly span: Span;
};

/** A `$name` in CEL text; the span covers the `$`. */
export type Reference = { readonly name: string; readonly span: Span };

/** The tokens of a text, one at a time. */
export function* scan(text: string): Generator<Token, void, void> {
  let at = 0;
  while (at < text.length) {
    const start = at;
    const character = text.charAt(at);
    if (isSpace(character)) {
      at++;
    } else if (character === "/" && text.charAt(at + 1) === "/") {
      at = endOfComment(text, at);
    } else {
      const kind = kindAt(text, at);
      at = endOf(kind, text, at);
      yield { kind, span: { start, end: at } };
    }
  }
}

/** Every `$name` outside of strings and comments; a `$` without a name is left for the parser to refuse. */
export function findReferences(text: string): readonly Reference[] {
  const references: Reference[] = [];
  if (!text.includes("$")) return references;
  for (const { kind, span } of scan(text)) {
    if (kind === "reference") references.push({ name: text.slice(span.start + 1, span.end), span });
  }
  return references;
}

/**
 * The first raw string that CEL and the library end at different places: in CEL a backslash in a raw string escapes
 * nothing, in the library it skips the character after it, which may be a quote or a line feed.
 */
export function findAmbiguousString(text: string): Span | null {
  if (!text.includes("\\")) return null;
  for (const { kind, span } of scan(text)) {
    const isRaw = kind === "string" && "rR".includes(text.charAt(span.start));
    if (isRaw && endOfString(text, span.start + 1, 1) !== span.end) return span;
  }
  return null;
}

function isNameCharacter(character: string): boolean {
  return isNameStart(character) || isDigit(character);
}

function kindAt(text: string, at: number): Token["kind"] {
  const character = text.charAt(at);
  const next = text.charAt(at + 1);
  if (isQuote(character)) return "string";
  if ("bBrR".includes(character) && isQuote(next)) return "string";
  if (isNameStart(character)) return "word";
  if (isDigit(character)) return "number";
  return character === "$" && isNameStart(next) ? "reference" : "symbol";
}

function endOf(kind: Token["kind"], text: string, at: number): number {
  switch (kind) {
    case "string":
      return endOfString(text, isQuote(text.charAt(at)) ? at : at + 1);
    case "word":
      return endOfName(text, at);
    case "reference":
      return endOfName(text, at + 1);
    case "number":
      return endOfNumber(text, at);
    case "symbol":
      return at + (SYMBOLS.has(text.slice(at, at + 2)) ? 2 : 1);
  }
}

const SYMBOLS: ReadonlySet<string> = new Set(["==", "!=", "<=", ">=", "&&", "||"]);

function endOfComment(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}

// A string that is never closed ends where the parser will refuse it, so that nothing after it is taken for code. A
// backslash takes so many characters, itself among them.
function endOfString(text: string, quoteAt: number, backslash: 1 | 2 = 2): number {
  const quote = text.charAt(quoteAt);
  const triple = text.charAt(quoteAt + 1) === quote && text.charAt(quoteAt + 2) === quote;
  let at = quoteAt + (triple ? 3 : 1);
  while (at < text.length) {
    const character = text.charAt(at);
    if (character === quote && (!triple || (text.charAt(at + 1) === quote && text.charAt(at + 2) === quote))) {
      return at + (triple ? 3 : 1);
    }
    if (backslash === 1 && !triple && (character === "\n" || character === "\r")) return at;
    at += character === "\\" ? backslash : 1;
  }
  return text.length;
}

function endOfName(text: string, at: number): number {
  while (isNameCharacter(text.charAt(at))) at++;
  return at;
}

// Digits, points and exponents are told apart by the parser; here it matters only that `1u` and `0xb"` end where the
// lexer ends them: a number never takes the prefix of a string with it.
function endOfNumber(text: string, at: number): number {
  const hex = text.charAt(at) === "0" && "xX".includes(text.charAt(at + 1) || " ");
  if (hex) at += 2;
  while (hex ? isHexDigit(text.charAt(at)) : isDigit(text.charAt(at))) at++;
  return at;
}

function isSpace(character: string): boolean {
  return character === " " || character === "\t" || character === "\n" || character === "\r";
}

function isQuote(character: string): boolean {
  return character === '"' || character === "'";
}

function isDigit(character: string): boolean {
  return character >= "0" && character <= "9" && character.length === 1;
}

function isHexDigit(character: string): boolean {
  return isDigit(character) || (character.length === 1 && "abcdefABCDEF".includes(character));
}

function isNameStart(character: string): boolean {
  return (character >= "a" && character <= "z") || (character >= "A" && character <= "Z") || character === "_";
}
