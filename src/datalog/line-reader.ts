// Reads one line of a program word by word. The first error is kept, and from then on every read finds nothing, so a parser
// can check for errors once, at the end of the line.
import { quote } from "../core/quote.ts";
import { NUMBER_RANGE, type Term } from "./statement.ts";
import { decodeSymbol } from "./symbol-text.ts";

/** An error in a line, with its offset. */
export type Refusal = { readonly at: number; readonly message: string };

/** How many code points of a line an error quotes. */
const SHOWN_LENGTH = 60;

/** Reads one line. */
export class LineReader {
  readonly #line: string;
  #at = 0;
  #refusal: Refusal | undefined;

  constructor(line: string) {
    this.#line = line;
  }

  /** The first error. If there is one, the values that were read are meaningless. */
  get refusal(): Refusal | undefined {
    return this.#refusal;
  }

  /** Reads exactly this word. */
  take(word: string): void {
    if (!this.takeIf(word)) this.#expected(quote(word));
  }

  /** Reads this word if it is next; returns whether it was. */
  takeIf(word: string): boolean {
    this.#skipSpaces();
    if (this.#refusal !== undefined || !this.#line.startsWith(word, this.#at)) return false;
    this.#at += word.length;
    return true;
  }

  /** Whether the next word is a name and not a term. */
  isAtName(): boolean {
    this.#skipSpaces();
    return /[a-z]/.test(this.#line.charAt(this.#at));
  }

  /** Reads the name of a relation or column. */
  name(): string {
    return this.#match(/[a-z][a-z0-9_]*/y) ?? this.#expected("a name");
  }

  /** Reads a symbol, a number or a variable. */
  term(): Term {
    const symbol = this.#match(/"[^"\\]*"/y);
    if (symbol !== undefined) {
      return decodeSymbol(symbol.slice(1, -1)) ?? this.#expected("whole escapes in the symbol before this");
    }
    const digits = this.#match(/-?[0-9]+/y);
    if (digits === undefined) return { variable: this.#match(/_|[A-Z][A-Za-z0-9_]*/y) ?? this.#expected("a term") };
    const number = Number(digits);
    if (number < NUMBER_RANGE.least || number > NUMBER_RANGE.greatest) {
      this.#expected("32 bits in the number before this");
    }
    return number;
  }

  /** Refuses any remaining text. */
  end(): void {
    this.#skipSpaces();
    if (this.#at < this.#line.length) this.#expected("the end of the line");
  }

  /** Refuses the line for the given reason. */
  refuse(message: string): void {
    this.#refusal ??= { at: this.#at, message };
  }

  #skipSpaces(): void {
    while (this.#line.charAt(this.#at) === " ") this.#at++;
  }

  #match(pattern: RegExp): string | undefined {
    this.#skipSpaces();
    if (this.#refusal !== undefined) return undefined;
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#line)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  #expected(wanted: string): string {
    const rest = this.#line.slice(this.#at);
    this.refuse(`expected ${wanted}, found ${rest === "" ? "the end of the line" : quote(rest, SHOWN_LENGTH)}`);
    return "";
  }
}
