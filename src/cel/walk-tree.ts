// Walks a tree: the children of a node, and a visit of every node, in the order of the text.
import type { Tree } from "./tree.ts";

/** The children of a node, in the order of the text. */
export function children(tree: Tree): readonly Tree[] {
  switch (tree.kind) {
    case "literal":
    case "name":
    case "reference":
      return [];
    case "select":
    case "has":
    case "unary":
      return [tree.operand];
    case "index":
      return [tree.operand, tree.index];
    case "call":
      return tree.receiver === null ? tree.args : [tree.receiver, ...tree.args];
    case "binary":
      return [tree.left, tree.right];
    case "logical":
      return tree.operands;
    case "conditional":
      return [tree.condition, tree.then, tree.otherwise];
    case "list":
      return tree.elements;
    case "map":
      return tree.entries.flatMap(({ key, value }) => [key, value]);
    case "comprehension":
      return [tree.range, tree.predicate, tree.transform].filter((child) => child !== null);
  }
}

/** The variables of the enclosing comprehensions. */
export type Scope = ReadonlySet<string>;

const NO_NAMES: Scope = new Set();

/** Calls `see` for the node and all nodes below it, in the order of the text, with the variables in scope. */
export function visit(tree: Tree, see: (node: Tree, scope: Scope) => void, scope: Scope = NO_NAMES): void {
  see(tree, scope);
  if (tree.kind !== "comprehension") {
    if (tree.kind !== "literal" && tree.kind !== "name") {
      for (const child of children(tree)) visit(child, see, scope);
    }
    return;
  }
  const inner = new Set(scope).add(tree.variable);
  visit(tree.range, see, scope);
  if (tree.predicate !== null) visit(tree.predicate, see, inner);
  if (tree.transform !== null) visit(tree.transform, see, inner);
}

/** Counts the nodes of a tree. A chain of n operands counts as n - 1 operators. */
export function countNodes(tree: Tree): number {
  let count = 0;
  visit(tree, (node) => {
    count += node.kind === "logical" ? node.operands.length - 1 : 1;
  });
  return count;
}
