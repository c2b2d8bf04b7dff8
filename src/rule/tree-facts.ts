// Facts about the tree of a condition: the namespaces that it names and needs, and the map keys that it reads.
import type { Tree } from "../cel/tree.ts";
import { children, visit } from "../cel/walk-tree.ts";
import { NAMESPACES, OPEN_MAPS } from "../core/context.ts";
import type { Span } from "../core/span.ts";

/** Whether a condition with this canonical text can read an open map; most cannot, so their trees need no walk. */
export function mayReadOpenMap(normal: string): boolean {
  return OPEN_NAMES.test(normal);
}

// The last part of the name of each open map.
const OPEN_NAMES = new RegExp([...OPEN_MAPS].map((path) => path.slice(path.lastIndexOf(".") + 1)).join("|"));

/** A read of a literal key of an open map. */
export type KeyRead = { readonly map: string; readonly key: string; readonly span: Span };

/** The path of a namespace's field or of a variable, for example `http.headers`; null for any other tree. */
export function pathOf(tree: Tree): string | null {
  if (tree.kind === "name") return tree.name;
  return tree.kind === "select" && tree.operand.kind === "name" ? `${tree.operand.name}.${tree.field}` : null;
}

/** Returns the key that a node reads from an open map by index or selection, or null. */
export function keyRead(tree: Tree): KeyRead | null {
  if (tree.kind !== "index" && tree.kind !== "select") return null;
  const map = pathOf(tree.operand);
  if (map === null || !OPEN_MAPS.has(map)) return null;
  if (tree.kind === "select") return { map, key: tree.field, span: tree.span };
  const { index } = tree;
  if (index.kind !== "literal" || typeof index.value !== "string") return null;
  return { map, key: index.value, span: tree.span };
}

/** Returns the key that a node tests with `in` or `has`, with its map, or null. */
export function keyGuarded(tree: Tree): Omit<KeyRead, "span"> | null {
  if (tree.kind === "has") {
    const map = pathOf(tree.operand);
    return map !== null && OPEN_MAPS.has(map) ? { map, key: tree.field } : null;
  }
  if (tree.kind !== "binary" || tree.operator !== "in") return null;
  const map = pathOf(tree.right);
  if (map === null || !OPEN_MAPS.has(map)) return null;
  return tree.left.kind === "literal" && typeof tree.left.value === "string" ? { map, key: tree.left.value } : null;
}

/** The namespaces that a tree names, also in `has`. */
export function namespacesOf(tree: Tree): ReadonlySet<string> {
  const found = new Set<string>();
  visit(tree, (node, scope) => {
    if (node.kind === "name" && node.name in NAMESPACES && !scope.has(node.name)) found.add(node.name);
  });
  return found;
}

/** Whether the tree reads values that a hook can change. */
export function readsHooks(tree: Tree): boolean {
  const path = pathOf(tree);
  if (path === "enriched" || path === "run.context") return true;
  if (tree.kind === "has" && pathOf(tree.operand) === "run" && tree.field === "context") return true;
  return children(tree).some(readsHooks);
}

/**
 * Whether the tree has the outcome only if the namespace is present; for a tree that is not boolean, whether it has a value
 * only then.
 */
export function needs(tree: Tree, namespace: string, outcome = true): boolean {
  switch (tree.kind) {
    case "name":
      return tree.name === namespace;
    case "has":
      // `has(http.method)` is false if http is absent, so only the outcome true needs http.
      return tree.operand.kind === "name" ? outcome && tree.operand.name === namespace : needs(tree.operand, namespace);
    case "unary":
      return needs(tree.operand, namespace, tree.operator === "!" ? !outcome : outcome);
    case "logical":
      // One false operand decides `&&`, and one true operand decides `||`, whatever the others are.
      return (tree.operator === "&&") === outcome
        ? tree.operands.some((operand) => needs(operand, namespace, outcome))
        : tree.operands.every((operand) => needs(operand, namespace, outcome));
    case "conditional": {
      const { condition, then, otherwise } = tree;
      const without = (branch: Tree, taken: boolean): boolean =>
        !isOther(branch, outcome) && !needs(condition, namespace, taken) && !needs(branch, namespace, outcome);
      return !without(then, true) && !without(otherwise, false);
    }
    case "comprehension":
      return needsValue(tree.range, namespace);
    default:
      return children(tree).some((child) => needsValue(child, namespace));
  }
}

// Whether the tree has a value only if the namespace is present.
function needsValue(tree: Tree, namespace: string): boolean {
  return needs(tree, namespace, true) && needs(tree, namespace, false);
}

function isOther(tree: Tree, outcome: boolean): boolean {
  return tree.kind === "literal" && tree.value === !outcome;
}
