// One check (the test of a predicate or of its `when`) -> the Datalog rules that decide it, and the facts about each value that
// Datalog cannot compute itself.
import { NUMBER_RANGE } from "../datalog/statement.ts";
import type { Matcher } from "./matcher.ts";
import type { Test } from "./rulespec.ts";
import type { ValueNode } from "./value-tree.ts";

/** A check: its number, the number of its claim, and the id of the node of its value. */
export type Check = { readonly number: number; readonly claim: number; readonly value: number };

/** The rules of a check, one a line. They contain numbers only, no text from outside. */
export function rulesOf(test: Test, { number: k, claim: c, value: v }: Check): readonly string[] {
  const value = `selected(${c}, _, N)`;
  const everyUnlessBroken = `holds(${k}) :- present(${c}), !broken(${k}).`;
  const unlessBroken = `holds(${k}) :- !broken(${k}).`;
  switch (test.rule) {
    case "exists":
      return [`holds(${k}) :- present(${c}).`];
    case "not_exists":
      return [`holds(${k}) :- !present(${c}).`];
    case "equals":
      return [
        `asked(N, ${v}) :- selected(${c}, 0, N).`,
        `holds(${k}) :- selected(${c}, 0, N), same(N, ${v}), !several(${c}).`,
      ];
    case "contains":
      return [`sought(N, ${v}) :- ${value}.`, `holds(${k}) :- ${value}, includes(N, ${v}).`];
    case "not_contains":
      return [`sought(N, ${v}) :- ${value}.`, `broken(${k}) :- ${value}, includes(N, ${v}).`, unlessBroken];
    case "any_of":
      return [
        `choices(${v}).`,
        `judged(N, ${v}) :- ${value}.`,
        `broken(${k}) :- ${value}, !within(N, ${v}).`,
        everyUnlessBroken,
      ];
    case "none_of":
      return [
        `choices(${v}).`,
        `judged(N, ${v}) :- ${value}.`,
        `broken(${k}) :- ${value}, touches(N, ${v}).`,
        unlessBroken,
      ];
    case "greater_than":
      return [`broken(${k}) :- ${value}, !greater(N, ${v}).`, everyUnlessBroken];
    case "less_than":
      return [`broken(${k}) :- ${value}, !less(N, ${v}).`, everyUnlessBroken];
    case "min_length":
      return [
        `broken(${k}) :- ${value}, !node(N, "list").`,
        ...(test.value === 0 ? [] : [`broken(${k}) :- ${value}, !indexed(N, ${position(test.value - 1)}).`]),
        everyUnlessBroken,
      ];
    case "max_length":
      return [
        `broken(${k}) :- ${value}, !node(N, "list").`,
        `broken(${k}) :- ${value}, indexed(N, ${position(test.value)}).`,
        everyUnlessBroken,
      ];
    case "matches":
      return [`broken(${k}) :- ${value}, !has_match(N, ${v}).`, everyUnlessBroken];
  }
}

// The dialects have no greater numbers, and no list is long enough for the difference to matter.
function position(at: number): number {
  return Math.min(at, NUMBER_RANGE.greatest);
}

/** A relation that Datalog cannot compute, and the function that decides whether a value is in it. */
export type Computed = { readonly relation: string; readonly has: (node: ValueNode) => boolean };

/** The relation that is computed for each value of a test's claim, if the test needs one. */
export function computedOf(test: Test, matcher: Matcher): Computed | undefined {
  switch (test.rule) {
    case "greater_than":
      return { relation: "greater", has: (node) => node.type === "number" && node.value > test.value };
    case "less_than":
      return { relation: "less", has: (node) => node.type === "number" && node.value < test.value };
    case "contains":
    case "not_contains": {
      const { value } = test;
      if (typeof value !== "string") return undefined;
      return { relation: "has_substring", has: (node) => node.type === "string" && node.value.includes(value) };
    }
    case "matches":
      return {
        relation: "has_match",
        has: (node) => node.type === "string" && matcher.finds(test.pattern, node.value),
      };
    default:
      return undefined;
  }
}
