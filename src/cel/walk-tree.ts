// Walking a tree: its children in the order of the text, and a visit of every node. The analyses of other rooms are
// built on these two.
import type { Tree } from "./tree.ts";

/** The nodes directly below a node, in the order of the text. */
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

/** The names that comprehensions around a node have bound. */
export type Scope = ReadonlySet<string>;

const NO_NAMES: Scope = new Set();

/** Calls `see` for the node and everything below it, in the order of the text, with the names bound there. */
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

/** How many nodes a tree has; a chain of n operands counts its n - 1 operators. */
export function countNodes(tree: Tree): number {
  let count = 0;
  visit(tree, (node) => {
    count += node.kind === "logical" ? node.operands.length - 1 : 1;
  });
  return count;
}
