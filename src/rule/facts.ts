// What a condition establishes before a node of it counts: in `a && b`, `b` counts only where `a` is true; in `a || b` only
// where `a` is false; in `a ? b : c` the same holds of the branches. CEL evaluates both operands of a chain in either order
// and drops the failure of one where the other decides, so an operand is also protected by those behind it.
import type { Tree } from "../cel/tree.ts";
import { children } from "../cel/walk-tree.ts";

/** Facts by name, each with a number of which more is stronger: a size that a list has at least, or 1 for a plain fact. */
export type Facts = ReadonlyMap<string, number>;

/** The facts that a node without logic establishes when it has the given outcome. */
export type LeafFacts = (leaf: Tree, outcome: boolean) => Facts;

/** The fact-less start. */
export const NO_FACTS: Facts = new Map();

/** One fact. */
export function fact(name: string, atLeast = 1): Facts {
  return new Map([[name, atLeast]]);
}

/** The facts that hold where a tree has the given outcome; null where it never has that outcome. */
export function factsWhen(tree: Tree, outcome: boolean, leaf: LeafFacts): Facts | null {
  switch (tree.kind) {
    case "literal":
      return typeof tree.value === "boolean" && tree.value !== outcome ? null : NO_FACTS;
    case "unary":
      return tree.operator === "!" ? factsWhen(tree.operand, !outcome, leaf) : NO_FACTS;
    case "logical": {
      const each = tree.operands.map((operand) => factsWhen(operand, outcome, leaf));
      return (tree.operator === "&&") === outcome ? allOf(each) : oneOf(each);
    }
    case "conditional": {
      const taken = [factsWhen(tree.condition, true, leaf), factsWhen(tree.then, outcome, leaf)];
      const other = [factsWhen(tree.condition, false, leaf), factsWhen(tree.otherwise, outcome, leaf)];
      return oneOf([allOf(taken), allOf(other)]);
    }
    default:
      return leaf(tree, outcome);
  }
}

/** The facts that hold at a place of a condition: those of its own chain, and those of the chains around it. */
export type Held = { readonly own: Facts; readonly outer: Held | null };

/** How strongly a fact holds at a place; 0 where it is not known. */
export function strength(held: Held | null, name: string): number {
  let strongest = 0;
  for (let at = held; at !== null; at = at.outer) strongest = Math.max(strongest, at.own.get(name) ?? 0);
  return strongest;
}

/**
 * Where a node counts: the facts that hold there, and whether the rule matches because the node is true, because it is
 * false, or whether that cannot be said (null).
 */
export type Position = { readonly held: Held | null; readonly wanted: boolean | null };

/** Calls `see` for every node of a condition with its position. */
export function visitWithFacts(tree: Tree, leaf: LeafFacts, see: (node: Tree, position: Position) => void): void {
  walk(tree, { held: null, wanted: true });

  function walk(node: Tree, position: Position): void {
    see(node, position);
    const { held, wanted } = position;
    switch (node.kind) {
      case "unary":
        return walk(node.operand, { held, wanted: node.operator === "!" && wanted !== null ? !wanted : null });
      case "logical": {
        const each = node.operands.map((operand) => factsWhen(operand, node.operator === "&&", leaf));
        const inner = { held: add(held, allOf(each)), wanted };
        return node.operands.forEach((operand) => walk(operand, inner));
      }
      case "conditional":
        walk(node.condition, { held, wanted: null });
        walk(node.then, { held: add(held, factsWhen(node.condition, true, leaf)), wanted });
        return walk(node.otherwise, { held: add(held, factsWhen(node.condition, false, leaf)), wanted });
      case "comprehension": {
        walk(node.range, { held, wanted: null });
        // What is below runs only where there is an element, as after an `exists` that is true.
        const inside = add(held, leaf({ ...node, macro: "exists" }, true));
        const inner = { held: inside, wanted: node.macro === "all" || node.macro === "exists" ? wanted : null };
        if (node.predicate !== null) walk(node.predicate, inner);
        if (node.transform !== null) walk(node.transform, inner);
        return;
      }
      default:
        for (const child of children(node)) walk(child, { held, wanted: null });
    }
  }
}

// What holds where all of these do; null where they never do together.
function allOf(each: readonly (Facts | null)[]): Facts | null {
  const all = new Map<string, number>();
  for (const facts of each) {
    if (facts === null) return null;
    for (const [name, atLeast] of facts) all.set(name, Math.max(atLeast, all.get(name) ?? 0));
  }
  return all;
}

// What holds where at least one of these does; those that never do say nothing.
function oneOf(each: readonly (Facts | null)[]): Facts | null {
  const [first, ...others] = each.filter((facts) => facts !== null);
  if (first === undefined) return null;
  const common = new Map<string, number>();
  for (const [name, atLeast] of first) {
    const least = others.reduce((least, facts) => Math.min(least, facts.get(name) ?? 0), atLeast);
    if (least > 0) common.set(name, least);
  }
  return common;
}

// A place that is never reached needs no facts.
function add(held: Held | null, own: Facts | null): Held | null {
  return own === null || own.size === 0 ? held : { own, outer: held };
}
