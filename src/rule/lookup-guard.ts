// Condition -> guard: a set of keys. If a request has none of them, the condition is false. A scan evaluates a condition in
// order, and may run out of steps before it reaches the part that is false; the condition is then unevaluable, and a block
// rule blocks. So a condition only gets a guard if the steps up to that part are bounded.
import type { Checked } from "../cel/check-expression.ts";
import type { Logical, Tree } from "../cel/tree.ts";
import {
  addCosts,
  askedBy,
  canFail,
  type Cost,
  type Costed,
  costOf,
  costOfKeys,
  fixedCost,
  maxCost,
  mostSteps,
} from "./lookup-cost.ts";
import { type Key, type KeyedEnvironment, keysOf } from "./lookup-key.ts";
import { GUARD_STEPS } from "./lookup-limits.ts";

/** The keys that a condition needs to match. */
export type Guard = {
  readonly keys: readonly Key[];
  /** The keys of maps whose presence the condition tests: if one of them is missing, the condition is false. */
  readonly asked: ReadonlySet<string>;
  /** Whether the condition cannot fail and has bounded steps: it is then no match if the namespace of a key is absent. */
  readonly isPlain: boolean;
  /** The most steps that a scan takes for the condition on a request for which the index leaves it out. */
  readonly cost: Cost;
};

/** Returns how often a key occurs in a rule set. The rarest key of a condition is looked up. */
export type CountKey = (key: Key) => number;

/** A condition to index. */
export type Indexed = Pick<Checked, "tree" | "patterns">;

/** Returns the guard of a condition, or null if the condition must be evaluated for every request. */
export function guardOf({ tree, patterns }: Indexed, environment: KeyedEnvironment, count: CountKey): Guard | null {
  const costed = { environment, patterns };
  const found = new Guards(costed, count).find(tree);
  if (found === null || !isBounded(found.cost)) return null;
  const whole = costOf(tree, costed);
  if (whole === null || !isBounded(whole) || canFail(tree, environment, NONE_ASKED)) {
    return { ...found, isPlain: false };
  }
  return { ...found, isPlain: true, cost: maxCost(found.cost, whole) };
}

/** Returns every key of a condition, for counting. */
export function possibleKeys(tree: Tree, environment: KeyedEnvironment): readonly Key[] {
  if (tree.kind === "logical") return tree.operands.flatMap((operand) => possibleKeys(operand, environment));
  return keysOf(tree, environment) ?? [];
}

/**
 * The guard of a part: on a request that has the namespaces of the keys but none of the keys, the part is false, and takes
 * at most `cost`. This also holds if a key of a map is missing, provided that the key is in `asked`.
 */
type Found = Omit<Guard, "isPlain">;

const NONE_ASKED: ReadonlySet<string> = new Set();

class Guards {
  readonly #costed: Costed;
  readonly #count: CountKey;

  constructor(costed: Costed, count: CountKey) {
    this.#costed = costed;
    this.#count = count;
  }

  find(tree: Tree): Found | null {
    if (tree.kind === "logical") return tree.operator === "&&" ? this.#rarest(tree) : this.#all(tree);
    const keys = keysOf(tree, this.#costed.environment);
    const cost = costOfKeys(tree, this.#costed);
    return keys === null || cost === null ? null : { keys, asked: NONE_ASKED, cost };
  }

  // A false operand of `&&` makes the chain false, whatever the operands before it are. Operands after it are not evaluated.
  #rarest({ operands }: Logical): Found | null {
    const asked = new Set<string>();
    let best: Found | null = null;
    let least = Infinity;
    let before = fixedCost(0);
    let beforeAsked = before;
    for (const operand of operands) {
      const found = this.find(operand);
      const occurrences = found?.keys.reduce((sum, key) => sum + this.#count(key), 0) ?? Infinity;
      if (found !== null && occurrences < least) {
        const cost = addCosts(before, found.cost);
        if (isBounded(cost)) {
          least = occurrences;
          best = { ...found, cost };
        }
      }
      const own = costOf(operand, this.#costed);
      if (own === null) break;
      before = addCosts(before, { ...own, steps: own.steps + 1 });
      if (!isBounded(before)) break;
      // If the key is missing, the operands up to the one that tests for it are evaluated.
      const name = askedBy(operand, this.#costed.environment);
      if (name === null) continue;
      asked.add(name);
      beforeAsked = before;
    }
    return best === null ? null : { ...best, asked: best.asked.union(asked), cost: maxCost(best.cost, beforeAsked) };
  }

  // `||` is false if all operands are false.
  #all({ operands }: Logical): Found | null {
    const keys: Key[] = [];
    let asked: ReadonlySet<string> | null = null;
    let cost = fixedCost(operands.length);
    for (const operand of operands) {
      const found = this.find(operand);
      if (found === null) return null;
      keys.push(...found.keys);
      // A key that only some operands test for may make the others fail.
      asked = asked === null ? found.asked : asked.intersection(found.asked);
      cost = addCosts(cost, found.cost);
    }
    return { keys, asked: asked ?? NONE_ASKED, cost };
  }
}

function isBounded(cost: Cost): boolean {
  return mostSteps(cost) <= GUARD_STEPS;
}
