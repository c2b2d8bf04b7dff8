import { expect, test } from "bun:test";
import { parse } from "../../src/cel/parse-expression.ts";
import type { Tree } from "../../src/cel/tree.ts";
import { countNodes, visit } from "../../src/cel/walk-tree.ts";

function treeOf(text: string): Tree {
  const parsed = parse(text);
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.value.tree;
}

test("visit sees every node in the order of the text, with the names bound there", () => {
  const seen: string[] = [];
  visit(treeOf("a.b[c].exists(x, x in [d, {e: f}] && y.all(z, !z)) ? has(g.h) : i(-j)"), (node, scope) => {
    if (node.kind === "name") seen.push([node.name, ...scope].join("<"));
  });
  expect(seen).toEqual(
    ["a", "c", "x<x", "d<x", "e<x", "f<x", "y<x", "z<x<z", "g", "j"],
  );
});

test("countNodes counts operators, operands and literals", () => {
  expect(countNodes(treeOf("true"))).toBe(1);
  expect(countNodes(treeOf("a && b && c"))).toBe(5);
  expect(countNodes(treeOf("[1, 2].all(x, x == f(y))"))).toBe(1 + 3 + 4);
});

test("the nodes that parse counts are those of the tree, or near", () => {
  for (const text of ["true", "a && b && c", "a.b[0] + -x", "has(a.b) ? {1: 2} : f(x)"]) {
    const parsed = parse(text);
    expect(parsed.ok && Math.abs(parsed.value.nodes - countNodes(parsed.value.tree))).toBeLessThanOrEqual(1);
  }
});
