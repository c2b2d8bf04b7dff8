// Reads of list elements in a condition, and the sizes that its tests guarantee.
import type { Tree } from "../cel/tree.ts";
import { NAMESPACES } from "../core/context.ts";
import type { Span } from "../core/span.ts";
import { pathOf } from "./tree-facts.ts";

/** Whether a condition with this canonical text can read a list element by a literal index. */
export function mayReadElement(normal: string): boolean {
  return /\w\[\d/.test(normal);
}

/** A read of a list element by a literal index. */
export type ElementRead = { readonly list: string; readonly index: number; readonly span: Span };

/** Returns the list element that a node reads, or null. */
export function elementRead(tree: Tree): ElementRead | null {
  if (tree.kind !== "index" || tree.index.kind !== "literal" || typeof tree.index.value !== "bigint") return null;
  const list = listPath(tree.operand);
  return list === null ? null : { list, index: Number(tree.index.value), span: tree.span };
}

/** Returns the least size of a list if a test of it has the given outcome; null if the tree is not such a test. */
export function sizeWhen(tree: Tree, outcome: boolean): { readonly list: string; readonly atLeast: number } | null {
  if (tree.kind === "comprehension") {
    const list = outcome && (tree.macro === "exists" || tree.macro === "exists_one") ? listPath(tree.range) : null;
    return list === null ? null : { list, atLeast: 1 };
  }
  if (tree.kind !== "binary") return null;
  const { operator, left, right } = tree;
  if (operator === "in") {
    const list = outcome ? listPath(right) : null;
    return list === null ? null : { list, atLeast: 1 };
  }
  const list = sizedList(left) ?? sizedList(right);
  const literal = sizedList(left) === null ? left : right;
  if (list === null || literal.kind !== "literal" || typeof literal.value !== "bigint") {
    return sizeOfLiteral(tree, outcome);
  }
  const atLeast = leastSize(
    sizedList(left) === null ? MIRRORED[operator] ?? operator : operator,
    literal.value,
    outcome,
  );
  return atLeast === null ? null : { list, atLeast };
}

const MIRRORED: Readonly<Record<string, string>> = { "<": ">", "<=": ">=", ">": "<", ">=": "<=" };
const NEGATED: Readonly<Record<string, string>> = {
  "==": "!=",
  "!=": "==",
  "<": ">=",
  "<=": ">",
  ">": "<=",
  ">=": "<",
};

// The least size that satisfies `size <operator> number` or its negation; null if there is no lower bound.
function leastSize(operator: string, number: bigint, outcome: boolean): number | null {
  switch (outcome ? operator : NEGATED[operator]) {
    case "==":
    case ">=":
      return Number(number);
    case ">":
      return Number(number) + 1;
    case "!=":
      return number === 0n ? 1 : null;
    default:
      return null;
  }
}

// `list == [...]`.
function sizeOfLiteral(tree: Tree, outcome: boolean): { readonly list: string; readonly atLeast: number } | null {
  if (tree.kind !== "binary" || (tree.operator === "==") !== outcome) return null;
  if (tree.operator !== "==" && tree.operator !== "!=") return null;
  const [list, literal] = tree.left.kind === "list" ? [tree.right, tree.left] : [tree.left, tree.right];
  const path = listPath(list);
  return path === null || literal.kind !== "list" ? null : { list: path, atLeast: literal.elements.length };
}

function sizedList(tree: Tree): string | null {
  if (tree.kind !== "call" || tree.name !== "size") return null;
  const list = tree.receiver ?? tree.args[0];
  return list === undefined ? null : listPath(list);
}

// The path of a list of a namespace, for example `run.argv`.
function listPath(tree: Tree): string | null {
  const path = pathOf(tree);
  return path !== null && LISTS.has(path) ? path : null;
}

const LISTS: ReadonlySet<string> = new Set(
  Object.entries(NAMESPACES).flatMap(([name, fields]) =>
    Object.entries(fields).filter(([, type]) => type === "list<string>").map(([field]) => `${name}.${field}`)
  ),
);
