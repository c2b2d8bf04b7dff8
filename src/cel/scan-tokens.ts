// CEL text -> coarse tokens, to find `$name` outside of strings and comments, and to measure nesting before a parser
// recurses. Strings and comments must begin and end exactly where the library's lexer ends them: a backslash skips a
// character in raw strings too, and only a line feed ends a comment.
import type { Span } from "../core/span.ts";

/** A coarse token of CEL text. White space and comments are not tokens. */
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

/** Finds every `$name` outside of strings and comments. The parser refuses a `$` without a name. */
export function findReferences(text: string): readonly Reference[] {
  const references: Reference[] = [];
  if (!text.includes("$")) return references;
  for (const { kind, span } of scan(text)) {
    if (kind === "reference") references.push({ name: text.slice(span.start + 1, span.end), span });
  }
  return references;
}

/**
 * Finds the first raw string that CEL and the library end at different places. In CEL a backslash in a raw string escapes
 * nothing; the library skips the character after it, which may be a quote or a line feed.
 */
export function findAmbiguousString(text: string): Span | null {
  if (!text.includes("\\") || !RAW_STARTS.some((start) => text.includes(start))) return null;
  for (const { kind, span } of scan(text)) {
    const isRaw = kind === "string" && "rR".includes(text.charAt(span.start));
    if (isRaw && endOfString(text, span.start + 1, 1) !== span.end) return span;
  }
  return null;
}

const RAW_STARTS = [`r"`, "r'", `R"`, "R'"];

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

// Returns where a string ends. An unclosed string extends to the end of the text, which the parser refuses. `backslash` is
// the number of characters that a backslash consumes, itself included.
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

// The parser reads points and exponents. Here it only matters that the prefix of a string after a number, as in `0xb"`, is
// split where the lexer splits it.
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
