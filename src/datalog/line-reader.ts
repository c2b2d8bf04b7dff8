// One line of a program, read word by word. The first thing that is not what was expected is kept; from then on nothing is
// found any more, so that whoever reads comes to an end without asking after each word.
import { quote } from "../core/quote.ts";
import { NUMBER_RANGE, type Term } from "./statement.ts";
import { decodeSymbol } from "./symbol-text.ts";

/** What is wrong with a line, and at which offset. */
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

  /** What was wrong first; then what was read is of no use. */
  get refusal(): Refusal | undefined {
    return this.#refusal;
  }

  /** Reads exactly this word. */
  take(word: string): void {
    if (!this.takeIf(word)) this.#expected(quote(word));
  }

  /** Whether this word is next; then it is read. */
  takeIf(word: string): boolean {
    this.#skipSpaces();
    if (this.#refusal !== undefined || !this.#line.startsWith(word, this.#at)) return false;
    this.#at += word.length;
    return true;
  }

  /** Whether a name is next, and not a term. */
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

  /** Refuses whatever is left. */
  end(): void {
    this.#skipSpaces();
    if (this.#at < this.#line.length) this.#expected("the end of the line");
  }

  /** Refuses the line for a reason of its own. */
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
