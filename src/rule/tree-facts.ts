// What a condition's tree says of the request: which namespaces it names and needs, which keys of open maps it reads.
import type { Tree } from "../cel/tree.ts";
import { children, visit } from "../cel/walk.ts";
import { NAMESPACES } from "../core/context.ts";
import type { Span } from "../core/span.ts";

/** The maps whose keys a request may lack. */
export const OPEN_MAPS: ReadonlySet<string> = new Set([
  "http.headers",
  "run.context",
  "metadata",
  "enriched",
  "agent.labels",
  "envelope.facts",
]);

/** A literal key that is read from an open map. */
export type KeyRead = { readonly map: string; readonly key: string; readonly span: Span };

/** The path of a namespace's field or of a variable, for example `http.headers`; null for anything else. */
export function pathOf(tree: Tree): string | null {
  if (tree.kind === "name") return tree.name;
  return tree.kind === "select" && tree.operand.kind === "name" ? `${tree.operand.name}.${tree.field}` : null;
}

/** The key that a node itself reads from an open map, by index or selection. */
export function keyRead(tree: Tree): KeyRead | null {
  if (tree.kind !== "index" && tree.kind !== "select") return null;
  const map = pathOf(tree.operand);
  if (map === null || !OPEN_MAPS.has(map)) return null;
  if (tree.kind === "select") return { map, key: tree.field, span: tree.span };
  const { index } = tree;
  if (index.kind !== "literal" || typeof index.value !== "string") return null;
  return { map, key: index.value, span: tree.span };
}

/** The key that a node asks for by `in` or `has`, with its map. */
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

/** The namespaces that a tree names anywhere, `has` included. */
export function namespacesOf(tree: Tree): ReadonlySet<string> {
  const found = new Set<string>();
  visit(tree, (node, scope) => {
    if (node.kind === "name" && node.name in NAMESPACES && !scope.has(node.name)) found.add(node.name);
  });
  return found;
}

/** Whether the tree reads what a hook can change. */
export function readsHooks(tree: Tree): boolean {
  const path = pathOf(tree);
  if (path === "enriched" || path === "run.context") return true;
  if (tree.kind === "has" && pathOf(tree.operand) === "run" && tree.field === "context") return true;
  return children(tree).some(readsHooks);
}

/** Whether the tree can be true only where the namespace is present. */
export function needs(tree: Tree, namespace: string): boolean {
  switch (tree.kind) {
    case "name":
      return tree.name === namespace;
    case "has":
      return tree.operand.kind !== "name" && needs(tree.operand, namespace);
    case "logical":
      return tree.operator === "&&"
        ? tree.operands.some((operand) => needs(operand, namespace))
        : tree.operands.every((operand) => needs(operand, namespace));
    case "conditional":
      return needs(tree.condition, namespace) ||
        (needs(tree.then, namespace) && needs(tree.otherwise, namespace));
    case "comprehension":
      return needs(tree.range, namespace);
    default:
      return children(tree).some((child) => needs(child, namespace));
  }
}
