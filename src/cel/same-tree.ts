// Compares two trees node by node, without their spans. It checks that a condition written to a file reads back as the same
// tree; comparing formatted texts would rely on the formatter that it checks.
import type { LiteralValue, Tree } from "./tree.ts";
import { Uint } from "./value.ts";

/** Whether two trees have the same nodes. Recursion is bounded by NESTING. */
export function sameTree(a: Tree, b: Tree): boolean {
  switch (a.kind) {
    case "literal":
      return b.kind === "literal" && sameLiteral(a.value, b.value);
    case "name":
    case "reference":
      return b.kind === a.kind && a.name === b.name;
    case "select":
    case "has":
      return b.kind === a.kind && a.field === b.field && sameTree(a.operand, b.operand);
    case "index":
      return b.kind === "index" && sameTree(a.operand, b.operand) && sameTree(a.index, b.index);
    case "call":
      return b.kind === "call" && a.name === b.name && sameOptional(a.receiver, b.receiver) && sameAll(a.args, b.args);
    case "unary":
      return b.kind === "unary" && a.operator === b.operator && sameTree(a.operand, b.operand);
    case "binary":
      return b.kind === "binary" && a.operator === b.operator && sameTree(a.left, b.left) && sameTree(a.right, b.right);
    case "logical":
      return b.kind === "logical" && a.operator === b.operator && sameAll(a.operands, b.operands);
    case "conditional":
      return b.kind === "conditional" && sameTree(a.condition, b.condition) && sameTree(a.then, b.then) &&
        sameTree(a.otherwise, b.otherwise);
    case "list":
      return b.kind === "list" && sameAll(a.elements, b.elements);
    case "map":
      return b.kind === "map" && sameAll(a.entries.map(({ key }) => key), b.entries.map(({ key }) => key)) &&
        sameAll(a.entries.map(({ value }) => value), b.entries.map(({ value }) => value));
    case "comprehension":
      return b.kind === "comprehension" && a.macro === b.macro && a.variable === b.variable &&
        sameTree(a.range, b.range) && sameOptional(a.predicate, b.predicate) && sameOptional(a.transform, b.transform);
  }
}

function sameAll(a: readonly Tree[], b: readonly Tree[]): boolean {
  return a.length === b.length && a.every((tree, index) => sameOptional(tree, b[index] ?? null));
}

function sameOptional(a: Tree | null, b: Tree | null): boolean {
  return a === null || b === null ? a === b : sameTree(a, b);
}

// Distinguishes -0.0 from 0.0, and an int from a uint or a double.
function sameLiteral(a: LiteralValue, b: LiteralValue): boolean {
  if (a instanceof Uint) return b instanceof Uint && a.value === b.value;
  if (!(a instanceof Uint8Array)) return Object.is(a, b);
  return b instanceof Uint8Array && a.length === b.length && a.every((byte, index) => byte === b[index]);
}
