// Pieces: a decoded value together with the ranges of the source text that its parts came from. A run is copied character by
// character. An atom, such as an escape or a folded line break, stands for other characters as a whole.

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

  /** Adds a range of the source text unchanged. */
  run(from: number, to: number): void {
    if (from >= to) return;
    this.#pieces.push({ at: this.#text.length, from, to, isRun: true });
    this.#text += this.#raw.slice(from, to);
  }

  /** Adds characters that a range of the source text stands for as a whole. */
  atom(text: string, from: number, to: number): void {
    this.#pieces.push({ at: this.#text.length, from, to, isRun: false });
    this.#text += text;
  }

  /** The source offset where the character at an offset of the value begins; after the last character, where it ends. */
  from(offset: number): number {
    if (offset >= this.#text.length) return this.#pieces.at(-1)?.to ?? 0;
    const piece = this.#pieceAt(offset);
    return piece.isRun ? piece.from + (offset - piece.at) : piece.from;
  }

  /** The source offset where the character at an offset of the value ends. */
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
