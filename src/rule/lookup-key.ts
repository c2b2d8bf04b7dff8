// What a condition must find in a request to be anything but false: keys that can be looked up instead of evaluated. Only
// what is exact is a key; a condition without one is always evaluated.
import type { Environment, Slot } from "../cel/environment.ts";
import type { Binary, Call, Comprehension, Tree } from "../cel/tree.ts";

/** How a slot's value is looked at: as a whole, by its elements, by the value of one of its keys, by its start or end. */
export type KeyKind = "value" | "element" | "entry" | "prefix" | "pattern" | "suffix";

/** One thing to be found in a slot. */
export type Key = {
  readonly kind: KeyKind;
  readonly slot: number;
  readonly value: string | bigint | boolean;
  /** Of an entry: the key of the map. */
  readonly name: string;
};

/** The slot that a node reads, unless hooks can change it. */
export function slotOf(tree: Tree, { namespaces, variables }: Environment): Slot | null {
  if (tree.kind === "name") return tree.name === "enriched" ? null : variables.get(tree.name) ?? null;
  if (tree.kind !== "select" || tree.operand.kind !== "name") return null;
  if (tree.operand.name === "run" && tree.field === "context") return null;
  return namespaces.get(tree.operand.name)?.fields.get(tree.field) ?? null;
}

/** An environment with the keys that were found already: a condition is asked for them several times over. */
export type KeyedEnvironment = Environment & { readonly keys: Map<Tree, readonly Key[] | null> };

/** The keys of a node that is false unless one of them is found; null where it is not known to be. */
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

/** The key of a map that a node reads with a literal, where no hook can change the map: its slot and the key. */
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
  // Without a key no table would have the rule, also where the slot has no value and the rest may fail.
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

/** The text that everything which an RE2 pattern finds begins with; empty where the pattern does not say. */
export function prefixOfPattern(pattern: string): string {
  // Another branch may begin otherwise, wherever it stands.
  if (!pattern.startsWith("^") || pattern.includes("|")) return "";
  const literals = /^\^((?:[A-Za-z0-9 /_:@%&=~,;<>"'!#-]|\\[./+*?$^()[\]{}-])*)/.exec(pattern)?.[1] ?? "";
  const next = pattern.charAt(1 + literals.length);
  // What follows may be about the last one alone.
  const certain = /^[*?+{]/.test(next) ? literals.replace(/\\?.$/, "") : literals;
  return certain.replaceAll("\\", "");
}

function keyOf(kind: KeyKind, slot: Slot, value: string | bigint | boolean): Key {
  return { kind, slot: slot.index, value, name: "" };
}

// Values of another type than the slot's are equal in ways of their own, as 443.0 is to 443.
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
