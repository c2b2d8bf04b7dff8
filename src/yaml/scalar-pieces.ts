// A value put together from pieces of a raw text that know where they came from: runs, copied character by character,
// and atoms, such as an escape or a folded line break, that stand for something else.

type Piece = {
  /** Offset in the value. */
  readonly at: number;
  /** Range in the raw text. */
  readonly from: number;
  readonly to: number;
  readonly isRun: boolean;
};

/** The pieces of one value, in order. */
export class Pieces {
  readonly #raw: string;
  readonly #pieces: Piece[] = [];
  #text = "";

  constructor(raw: string) {
    this.#raw = raw;
  }

  /** The value so far. */
  get text(): string {
    return this.#text;
  }

  /** Adds a range of the raw text as it is. */
  run(from: number, to: number): void {
    if (from >= to) return;
    this.#pieces.push({ at: this.#text.length, from, to, isRun: true });
    this.#text += this.#raw.slice(from, to);
  }

  /** Adds characters for which a range of the raw text stands as a whole. */
  atom(text: string, from: number, to: number): void {
    this.#pieces.push({ at: this.#text.length, from, to, isRun: false });
    this.#text += text;
  }

  /** Where the character at an offset of the value begins in the raw text; behind the last one, where that ends. */
  from(offset: number): number {
    if (offset >= this.#text.length) return this.#pieces.at(-1)?.to ?? 0;
    const piece = this.#pieceAt(offset);
    return piece.isRun ? piece.from + (offset - piece.at) : piece.from;
  }

  /** Where the character at an offset of the value ends in the raw text. */
  to(offset: number): number {
    if (offset >= this.#text.length) return this.#pieces.at(-1)?.to ?? 0;
    const piece = this.#pieceAt(offset);
    return piece.isRun ? piece.from + (offset - piece.at) + 1 : piece.to;
  }

  #pieceAt(offset: number): Piece {
    let low = 0;
    let high = this.#pieces.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#pieces[middle]?.at ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return this.#pieces[low] ?? { at: 0, from: 0, to: 0, isRun: true };
  }
}
