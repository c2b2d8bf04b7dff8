// The keys of one kind in one slot -> the rules that need them, by position. A table answers for one request which rules
// its keys cannot rule out; the rules of other tables are not its concern.
import type { Activation } from "../cel/activation.ts";
import { Abnormal, isList, MapValue, type Term } from "../cel/value.ts";
import type { Guard } from "./lookup-guard.ts";
import { askedName } from "./lookup-guard.ts";
import type { Key, KeyKind } from "./lookup-key.ts";
import { INDEXED_ELEMENTS, INDEXED_PATTERN_LENGTH, INDEXED_TEXT_LENGTH } from "./lookup-limits.ts";

/** Positions of rules in evaluation order, without an end. */
export type Positions = number[];

type Postings = Map<unknown, Positions>;

/** Where a table looks. */
export type Place = Pick<Key, "kind" | "slot" | "name">;

/** The keys of a place. */
export class IndexTable {
  readonly #place: Place;
  readonly #postings: Postings = new Map();
  readonly #lengths = new Set<number>();
  /** All rules of the table, for a request whose value cannot be looked up. */
  readonly #all: Positions = [];
  /** Those that may fail where the namespace is absent. */
  readonly #fallible: Positions = [];
  /** Those that fail where the map lacks the key. */
  readonly #unasked: Positions = [];

  constructor(place: Place) {
    this.#place = place;
  }

  /** Enters a rule under one of its keys; positions come in order. */
  add(position: number, key: Key, guard: Guard): void {
    push(this.#all, position);
    if (!guard.isPlain) push(this.#fallible, position);
    if (key.kind === "entry" && !guard.asked.has(askedName(key.slot, key.name))) push(this.#unasked, position);
    const positions = this.#postings.get(key.value);
    if (positions === undefined) this.#postings.set(key.value, [position]);
    else push(positions, position);
    if (typeof key.value === "string") this.#lengths.add(key.value.length);
  }

  /** Calls `take` with lists of positions that together hold every rule of the table which the request may match. */
  find({ slots }: Activation, take: (positions: readonly number[]) => void): void {
    const term = slots[this.#place.slot];
    if (term === undefined || term instanceof Abnormal) return take(this.#fallible);
    LOOKUPS[this.#place.kind](this, term, take);
  }

  /** The rules under one value. */
  at(value: unknown, take: (positions: readonly number[]) => void): void {
    const positions = this.#postings.get(value);
    if (positions !== undefined) take(positions);
  }

  /** All rules, where the value is none that can be looked up. */
  get all(): readonly number[] {
    return this.#all;
  }

  /** The rules that need a key and fail without it. */
  get unasked(): readonly number[] {
    return this.#unasked;
  }

  /** The key of the map that the table is about. */
  get name(): string {
    return this.#place.name;
  }

  /** The lengths of its texts. */
  get lengths(): ReadonlySet<number> {
    return this.#lengths;
  }
}

type Take = (positions: readonly number[]) => void;

const LOOKUPS: Readonly<Record<KeyKind, (table: IndexTable, term: Term, take: Take) => void>> = {
  value: (table, term, take) => {
    // A number that is no int may be equal to one.
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
    if (typeof value === "string" && value.length <= INDEXED_TEXT_LENGTH) table.at(value, take);
    else if (typeof value === "string") take(table.all);
  },
  prefix: (table, term, take) => lookUpAffixes(table, term, take, (text, length) => text.slice(0, length)),
  pattern: (table, term, take) => {
    if (typeof term === "string" && term.length > INDEXED_PATTERN_LENGTH) return take(table.all);
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

/** Whether every text and list of a request is one that the index looks at. */
export function isIndexed({ slots }: Activation): boolean {
  return slots.every((term) => {
    if (typeof term === "string") return term.length <= INDEXED_TEXT_LENGTH;
    return !isList(term) || term.length <= INDEXED_ELEMENTS;
  });
}

// A rule has each position once in a list, though it may have several keys of a table.
function push(positions: Positions, position: number): void {
  if (positions.at(-1) !== position) positions.push(position);
}
