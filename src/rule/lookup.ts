// The decision index: finds the rules that a request may match, so that the others need not be evaluated. The result is the
// same as that of a scan of all rules in order. A rule is left out only if a scan would find it to be no match within its
// steps. The index also bounds the steps that a scan would take for the rules that were left out.
import type { Activation } from "../cel/activation.ts";
import type { Environment } from "../cel/environment.ts";
import type { Interruptible } from "../core/interruptible.ts";
import { addCosts, fixedCost, stepsFor } from "./lookup-cost.ts";
import { type Guard, guardOf, type Indexed, possibleKeys } from "./lookup-guard.ts";
import type { Key } from "./lookup-key.ts";
import { LOOKUPS_LIMIT } from "./lookup-limits.ts";
import { IndexTable, isIndexed } from "./lookup-table.ts";

/** The index of a rule set. */
export type DecisionIndex = {
  /** Returns the positions of the rules to evaluate for a request, or null for all rules. */
  readonly candidates: (activation: Activation) => Candidates | null;
  /** The number of rules that are evaluated for every request, and of the keys and tables of the others. */
  readonly size: { readonly always: number; readonly keys: number; readonly tables: number };
};

/** Builds the index of conditions in evaluation order. */
export function* buildIndex(conditions: readonly Indexed[], environment: Environment): Interruptible<DecisionIndex> {
  const keyed = { ...environment, keys: new Map() };
  const counts = new KeyCounts();
  for (const { tree } of conditions) {
    yield;
    for (const key of possibleKeys(tree, keyed)) counts.add(key);
  }
  const builder = new IndexBuilder();
  for (const [position, condition] of conditions.entries()) {
    yield;
    builder.add(position, guardOf(condition, keyed, (key) => counts.of(key)));
  }
  return builder.finish();
}

class KeyCounts {
  readonly #places = new Map<string, Map<Key["value"], number>>();

  add(key: Key): void {
    const text = placeText(key);
    const counts = this.#places.get(text) ?? new Map<Key["value"], number>();
    if (counts.size === 0) this.#places.set(text, counts);
    counts.set(key.value, (counts.get(key.value) ?? 0) + 1);
  }

  of(key: Key): number {
    return this.#places.get(placeText(key))?.get(key.value) ?? 0;
  }
}

class IndexBuilder {
  readonly #always: number[] = [];
  readonly #tables = new Map<string, IndexTable>();
  readonly #perSlot = new Map<string, number>();
  #keys = 0;
  #cost = fixedCost(0);

  add(position: number, guard: Guard | null): void {
    const tables = guard?.keys.map((key) => this.#tableOf(key)) ?? [null];
    if (guard === null || tables.includes(null)) return void this.#always.push(position);
    for (const [at, key] of guard.keys.entries()) tables[at]?.add(position, key, guard);
    this.#keys += guard.keys.length;
    this.#cost = addCosts(this.#cost, guard.cost);
  }

  finish(): DecisionIndex {
    const [always, tables, cost] = [this.#always, [...this.#tables.values()], this.#cost];
    return {
      size: { always: always.length, keys: this.#keys, tables: tables.length },
      candidates: (activation) => {
        if (!isIndexed(activation)) return null;
        const found: number[] = [];
        const long: (readonly number[])[] = [always];
        for (const table of tables) {
          table.find(activation, (positions) => {
            if (positions.length > MERGED_LENGTH) long.push(positions);
            else for (const position of positions) found.push(position);
          });
        }
        long.push(found.sort((a, b) => a - b));
        return new Candidates(long, stepsFor(cost, activation));
      },
    };
  }

  // Returns null if another key of a map or another length of text would take too many lookups for a request.
  #tableOf(key: Key): IndexTable | null {
    const text = placeText(key);
    const existing = this.#tables.get(text);
    if (existing !== undefined) return this.#hasRoom(existing, key) ? existing : null;
    const slot = `${key.kind} ${key.slot}`;
    const tables = this.#perSlot.get(slot) ?? 0;
    if (tables >= LOOKUPS_LIMIT) return null;
    this.#perSlot.set(slot, tables + 1);
    const table = new IndexTable(key);
    this.#tables.set(text, table);
    return table;
  }

  #hasRoom({ lengths }: IndexTable, { kind, value }: Key): boolean {
    if (kind !== "prefix" && kind !== "suffix" && kind !== "pattern") return true;
    return lengths.size < LOOKUPS_LIMIT || lengths.has(String(value).length);
  }
}

// Lists up to this length are joined and sorted; longer lists are merged, since they are sorted already.
const MERGED_LENGTH = 64;

/** Merges sorted lists of positions. */
export class Candidates {
  /** The most steps that a scan would take for the rules that were left out. */
  readonly stepsLeftOut: number;
  readonly #lists: readonly (readonly number[])[];
  readonly #cursors: number[];

  constructor(lists: readonly (readonly number[])[], stepsLeftOut: number) {
    this.stepsLeftOut = stepsLeftOut;
    this.#lists = lists.filter((list) => list.length > 0);
    this.#cursors = this.#lists.map(() => 0);
  }

  /** Returns the first position that is not before the given one, or Infinity. Call it with ascending positions. */
  from(position: number): number {
    let least = Infinity;
    for (let at = 0; at < this.#lists.length; at++) {
      const list = this.#lists[at] ?? [];
      let cursor = this.#cursors[at] ?? 0;
      while ((list[cursor] ?? Infinity) < position) cursor++;
      this.#cursors[at] = cursor;
      const next = list[cursor];
      if (next !== undefined && next < least) least = next;
    }
    return least;
  }
}

// Equal for keys of the same table. Only the last part can contain a space.
function placeText({ kind, slot, name }: Key): string {
  return `${kind} ${slot} ${name}`;
}
