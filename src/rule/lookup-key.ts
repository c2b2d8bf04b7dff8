// Finds the keys of a part of a condition: values that a request must have, or the part is false. Keys are looked up instead
// of evaluated. Only an exact test has a key; a condition without keys is evaluated for every request.
import type { Environment, Slot } from "../cel/environment.ts";
import type { Binary, Call, Comprehension, Tree } from "../cel/tree.ts";

/** The part of a value that a key is compared with: all of it, an element, a map's entry, or the start or end of a text. */
export type KeyKind = "value" | "element" | "entry" | "prefix" | "pattern" | "suffix";

/** A value to look up in a slot. */
export type Key = {
  readonly kind: KeyKind;
  readonly slot: number;
  readonly value: string | bigint | boolean;
  /** The key of the map, for an entry; otherwise empty. */
  readonly name: string;
};

/** Returns the slot that a node reads, or null if it reads none or one that hooks can change. */
export function slotOf(tree: Tree, { namespaces, variables }: Environment): Slot | null {
  if (tree.kind === "name") return tree.name === "enriched" ? null : variables.get(tree.name) ?? null;
  if (tree.kind !== "select" || tree.operand.kind !== "name") return null;
  if (tree.operand.name === "run" && tree.field === "context") return null;
  return namespaces.get(tree.operand.name)?.fields.get(tree.field) ?? null;
}

/** An environment with a cache of keys by node, since building the index asks for the same keys several times. */
export type KeyedEnvironment = Environment & { readonly keys: Map<Tree, readonly Key[] | null> };

/** Returns the keys without which a node is false, or null if it may be true without them. */
export function keysOf(tree: Tree, environment: KeyedEnvironment): readonly Key[] | null {
  const known = environment.keys.get(tree);
  if (known !== undefined) return known;
  const found = findKeys(tree, environment);
  environment.keys.set(tree, found);
  return found;
}

function findKeys(tree: Tree, environment: Environment): readonly Key[] | null {
  switch (tree.kind) {
    case "literal":
      return tree.value === false ? [] : null;
    case "name":
    case "select":
      return boolKey(tree, true, environment);
    case "unary":
      return tree.operator === "!" ? boolKey(tree.operand, false, environment) : null;
    case "binary":
      return tree.operator === "=="
        ? equalsKey(tree, environment)
        : tree.operator === "in"
        ? inKeys(tree, environment)
        : null;
    case "call":
      return textKey(tree, environment);
    case "comprehension":
      return existsKey(tree, environment);
    default:
      return null;
  }
}

/** Returns the slot and key of a node that reads a literal key of a map, unless hooks can change the map. */
export function entryOf(tree: Tree, environment: Environment): { readonly slot: number; readonly name: string } | null {
  if (tree.kind !== "index" && tree.kind !== "select") return null;
  const map = slotOf(tree.operand, environment);
  if (map === null || !map.type.startsWith("map<")) return null;
  if (tree.kind === "select") return { slot: map.index, name: tree.field };
  const { index } = tree;
  return index.kind === "literal" && typeof index.value === "string" ? { slot: map.index, name: index.value } : null;
}

function boolKey(tree: Tree, value: boolean, environment: Environment): readonly Key[] | null {
  const slot = slotOf(tree, environment);
  return slot?.type === "bool" ? [keyOf("value", slot, value)] : null;
}

function equalsKey({ left, right }: Binary, environment: Environment): readonly Key[] | null {
  const [operand, literal] = left.kind === "literal" ? [right, left] : [left, right];
  if (literal.kind !== "literal") return null;
  const slot = slotOf(operand, environment);
  if (slot !== null) return isOfSlot(slot, literal.value) ? [keyOf("value", slot, literal.value)] : null;
  const entry = entryOf(operand, environment);
  if (entry === null || typeof literal.value !== "string") return null;
  return [{ kind: "entry", slot: entry.slot, value: literal.value, name: entry.name }];
}

function inKeys({ left, right }: Binary, environment: Environment): readonly Key[] | null {
  if (left.kind === "literal") {
    const list = slotOf(right, environment);
    return list?.type === "list<string>" && typeof left.value === "string"
      ? [keyOf("element", list, left.value)]
      : null;
  }
  const slot = slotOf(left, environment);
  if (slot === null || right.kind !== "list") return null;
  // A guard without keys is in no table, so the rule would be left out even if the rest of the condition fails.
  if (right.elements.length === 0) return null;
  const keys: Key[] = [];
  for (const element of right.elements) {
    if (element.kind !== "literal" || !isOfSlot(slot, element.value)) return null;
    keys.push(keyOf("value", slot, element.value));
  }
  return keys;
}

function textKey({ name, receiver, args }: Call, environment: Environment): readonly Key[] | null {
  const [literal] = args;
  if (receiver === null || args.length !== 1 || literal?.kind !== "literal" || typeof literal.value !== "string") {
    return null;
  }
  const slot = slotOf(receiver, environment);
  if (slot?.type !== "string") return null;
  if (name === "startsWith") return [keyOf("prefix", slot, literal.value)];
  if (name === "endsWith") return [keyOf("suffix", slot, literal.value)];
  const prefix = name === "matches" ? prefixOfPattern(literal.value) : "";
  return prefix === "" ? null : [keyOf("pattern", slot, prefix)];
}

// `list.exists(x, x == "text")` is `"text" in list`.
function existsKey(tree: Comprehension, environment: Environment): readonly Key[] | null {
  const { macro, range, variable, predicate } = tree;
  const list = slotOf(range, environment);
  if (
    macro !== "exists" || list?.type !== "list<string>" || predicate?.kind !== "binary" || predicate.operator !== "=="
  ) {
    return null;
  }
  const [name, literal] = predicate.left.kind === "literal"
    ? [predicate.right, predicate.left]
    : [predicate.left, predicate.right];
  if (name.kind !== "name" || name.name !== variable || literal.kind !== "literal") return null;
  return typeof literal.value === "string" ? [keyOf("element", list, literal.value)] : null;
}

/** Returns the text that every match of an RE2 pattern begins with; empty if it is not known. */
export function prefixOfPattern(pattern: string): string {
  // Another alternative may begin differently.
  if (!pattern.startsWith("^") || pattern.includes("|")) return "";
  const literals = /^\^((?:[A-Za-z0-9 /_:@%&=~,;<>"'!#-]|\\[./+*?$^()[\]{}-])*)/.exec(pattern)?.[1] ?? "";
  const next = pattern.charAt(1 + literals.length);
  // A quantifier applies to the last character only, which may then be missing.
  const certain = /^[*?+{]/.test(next) ? literals.replace(/\\?.$/, "") : literals;
  return certain.replaceAll("\\", "");
}

function keyOf(kind: KeyKind, slot: Slot, value: string | bigint | boolean): Key {
  return { kind, slot: slot.index, value, name: "" };
}

// Values of different types can be equal, as 443.0 and 443 are, so only values of the slot's type are keys.
function isOfSlot(slot: Slot, value: unknown): value is string | bigint | boolean {
  switch (slot.type) {
    case "string":
      return typeof value === "string";
    case "int":
      return typeof value === "bigint";
    case "bool":
      return typeof value === "boolean";
    default:
      return false;
  }
}
