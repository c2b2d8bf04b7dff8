// Rule -> plan: the order in which the atoms of its body are joined, the columns that are known at each step, and the slot of
// each variable. The next atom is always the one with most known columns; a test runs as soon as its variables are known.
import { invariant } from "../core/invariant.ts";
import {
  ANYTHING,
  type Atom,
  type Constant,
  isConstant,
  isVariable,
  type Literal,
  type Rule,
  type Term,
} from "./statement.ts";
import type { Mask } from "./relation.ts";

/** A slot of the binding, which holds the value of a variable or constant. Constants are filled in once. */
type Slot = number;

/** One step of a plan. */
export type Step =
  | {
    readonly kind: "scan";
    readonly relation: string;
    /** The index of the atom in the rule's body. */
    readonly at: number;
    /** The columns whose values are known, and their slots in the same order. */
    readonly mask: Mask;
    readonly key: readonly Slot[];
    /** The slots that a row of the relation fills. */
    readonly binds: readonly { readonly column: number; readonly slot: Slot }[];
    /** Columns that must equal a slot that the same row fills. */
    readonly checks: readonly { readonly column: number; readonly slot: Slot }[];
  }
  | { readonly kind: "not"; readonly relation: string; readonly key: readonly Slot[] }
  | { readonly kind: "differ"; readonly left: Slot; readonly right: Slot };

/** The plan of one rule. */
export type Plan = {
  readonly head: { readonly relation: string; readonly slots: readonly Slot[] };
  readonly steps: readonly Step[];
  /** The constants and their slots. The slots of variables follow. */
  readonly constants: readonly Constant[];
  readonly slots: number;
};

/** Plans a checked rule. If `first` is given, the atom with that index is joined first. */
export function planRule(rule: Rule, first?: number): Plan {
  const slots = new Slots(rule);
  const steps: Step[] = [];
  const waiting = new Map<number, Literal>(rule.body.entries());
  const take = (at: number): void => {
    const literal = waiting.get(at);
    invariant(literal !== undefined, "a literal is taken once");
    waiting.delete(at);
    steps.push(slots.step(literal, at));
  };
  if (first !== undefined) take(first);
  while (waiting.size > 0) take(nextOf(waiting, slots));
  return {
    head: { relation: rule.head.relation, slots: rule.head.terms.map((term) => slots.of(term)) },
    steps,
    constants: slots.constants,
    slots: slots.count,
  };
}

function nextOf(waiting: ReadonlyMap<number, Literal>, slots: Slots): number {
  let best: { readonly at: number; readonly known: number } | undefined;
  for (const [at, literal] of waiting) {
    if (literal.kind !== "atom") {
      const terms = literal.kind === "not" ? literal.atom.terms : [literal.left, literal.right];
      if (terms.every((term) => slots.isKnown(term))) return at;
      continue;
    }
    const known = literal.atom.terms.filter((term) => slots.isKnown(term)).length;
    if (best === undefined || known > best.known) best = { at, known };
  }
  invariant(best !== undefined, "a safe rule has an atom for every variable");
  return best.at;
}

/** The slots of a rule, and which of them have values so far. */
class Slots {
  readonly constants: readonly Constant[];
  readonly #slots = new Map<Constant | string, Slot>();
  readonly #bound = new Set<Slot>();

  constructor({ head, body }: Rule) {
    const terms = [head.terms, ...body.map(termsOf)].flat();
    this.constants = [...new Set(terms.filter(isConstant))];
    this.constants.forEach((_, slot) => this.#bound.add(slot));
  }

  get count(): number {
    return this.constants.length + this.#slots.size;
  }

  of(term: Term): Slot {
    if (!isVariable(term)) return this.constants.indexOf(term);
    const slot = this.#slots.get(term.variable) ?? this.count;
    this.#slots.set(term.variable, slot);
    return slot;
  }

  isKnown(term: Term): boolean {
    return this.#bound.has(this.of(term));
  }

  step(literal: Literal, at: number): Step {
    switch (literal.kind) {
      case "differ":
        return { kind: "differ", left: this.of(literal.left), right: this.of(literal.right) };
      case "not": {
        const { relation, terms } = literal.atom;
        return { kind: "not", relation, key: terms.map((term) => this.of(term)) };
      }
      case "atom":
        return this.#scan(literal.atom, at);
    }
  }

  #scan({ relation, terms }: Atom, at: number): Step {
    let mask = 0;
    const key: Slot[] = [];
    const binds: { readonly column: number; readonly slot: Slot }[] = [];
    const checks: { readonly column: number; readonly slot: Slot }[] = [];
    for (const [column, term] of terms.entries()) {
      if (isVariable(term) && term.variable === ANYTHING) continue;
      const slot = this.of(term);
      if (binds.some((each) => each.slot === slot)) {
        checks.push({ column, slot });
      } else if (this.#bound.has(slot)) {
        mask |= 1 << column;
        key.push(slot);
      } else {
        binds.push({ column, slot });
      }
    }
    for (const { slot } of binds) this.#bound.add(slot);
    return { kind: "scan", relation, at, mask, key, binds, checks };
  }
}

function termsOf(literal: Literal): readonly Term[] {
  return literal.kind === "differ" ? [literal.left, literal.right] : literal.atom.terms;
}
