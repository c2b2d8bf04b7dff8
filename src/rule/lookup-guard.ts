// Condition -> guard: keys of which a request must have one, or the condition is certainly false; and whether the condition
// is certainly no match where a namespace is absent. A scan evaluates a condition in order, so what it evaluates before it
// finds the condition false must be bounded: a condition over its steps is unevaluable, which is no longer false.
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

/** What a condition cannot match without. */
export type Guard = {
  readonly keys: readonly Key[];
  /** Keys of maps of which the condition itself asks whether they are there, so that one that is missing makes it false. */
  readonly asked: ReadonlySet<string>;
  /** Whether the condition can neither fail nor be costly: where a namespace is absent it is no match. */
  readonly isPlain: boolean;
  /** The most steps that a scan takes for the condition where the index leaves it out. */
  readonly cost: Cost;
};

/** How often a key occurs in a rule set: what is rare is looked up. */
export type CountKey = (key: Key) => number;

/** A condition as the index sees it. */
export type Indexed = Pick<Checked, "tree" | "patterns">;

/** The guard of a condition; null where it must always be evaluated. */
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

/** Every key that a condition could be looked up by, for counting. */
export function possibleKeys(tree: Tree, environment: KeyedEnvironment): readonly Key[] {
  if (tree.kind === "logical") return tree.operands.flatMap((operand) => possibleKeys(operand, environment));
  return keysOf(tree, environment) ?? [];
}

/**
 * Keys without any of which a part is false, for the steps of its cost at most, on a request that has the namespaces of
 * the keys; a missing key of a map must be one that the part asks for.
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

  // One operand that is false makes the whole false, whatever those before it are; those behind it are not evaluated.
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
      // Where the key is missing, everything up to the operand that asks for it is evaluated.
      const name = askedBy(operand, this.#costed.environment);
      if (name === null) continue;
      asked.add(name);
      beforeAsked = before;
    }
    return best === null ? null : { ...best, asked: best.asked.union(asked), cost: maxCost(best.cost, beforeAsked) };
  }

  // All operands must be false.
  #all({ operands }: Logical): Found | null {
    const keys: Key[] = [];
    let asked: ReadonlySet<string> | null = null;
    let cost = fixedCost(operands.length);
    for (const operand of operands) {
      const found = this.find(operand);
      if (found === null) return null;
      keys.push(...found.keys);
      // What one branch asks for says nothing of another.
      asked = asked === null ? found.asked : asked.intersection(found.asked);
      cost = addCosts(cost, found.cost);
    }
    return { keys, asked: asked ?? NONE_ASKED, cost };
  }
}

function isBounded(cost: Cost): boolean {
  return mostSteps(cost) <= GUARD_STEPS;
}
