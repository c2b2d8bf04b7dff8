// Facts about a condition that hold for every request: that it is literally true, or that it cannot fail.
import type { Tree } from "../cel/tree.ts";
import { children } from "../cel/walk-tree.ts";
import { NAMESPACES } from "../core/context.ts";

/** Whether a condition is literally `true`. */
export function isTrue(tree: Tree): boolean {
  return tree.kind === "literal" && tree.value === true;
}

const SAFE_CALLS = new Set(["startsWith", "endsWith", "contains", "size", "lowerAscii", "upperAscii"]);
const SAFE_OPERATORS = new Set(["==", "!=", "<", "<=", ">", ">=", "in"]);

/** Whether no request can make the condition fail: it has no optional keys, no arithmetic, and no run-time limits. */
export function cannotFail(tree: Tree): boolean {
  const safe = isSafeNode(tree);
  return safe && children(tree).every(cannotFail);
}

function isSafeNode(tree: Tree): boolean {
  switch (tree.kind) {
    case "literal":
    case "logical":
    case "conditional":
    case "list":
      return true;
    case "name":
      return tree.name !== "enriched";
    case "has":
      return tree.operand.kind === "name" && !DYNAMIC.has(`${tree.operand.name}.${tree.field}`);
    case "select":
      // A present namespace has all its fields, but a map such as `metadata` may lack a key.
      return tree.operand.kind === "name" && tree.operand.name in NAMESPACES &&
        !DYNAMIC.has(`${tree.operand.name}.${tree.field}`);
    case "unary":
      return tree.operator === "!";
    case "binary":
      return SAFE_OPERATORS.has(tree.operator);
    case "call":
      return SAFE_CALLS.has(tree.name);
    default:
      return false;
  }
}

const DYNAMIC = new Set(["run.context", "envelope.facts"]);
