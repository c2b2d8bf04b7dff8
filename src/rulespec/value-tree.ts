// Value -> tree of typed nodes. A value that an alias repeats gets a node for each place, so that a node stands for one place
// in the facts.
import { isJsonList, type Json } from "../core/json.ts";

/** A scalar. */
export type ScalarNode =
  | { readonly type: "null"; readonly value: null }
  | { readonly type: "bool"; readonly value: boolean }
  | { readonly type: "number"; readonly value: number }
  | { readonly type: "string"; readonly value: string };

/** A list. */
type ListNode = { readonly type: "list"; readonly items: readonly ValueNode[] };

/** A map. The order of its keys is not significant. */
type MapNode = { readonly type: "map"; readonly members: ReadonlyMap<string, ValueNode> };

/** A typed value. */
export type ValueNode = ScalarNode | ListNode | MapNode;

/** The tree of a value. */
export function treeOf(value: Json): ValueNode {
  if (value === null) return { type: "null", value };
  switch (typeof value) {
    case "boolean":
      return { type: "bool", value };
    case "number":
      return { type: "number", value };
    case "string":
      return { type: "string", value };
    default:
      break;
  }
  if (isJsonList(value)) return { type: "list", items: value.map(treeOf) };
  return { type: "map", members: new Map(Object.entries(value).map(([key, member]) => [key, treeOf(member)])) };
}

/** A scalar's value as text: equal exactly for equal values of the same type (`1` and `1.0`, `0` and `-0` are equal). */
export function scalarText({ value }: ScalarNode): string {
  return typeof value === "string" ? value : String(value);
}

/** Whether two values are equal, by type and deeply. The order of keys in maps does not count; the order in lists does. */
export function isEqual(a: ValueNode, b: ValueNode): boolean {
  if (a.type === "list" && b.type === "list") {
    return a.items.length === b.items.length && a.items.every((item, at) => isEqualTo(item, b.items[at]));
  }
  if (a.type === "map" && b.type === "map") {
    return a.members.size === b.members.size &&
      [...a.members].every(([key, member]) => isEqualTo(member, b.members.get(key)));
  }
  return "value" in a && "value" in b && a.type === b.type && a.value === b.value;
}

function isEqualTo(a: ValueNode, b: ValueNode | undefined): boolean {
  return b !== undefined && isEqual(a, b);
}
