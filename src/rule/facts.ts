// Facts that hold where a part of a condition matters: in `a && b`, `b` matters only if `a` is true; in `a || b`, only if `a`
// is false; in `a ? b : c`, `b` only if `a` is true. The order of operands does not matter, because CEL ignores the failure of
// one operand if another decides: in `metadata.k == 1 && "k" in metadata` the second guards the first.
import type { Tree } from "../cel/tree.ts";
import { children } from "../cel/walk-tree.ts";

/** Facts by name, each with a strength: the least size of a list, or 1 for a plain fact. */
export type Facts = ReadonlyMap<string, number>;

/** Returns the facts that hold if a node without logical operators has the given outcome. */
export type LeafFacts = (leaf: Tree, outcome: boolean) => Facts;

/** No facts. */
export const NO_FACTS: Facts = new Map();

/** One fact. */
export function fact(name: string, atLeast = 1): Facts {
  return new Map([[name, atLeast]]);
}

/** Returns the facts that hold if a tree has the given outcome; null if it never has that outcome. */
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

/** The facts that hold at a part of a condition: those of its own chain, and those of the chains around it. */
export type Held = { readonly own: Facts; readonly outer: Held | null };

/** The strength of a fact at a part of a condition; 0 if the fact is not known to hold. */
export function strength(held: Held | null, name: string): number {
  let strongest = 0;
  for (let at = held; at !== null; at = at.outer) strongest = Math.max(strongest, at.own.get(name) ?? 0);
  return strongest;
}

/**
 * The position of a node: the facts that hold there, and the outcome of the node that lets the rule match; null if neither
 * outcome does for certain.
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
        // The predicate runs only if the list has an element, as if an `exists` on it were true.
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

// The facts that hold if all of these hold; null if they never hold together.
function allOf(each: readonly (Facts | null)[]): Facts | null {
  const all = new Map<string, number>();
  for (const facts of each) {
    if (facts === null) return null;
    for (const [name, atLeast] of facts) all.set(name, Math.max(atLeast, all.get(name) ?? 0));
  }
  return all;
}

// The facts that hold if at least one of these holds; null entries never hold.
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

// A part that is never reached needs no facts.
function add(held: Held | null, own: Facts | null): Held | null {
  return own === null || own.size === 0 ? held : { own, outer: held };
}
