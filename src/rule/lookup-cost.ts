// An upper bound on the steps of a part of a condition, for every request. The steps can grow with the lists and texts of a
// request, so a cost has a rate for each slot whose length matters. A part without a known bound has no cost (null).
import type { Activation } from "../cel/activation.ts";
import { STEP_CHARACTERS } from "../cel/limits.ts";
import type { Patterns } from "../cel/pattern.ts";
import type { Binary, Tree } from "../cel/tree.ts";
import { isList } from "../cel/value.ts";
import { entryOf, type Key, type KeyedEnvironment, keysOf, slotOf } from "./lookup-key.ts";
import { INDEXED_LENGTH } from "./lookup-limits.ts";

/** A bound: fixed steps, and by slot the steps for each element of the list or each code unit of the text. */
export type Cost = { readonly steps: number; readonly rates: ReadonlyMap<number, number> };

/** The input of a cost besides the tree: the environment, and the compiled patterns of the condition. */
export type Costed = { readonly environment: KeyedEnvironment; readonly patterns: Patterns };

/** Returns a cost that does not depend on the request. */
export function fixedCost(steps: number): Cost {
  return { steps, rates: NO_RATES };
}

/** Returns the cost of two parts that are evaluated one after the other. */
export function addCosts(a: Cost, b: Cost): Cost {
  return { steps: a.steps + b.steps, rates: combine(a.rates, b.rates, (x, y) => x + y) };
}

/** Returns a cost that is an upper bound of both. */
export function maxCost(a: Cost, b: Cost): Cost {
  return { steps: Math.max(a.steps, b.steps), rates: combine(a.rates, b.rates, Math.max) };
}

/** Returns the most steps on any request whose lists and texts are within the limit of the index. */
export function mostSteps({ steps, rates }: Cost): number {
  let most = steps;
  for (const rate of rates.values()) most += rate * INDEXED_LENGTH;
  return most;
}

/** Returns the most steps on one request. Rules that read a longer list or text are not left out, so lengths are capped. */
export function stepsFor({ steps, rates }: Cost, { slots }: Activation): number {
  let most = steps;
  for (const [slot, rate] of rates) {
    const term = slots[slot];
    const length = typeof term === "string" || (term !== undefined && isList(term)) ? term.length : 0;
    most += rate * Math.min(length, INDEXED_LENGTH);
  }
  return most;
}

/** Returns the cost of a part, whatever its result is. */
export function costOf(tree: Tree, costed: Costed): Cost | null {
  const { environment } = costed;
  switch (tree.kind) {
    case "literal":
      return fixedCost(1);
    case "name":
    case "select":
      return slotOf(tree, environment) === null ? null : fixedCost(1);
    case "has":
      return slotOf({ ...tree, kind: "select" }, environment) !== null || askedBy(tree, environment) !== null
        ? fixedCost(2)
        : null;
    case "unary":
      return tree.operator === "!" ? after(1, costOf(tree.operand, costed)) : null;
    case "logical":
      return sumOf(tree.operands.map((operand) => costOf(operand, costed)));
    case "binary":
      return askedBy(tree, environment) === null ? costOfKeys(asEquality(tree), costed) : fixedCost(3);
    case "call":
      // A pattern has no bound here: its text may be longer than the index looks at.
      return tree.name === "matches" ? null : costOfKeys(tree, costed);
    case "comprehension":
      return costOfKeys(tree, costed);
    default:
      return null;
  }
}

/** Returns the cost of a part that has keys. */
export function costOfKeys(tree: Tree, { environment, patterns }: Costed): Cost | null {
  const keys = keysOf(tree, environment);
  if (keys === null) return null;
  const [key] = keys;
  if (key?.kind === "element") return costOfElement(tree, key);
  if (key?.kind === "pattern") return costOfPattern(tree, key, patterns);
  // Searching a literal list takes at most one step for each element.
  const written = tree.kind === "binary" && tree.right.kind === "list" ? tree.right.elements.length : 0;
  return fixedCost(NODES_OF_KEY + written + keys.reduce((most, { value }) => Math.max(most, textSteps(value)), 0));
}

/** Returns the key of a map whose presence a part tests, as `has(map.key)` does; null if the part is not such a test. */
export function askedBy(tree: Tree, environment: KeyedEnvironment): string | null {
  if (tree.kind === "has") {
    const map = slotOf(tree.operand, environment);
    return map?.type.startsWith("map<") === true ? askedName(map.index, tree.field) : null;
  }
  if (tree.kind !== "binary" || tree.operator !== "in" || tree.left.kind !== "literal") return null;
  const map = slotOf(tree.right, environment);
  return map?.type.startsWith("map<") === true && typeof tree.left.value === "string"
    ? askedName(map.index, tree.left.value)
    : null;
}

/** Returns a name for a key of the map in a slot. */
export function askedName(slot: number, name: string): string {
  return `${slot} ${name}`;
}

/** Whether a part can fail, provided that the keys in `asked` are present. */
export function canFail(tree: Tree, environment: KeyedEnvironment, asked: ReadonlySet<string>): boolean {
  switch (tree.kind) {
    case "literal":
      return typeof tree.value !== "boolean";
    case "unary":
      return tree.operator !== "!" || canFail(tree.operand, environment, asked);
    case "logical": {
      const known = tree.operator === "&&" ? asked.union(askedIn(tree.operands, environment)) : asked;
      return tree.operands.some((operand) => canFail(operand, environment, known));
    }
    case "has":
      return slotOf({ ...tree, kind: "select" }, environment) === null && askedBy(tree, environment) === null;
    case "binary":
      return askedBy(tree, environment) === null && canComparisonFail(tree, environment, asked);
    default:
      return keysOf(tree, environment)?.some(({ kind }) => kind === "pattern") ?? true;
  }
}

function canComparisonFail(tree: Binary, environment: KeyedEnvironment, asked: ReadonlySet<string>): boolean {
  const entry = entryOf(tree.left, environment) ?? entryOf(tree.right, environment);
  if (entry !== null && !asked.has(askedName(entry.slot, entry.name))) return true;
  return keysOf(asEquality(tree), environment) === null;
}

function askedIn(operands: readonly Tree[], environment: KeyedEnvironment): ReadonlySet<string> {
  return new Set(operands.map((operand) => askedBy(operand, environment)).filter((name) => name !== null));
}

// `!=` costs as much as `==`.
function asEquality(tree: Binary): Tree {
  return tree.operator === "!=" ? { ...tree, operator: "==" } : tree;
}

// The number of nodes of the largest part that has a key: `map["key"] == "text"`.
const NODES_OF_KEY = 5;

// `"text" in list` takes one step for each element, `exists` takes three more for its body. Comparing an element that has the
// same length as the text takes further steps.
function costOfElement(tree: Tree, { slot, value }: Key): Cost {
  const element = (tree.kind === "comprehension" ? 4 : 1) + textSteps(value);
  return { steps: NODES_OF_KEY, rates: new Map([[slot, element]]) };
}

function costOfPattern(tree: Tree, { slot }: Key, patterns: Patterns): Cost | null {
  const [literal] = tree.kind === "call" ? tree.args : [];
  const source = literal?.kind === "literal" ? literal.value : null;
  const pattern = typeof source === "string" ? patterns.get(source) : undefined;
  if (pattern === undefined) return null;
  return { steps: NODES_OF_KEY, rates: new Map([[slot, pattern.instructions / STEP_CHARACTERS]]) };
}

// Comparing two texts takes one step for every STEP_CHARACTERS characters.
function textSteps(value: Key["value"]): number {
  return typeof value === "string" ? Math.floor(value.length / STEP_CHARACTERS) : 0;
}

function after(steps: number, cost: Cost | null): Cost | null {
  return cost === null ? null : { ...cost, steps: steps + cost.steps };
}

function sumOf(costs: readonly (Cost | null)[]): Cost | null {
  let sum = fixedCost(costs.length);
  for (const cost of costs) {
    if (cost === null) return null;
    sum = addCosts(sum, cost);
  }
  return sum;
}

const NO_RATES: ReadonlyMap<number, number> = new Map();

function combine(
  a: ReadonlyMap<number, number>,
  b: ReadonlyMap<number, number>,
  join: (x: number, y: number) => number,
): ReadonlyMap<number, number> {
  if (a.size === 0) return b;
  if (b.size === 0) return a;
  const rates = new Map(a);
  for (const [slot, rate] of b) rates.set(slot, join(rates.get(slot) ?? 0, rate));
  return rates;
}
