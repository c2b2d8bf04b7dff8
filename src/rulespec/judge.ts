// Test and selected values -> whether the test holds. This file defines the twelve rules; the Datalog program is compared with
// it.
import type { Json } from "../core/json.ts";
import type { Matcher } from "./matcher.ts";
import type { Test } from "./rulespec.ts";
import { isEqual, type ScalarNode, scalarText, treeOf, type ValueNode } from "./value-tree.ts";

/** Whether a test holds, and the value that decided it, if a single value did. */
export type Judgement = { readonly holds: boolean; readonly decisive?: ValueNode };

/** Applies a test to values, none of which is null. */
export function judge(test: Test, values: readonly ValueNode[], matcher: Matcher): Judgement {
  switch (test.rule) {
    case "exists":
      return { holds: values.length > 0 };
    case "not_exists":
      return { holds: values.length === 0 };
    case "equals": {
      const wanted = treeOf(test.value);
      return { holds: values.length === 1 && values.every((value) => isEqual(value, wanted)) };
    }
    case "contains":
      return some(values, containing(test.value));
    case "not_contains":
      return none(values, containing(test.value));
    case "any_of":
      return every(values, amongMembers(test.value));
    case "none_of":
      return none(values, touchingMembers(test.value));
    case "greater_than":
      return every(values, (value) => value.type === "number" && value.value > test.value);
    case "less_than":
      return every(values, (value) => value.type === "number" && value.value < test.value);
    case "min_length":
      return every(values, (value) => value.type === "list" && value.items.length >= test.value);
    case "max_length":
      return every(values, (value) => value.type === "list" && value.items.length <= test.value);
    case "matches":
      return every(values, (value) => value.type === "string" && matcher.finds(test.pattern, value.value));
  }
}

type Holds = (value: ValueNode) => boolean;

function some(values: readonly ValueNode[], holds: Holds): Judgement {
  const decisive = values.find(holds);
  return decisive === undefined ? { holds: false } : { holds: true, decisive };
}

function none(values: readonly ValueNode[], holds: Holds): Judgement {
  const decisive = values.find(holds);
  return decisive === undefined ? { holds: true } : { holds: false, decisive };
}

// A rule about every value does not hold if there is no value.
function every(values: readonly ValueNode[], holds: Holds): Judgement {
  const decisive = values.find((value) => !holds(value));
  return decisive === undefined ? { holds: values.length > 0 } : { holds: false, decisive };
}

function containing(value: Json): Holds {
  const wanted = treeOf(value);
  return (node) => {
    switch (node.type) {
      case "list":
        return node.items.some((item) => isEqual(item, wanted));
      case "map":
        return [...node.members.values()].some((member) => isEqual(member, wanted));
      case "string":
        return wanted.type === "string" && node.value.includes(wanted.value);
      case "bool":
      case "number":
      case "null":
        return isEqual(node, wanted);
    }
  };
}

function amongMembers(members: readonly Json[]): Holds {
  const isMember = isMemberOf(members);
  return (node) => isMember(node) || (node.type === "list" && node.items.length > 0 && node.items.every(isMember));
}

function touchingMembers(members: readonly Json[]): Holds {
  const isMember = isMemberOf(members);
  return (node) => isMember(node) || (node.type === "list" && node.items.some(isMember));
}

// Scalars are found in a set, so the length of the list does not matter.
function isMemberOf(members: readonly Json[]): Holds {
  const trees = members.map(treeOf);
  const scalars = new Set(trees.filter(isScalar).map(scalarKey));
  const compounds = trees.filter((tree) => !isScalar(tree));
  return (node) => isScalar(node) ? scalars.has(scalarKey(node)) : compounds.some((each) => isEqual(node, each));
}

function isScalar(node: ValueNode): node is ScalarNode {
  return node.type !== "list" && node.type !== "map";
}

function scalarKey(node: ScalarNode): string {
  return `${node.type}:${scalarText(node)}`;
}
