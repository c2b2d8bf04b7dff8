// Condition -> guard: keys of which a request must have one, or the condition is certainly false; and whether the condition
// is certainly no match where a namespace is absent. What comes before the keys is evaluated in a plain scan, so it must be
// cheap: a condition over its steps is unevaluable, and that is no longer false.
import { PATTERN_INSTRUCTIONS, STEP_CHARACTERS } from "../cel/limits.ts";
import type { Binary, Logical, Tree } from "../cel/tree.ts";
import { entryOf, type Key, type KeyedEnvironment, keysOf, slotOf } from "./lookup-key.ts";
import { GUARD_STEPS, INDEXED_ELEMENTS, INDEXED_PATTERN_LENGTH } from "./lookup-limits.ts";

/** What a condition cannot match without. */
export type Guard = {
  readonly keys: readonly Key[];
  /** Keys of maps of which the condition itself asks whether they are there, so that one that is missing makes it false. */
  readonly asked: ReadonlySet<string>;
  /** Whether the condition can neither fail nor be costly: where a namespace is absent it is no match. */
  readonly isPlain: boolean;
};

/** How often a key occurs in a rule set: what is rare is looked up. */
export type CountKey = (key: Key) => number;

/** The guard of a condition; null where it must always be evaluated. */
export function guardOf(tree: Tree, environment: KeyedEnvironment, count: CountKey): Guard | null {
  const found = new Guards(environment, count).find(tree);
  if (found === null || found.steps > GUARD_STEPS) return null;
  return { keys: found.keys, asked: found.asked, isPlain: stepsOf(tree, environment, NONE_ASKED) <= GUARD_STEPS };
}

/** Every key that a condition could be looked up by, for counting. */
export function possibleKeys(tree: Tree, environment: KeyedEnvironment): readonly Key[] {
  if (tree.kind === "logical") return tree.operands.flatMap((operand) => possibleKeys(operand, environment));
  return keysOf(tree, environment) ?? [];
}

/** The name of a map's key, for `asked`. */
export function askedName(slot: number, name: string): string {
  return `${slot} ${name}`;
}

type Found = { readonly keys: readonly Key[]; readonly asked: ReadonlySet<string>; readonly steps: number };

const NONE_ASKED: ReadonlySet<string> = new Set();

class Guards {
  readonly #environment: KeyedEnvironment;
  readonly #count: CountKey;

  constructor(environment: KeyedEnvironment, count: CountKey) {
    this.#environment = environment;
    this.#count = count;
  }

  find(tree: Tree): Found | null {
    if (tree.kind === "logical") return tree.operator === "&&" ? this.#rarest(tree) : this.#all(tree);
    const keys = keysOf(tree, this.#environment);
    return keys === null ? null : { keys, asked: NONE_ASKED, steps: stepsOfKeys(tree, keys) };
  }

  // One operand that is false makes the whole false, whatever the others are.
  #rarest(tree: Logical): Found | null {
    const asked = askedIn(tree, this.#environment);
    let best: Found | null = null;
    let least = Infinity;
    let before = 0;
    for (const operand of tree.operands) {
      const found = this.find(operand);
      const occurrences = found?.keys.reduce((sum, key) => sum + this.#count(key), 0) ?? Infinity;
      if (found !== null && occurrences < least) {
        least = occurrences;
        best = { keys: found.keys, asked: asked.union(found.asked), steps: before + found.steps };
      }
      before += stepsOf(operand, this.#environment, asked);
      if (before > GUARD_STEPS) break;
    }
    return best;
  }

  // All operands must be false.
  #all({ operands }: Logical): Found | null {
    const keys: Key[] = [];
    let asked: ReadonlySet<string> | null = null;
    let steps = 0;
    for (const operand of operands) {
      const found = this.find(operand);
      if (found === null) return null;
      keys.push(...found.keys);
      // What one branch asks for says nothing of another.
      asked = asked === null ? found.asked : asked.intersection(found.asked);
      steps += found.steps;
    }
    return { keys, asked: asked ?? NONE_ASKED, steps };
  }
}

function askedIn({ operands }: Logical, environment: KeyedEnvironment): ReadonlySet<string> {
  return new Set(operands.flatMap((operand) => askedBy(operand, environment)));
}

function askedBy(tree: Tree, environment: KeyedEnvironment): readonly string[] {
  if (tree.kind === "has") {
    const map = slotOf(tree.operand, environment);
    return map === null ? [] : [askedName(map.index, tree.field)];
  }
  if (tree.kind !== "binary" || tree.operator !== "in" || tree.left.kind !== "literal") return [];
  const map = slotOf(tree.right, environment);
  return map?.type.startsWith("map<") === true && typeof tree.left.value === "string"
    ? [askedName(map.index, tree.left.value)]
    : [];
}

// The most steps that a node takes on a request within the limits of the index, once it is known to be made of keys.
function stepsOfKeys(tree: Tree, keys: readonly Key[]): number {
  if (keys.some((key) => key.kind === "pattern")) return 2 + PATTERN_STEPS * INDEXED_PATTERN_LENGTH;
  if (keys.some((key) => key.kind === "element")) return 4 + ELEMENT_STEPS * INDEXED_ELEMENTS;
  // A literal list costs a step for each element that is written; comparing texts, one for so many characters.
  const written = tree.kind === "binary" && tree.right.kind === "list" ? tree.right.elements.length : 0;
  return 3 + written + keys.reduce((most, { value }) => Math.max(most, String(value).length / STEP_CHARACTERS), 0);
}

// A pattern has at most 2,000 instructions, of which a step pays for 64 a character.
const PATTERN_STEPS = Math.ceil(PATTERN_INSTRUCTIONS / STEP_CHARACTERS);

// What `exists` takes for an element: the body's three nodes and its own.
const ELEMENT_STEPS = 5;

// The most steps that a node takes on such a request, where it cannot fail; Infinity where it may fail or take more.
function stepsOf(tree: Tree, environment: KeyedEnvironment, asked: ReadonlySet<string>): number {
  switch (tree.kind) {
    case "literal":
      return typeof tree.value === "boolean" ? 1 : Infinity;
    case "logical": {
      const known = tree.operator === "&&" ? asked.union(askedIn(tree, environment)) : asked;
      return tree.operands.reduce((sum, operand) => sum + 1 + stepsOf(operand, environment, known), 0);
    }
    case "unary":
      return tree.operator === "!" ? 1 + stepsOf(tree.operand, environment, asked) : Infinity;
    case "has":
      return slotOf({ ...tree, kind: "select" }, environment) !== null || askedBy(tree, environment).length > 0
        ? 3
        : Infinity;
    case "binary":
      return stepsOfBinary(tree, environment, asked);
    case "name":
    case "select":
    case "call":
    case "comprehension":
      return stepsOfFound(tree, keysOf(tree, environment));
    default:
      return Infinity;
  }
}

function stepsOfBinary(tree: Binary, environment: KeyedEnvironment, asked: ReadonlySet<string>): number {
  if (askedBy(tree, environment).length > 0) return 3;
  const { left, right, operator } = tree;
  const entry = entryOf(left, environment) ?? entryOf(right, environment);
  // A key of a map may be missing, which is a failure.
  if (entry !== null && !asked.has(askedName(entry.slot, entry.name))) return Infinity;
  const equality: Tree = operator === "!=" ? { kind: "binary", operator: "==", left, right, span: tree.span } : tree;
  return stepsOfFound(equality, keysOf(equality, environment));
}

// A pattern is never plain: on a longer text it may take more than a condition has.
function stepsOfFound(tree: Tree, keys: readonly Key[] | null): number {
  return keys === null || keys.some((key) => key.kind === "pattern") ? Infinity : stepsOfKeys(tree, keys);
}
