// A table holds the rules that have keys of one kind in one slot. For a request, it returns the rules of the table that may
// match.
import type { Activation } from "../cel/activation.ts";
import { Abnormal, isList, MapValue, type Term } from "../cel/value.ts";
import type { Guard } from "./lookup-guard.ts";
import { askedName } from "./lookup-cost.ts";
import type { Key, KeyKind } from "./lookup-key.ts";
import { INDEXED_LENGTH } from "./lookup-limits.ts";

/** Positions of rules, in evaluation order. */
export type Positions = number[];

type Postings = Map<unknown, Positions>;

/** The kind, slot and map key that a table looks up. */
export type Place = Pick<Key, "kind" | "slot" | "name">;

/** The rules by their keys. */
export class IndexTable {
  readonly #place: Place;
  readonly #postings: Postings = new Map();
  readonly #lengths = new Set<number>();
  /** All rules of the table, for a value that cannot be looked up. */
  readonly #all: Positions = [];
  /** The rules that may fail if the namespace is absent. */
  readonly #fallible: Positions = [];
  /** The rules that may fail if the map lacks the key. */
  readonly #unasked: Positions = [];

  constructor(place: Place) {
    this.#place = place;
  }

  /** Adds a rule under one of its keys. Rules must be added in the order of their positions. */
  add(position: number, key: Key, guard: Guard): void {
    push(this.#all, position);
    if (!guard.isPlain) push(this.#fallible, position);
    if (key.kind === "entry" && !guard.asked.has(askedName(key.slot, key.name))) push(this.#unasked, position);
    const positions = this.#postings.get(key.value);
    if (positions === undefined) this.#postings.set(key.value, [position]);
    else push(positions, position);
    if (typeof key.value === "string") this.#lengths.add(key.value.length);
  }

  /** Calls `take` with lists of positions that together contain every rule of the table that may match or fail. */
  find({ slots }: Activation, take: (positions: readonly number[]) => void): void {
    const term = slots[this.#place.slot];
    if (term === undefined || term instanceof Abnormal) return take(this.#fallible);
    LOOKUPS[this.#place.kind](this, term, take);
  }

  /** Calls `take` with the rules that have a value as key. */
  at(value: unknown, take: (positions: readonly number[]) => void): void {
    const positions = this.#postings.get(value);
    if (positions !== undefined) take(positions);
  }

  /** All rules of the table. */
  get all(): readonly number[] {
    return this.#all;
  }

  /** The rules that may fail if the map lacks the key. */
  get unasked(): readonly number[] {
    return this.#unasked;
  }

  /** The key of the map that the table looks up. */
  get name(): string {
    return this.#place.name;
  }

  /** The lengths of the prefixes or suffixes. */
  get lengths(): ReadonlySet<number> {
    return this.#lengths;
  }
}

type Take = (positions: readonly number[]) => void;

const LOOKUPS: Readonly<Record<KeyKind, (table: IndexTable, term: Term, take: Take) => void>> = {
  value: (table, term, take) => {
    // A number of another type may equal an int.
    if (typeof term === "string" || typeof term === "bigint" || typeof term === "boolean") table.at(term, take);
    else take(table.all);
  },
  element: (table, term, take) => {
    if (!isList(term)) return take(table.all);
    for (const element of term) table.at(element, take);
  },
  entry: (table, term, take) => {
    if (!(term instanceof MapValue)) return take(table.all);
    const value = term.get(table.name);
    if (value === undefined) return take(table.unasked);
    if (typeof value === "string") table.at(value, take);
  },
  prefix: (table, term, take) => lookUpAffixes(table, term, take, (text, length) => text.slice(0, length)),
  pattern: (table, term, take) => {
    if (typeof term === "string" && term.length > INDEXED_LENGTH) return take(table.all);
    lookUpAffixes(table, term, take, (text, length) => text.slice(0, length));
  },
  suffix: (table, term, take) => lookUpAffixes(table, term, take, (text, length) => text.slice(text.length - length)),
};

function lookUpAffixes(table: IndexTable, term: Term, take: Take, cut: (text: string, length: number) => string): void {
  if (typeof term !== "string") return take(table.all);
  for (const length of table.lengths) {
    if (length <= term.length) table.at(cut(term, length), take);
  }
}

/** Whether the lists of a request are within the limit of the index. */
export function isIndexed({ slots }: Activation): boolean {
  return slots.every((term) => !isList(term) || term.length <= INDEXED_LENGTH);
}

// A rule with several keys in a table is added to each list only once.
function push(positions: Positions, position: number): void {
  if (positions.at(-1) !== position) positions.push(position);
}
