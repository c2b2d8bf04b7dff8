// `password=x`, `"token": "x"`, `Authorization: Bearer x` in a text -> the same without the value. The text is read once from
// left to right. Like a shell, the code tracks quotes, and a value ends with the quotes around it.
import { placeholder } from "./placeholder.ts";

/** Words in names of secrets. */
const SECRET_WORD = /pass|pwd|token|secret|key|credential|cookie|bearer|auth(?!or(?!iz))/i;

/** Whether a name is one of a secret: it contains password, token, key, secret or a similar word. */
export function isSecretName(name: string): boolean {
  return SECRET_WORD.test(name);
}

/** The names of headers whose value is the rest of the line. */
const WHOLE_LINE = /authorization|cookie/i;

/** The text without the values of secret names. */
export function hideNamed(text: string): string {
  if (!SECRET_WORD.test(text)) return text;
  let out = "";
  let done = 0;
  let quote = "";
  let at = 0;
  while (at < text.length) {
    const character = text.charAt(at);
    if (isNamePart(character)) {
      const end = endOfName(text, at);
      const name = text.slice(at, end);
      const value = isSecretName(name) ? valueAfter(text, end, quote, WHOLE_LINE.test(name)) : null;
      if (value !== null) {
        const kind = WHOLE_LINE.test(name) ? "header" : "argument";
        out += text.slice(done, value.start) + placeholder(kind, text.slice(value.start, value.end));
        done = value.end;
        quote = value.quote;
      }
      at = value?.end ?? end;
      continue;
    }
    if (character === "\\" && quote !== "'") at++;
    else if (quote === "" && (character === '"' || character === "'")) quote = character;
    else if (character === quote) quote = "";
    at++;
  }
  return out + text.slice(done);
}

/** Where the word of a shell line that begins at a place ends: at a blank outside of quotes. */
export function endOfWord(text: string, start: number): number {
  let at = start;
  while (at < text.length && !/\s/.test(text.charAt(at))) {
    const character = text.charAt(at);
    if (character === '"' || character === "'") at = endOfQuotes(text, at + 1, character);
    else if (character === "\\") at++;
    at++;
  }
  return Math.min(at, text.length);
}

// The place of the closing quote, or the end of the text.
function endOfQuotes(text: string, start: number, quote: string): number {
  let at = start;
  while (at < text.length && text.charAt(at) !== quote) at += text.charAt(at) === "\\" && quote === '"' ? 2 : 1;
  return Math.min(at, text.length);
}

function isNamePart(character: string): boolean {
  return /[\w.-]/.test(character);
}

function endOfName(text: string, start: number): number {
  let end = start;
  while (end < text.length && isNamePart(text.charAt(end))) end++;
  return end;
}

type Value = { readonly start: number; readonly end: number; readonly quote: string };

// The value after a name that ends here, if `:` or `=` follows. `quote` is the quotation mark around the name.
function valueAfter(text: string, nameEnd: number, quote: string, wholeLine: boolean): Value | null {
  let at = nameEnd;
  let around = quote;
  if (text.charAt(at) === "\\") at++;
  if (/["']/.test(text.charAt(at))) {
    if (text.charAt(at) === around && text.charAt(at - 1) !== "\\") around = "";
    at++;
  }
  at = skipBlanks(text, at);
  if (!/[:=]/.test(text.charAt(at))) return null;
  at++;
  if (text.charAt(at) === ">") at++;
  const start = skipBlanks(text, at);
  const end = around !== "" ? endOfQuotes(text, start, around) : endOfPlain(text, start, wholeLine);
  return end > start ? { start, end, quote: around } : null;
}

function endOfPlain(text: string, start: number, wholeLine: boolean): number {
  const quote = text.charAt(start);
  if (/["']/.test(quote)) {
    // JSON and YAML end a text here; a word of a shell can go on.
    const end = endOfQuotes(text, start + 1, quote) + 1;
    return /[\s,;\]})]/.test(text.charAt(end)) ? end : endOfWord(text, start);
  }
  if (!wholeLine) return endOfWord(text, start);
  const line = text.slice(start).search(/[\r\n]/);
  return line < 0 ? text.length : start + line;
}

function skipBlanks(text: string, start: number): number {
  let at = start;
  while (/[ \t]/.test(text.charAt(at))) at++;
  return at;
}
