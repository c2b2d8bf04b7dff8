// The tuples of one relation, as rows of small integers in one array, without duplicates. Rows are only appended, so a range
// of row numbers tells which rows were new in a round. An index chains the rows that agree in some columns, newest first.
import { invariant } from "../core/invariant.ts";

/** A range of rows, without its end. */
export type Range = { readonly from: number; readonly to: number };

/** The columns of an index, one bit each. */
export type Mask = number;

/** The columns of a mask. */
function columnsOf(mask: Mask, arity: number): readonly number[] {
  return Array.from({ length: arity }, (_, column) => column).filter((column) => (mask & (1 << column)) !== 0);
}

/** The row number that ends a chain. */
export const NO_ROW = -1;

/** The rows of one relation and its indices. */
export class Relation {
  readonly arity: number;
  readonly #whole: Index;
  readonly #indices = new Map<Mask, Index>();
  #data: Int32Array;
  #size = 0;

  constructor(arity: number) {
    this.arity = arity;
    this.#data = new Int32Array(16 * arity);
    this.#whole = new Index(columnsOf((1 << arity) - 1, arity));
    this.#indices.set((1 << arity) - 1, this.#whole);
  }

  /** How many rows there are. */
  get size(): number {
    return this.#size;
  }

  /** The value of a column of a row. */
  value(row: number, column: number): number {
    return this.#data[row * this.arity + column] ?? 0;
  }

  /** Adds a row unless it exists; returns whether it was new. */
  add(values: readonly number[]): boolean {
    if (this.has(values)) return false;
    const start = this.#size * this.arity;
    if (start + this.arity > this.#data.length) this.#grow();
    for (let column = 0; column < this.arity; column++) this.#data[start + column] = values[column] ?? 0;
    this.#size++;
    for (const index of this.#indices.values()) index.extend(this.#data, this.arity, this.#size);
    return true;
  }

  /** Whether the row exists. */
  has(values: readonly number[]): boolean {
    return this.first(this.#whole, values, this.#size) !== NO_ROW;
  }

  /** The index for some columns. The first call makes it; then it is kept up to date. */
  index(mask: Mask): Index {
    const existing = this.#indices.get(mask);
    if (existing !== undefined) return existing;
    const index = new Index(columnsOf(mask, this.arity));
    index.extend(this.#data, this.arity, this.#size);
    this.#indices.set(mask, index);
    return index;
  }

  /** The newest row before `before` whose indexed columns have these values, in the order of the columns. */
  first(index: Index, values: readonly number[], before: number): number {
    return this.#match(index, index.head(values), values, before);
  }

  /** The next older such row. */
  next(index: Index, values: readonly number[], row: number): number {
    return this.#match(index, index.older(row), values, this.#size);
  }

  #match(index: Index, start: number, values: readonly number[], before: number): number {
    const { columns } = index;
    let row = start;
    while (row !== NO_ROW) {
      let same = row < before;
      for (let at = 0; same && at < columns.length; at++) same = this.value(row, columns[at] ?? 0) === values[at];
      if (same) return row;
      row = index.older(row);
    }
    return NO_ROW;
  }

  #grow(): void {
    const larger = new Int32Array(2 * this.#data.length);
    larger.set(this.#data);
    this.#data = larger;
  }
}

/** Chains of rows by the hash of some of their columns. */
export class Index {
  readonly columns: readonly number[];
  #heads = new Int32Array(16).fill(NO_ROW);
  #older = new Int32Array(16);
  #size = 0;

  constructor(columns: readonly number[]) {
    this.columns = columns;
  }

  /** The newest row of the chain for these values. */
  head(values: readonly number[]): number {
    let hash = 0;
    for (let at = 0; at < this.columns.length; at++) hash = mix(hash, values[at] ?? 0);
    return this.#heads[hash & (this.#heads.length - 1)] ?? NO_ROW;
  }

  /** The next older row in the chain of a row. */
  older(row: number): number {
    return this.#older[row] ?? NO_ROW;
  }

  /** Adds the new rows to the chains. */
  extend(data: Int32Array, arity: number, size: number): void {
    invariant(size >= this.#size, "rows are never removed");
    if (size > this.#heads.length) {
      const length = 2 ** Math.ceil(Math.log2(2 * size));
      this.#heads = new Int32Array(length).fill(NO_ROW);
      this.#older = new Int32Array(length);
      this.#size = 0;
    }
    for (let row = this.#size; row < size; row++) {
      let hash = 0;
      for (const column of this.columns) hash = mix(hash, data[row * arity + column] ?? 0);
      const slot = hash & (this.#heads.length - 1);
      this.#older[row] = this.#heads[slot] ?? NO_ROW;
      this.#heads[slot] = row;
    }
    this.#size = size;
  }
}

function mix(hash: number, value: number): number {
  const mixed = Math.imul(hash ^ value, 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}
