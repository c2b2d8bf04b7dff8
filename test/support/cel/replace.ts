// Lists the nodes of a tree and replaces one of them.
import type { Tree } from "../../../src/cel/tree.ts";
import { children } from "../../../src/cel/walk-tree.ts";

/** Every node of a tree, the tree itself first. */
export function allNodes(tree: Tree): readonly Tree[] {
  return [tree, ...children(tree).flatMap(allNodes)];
}

/** The tree with one node, found by object identity, replaced. */
export function replaceNode(tree: Tree, target: Tree, by: Tree): Tree {
  if (tree === target) return by;
  const again = (part: Tree): Tree => replaceNode(part, target, by);
  switch (tree.kind) {
    case "literal":
    case "name":
    case "reference":
      return tree;
    case "select":
    case "has":
    case "unary":
      return { ...tree, operand: again(tree.operand) };
    case "index":
      return { ...tree, operand: again(tree.operand), index: again(tree.index) };
    case "call":
      return { ...tree, receiver: tree.receiver === null ? null : again(tree.receiver), args: tree.args.map(again) };
    case "binary":
      return { ...tree, left: again(tree.left), right: again(tree.right) };
    case "logical":
      return { ...tree, operands: tree.operands.map(again) };
    case "conditional":
      return {
        ...tree,
        condition: again(tree.condition),
        then: again(tree.then),
        otherwise: again(tree.otherwise),
      };
    case "list":
      return { ...tree, elements: tree.elements.map(again) };
    case "map":
      return { ...tree, entries: tree.entries.map(({ key, value }) => ({ key: again(key), value: again(value) })) };
    case "comprehension":
      return {
        ...tree,
        range: again(tree.range),
        predicate: tree.predicate === null ? null : again(tree.predicate),
        transform: tree.transform === null ? null : again(tree.transform),
      };
  }
}
