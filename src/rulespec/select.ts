// Selector and facts -> the selected values, in order.
import { isPrefixed, type Selector, type Step } from "./selector.ts";
import type { ValueNode } from "./value-tree.ts";

/**
 * The selected values, nulls included. If a selector with the prefix `facts.` selects nothing, it is applied without the
 * prefix.
 */
export function select(facts: ValueNode, selector: Selector): readonly ValueNode[] {
  const selected = follow(facts, selector.steps);
  return selected.length === 0 && isPrefixed(selector) ? follow(facts, selector.steps.slice(1)) : selected;
}

function follow(facts: ValueNode, steps: readonly Step[]): readonly ValueNode[] {
  let selected: readonly ValueNode[] = [facts];
  for (const step of steps) selected = selected.flatMap((node) => take(node, step));
  return selected;
}

function take(node: ValueNode, step: Step): readonly ValueNode[] {
  switch (step.kind) {
    case "field":
      return node.type === "map" ? present(node.members.get(step.name)) : [];
    case "index":
      return node.type === "list" ? present(node.items[step.index]) : [];
    case "every":
      return node.type === "list" ? node.items : [];
  }
}

function present(node: ValueNode | undefined): readonly ValueNode[] {
  return node === undefined ? [] : [node];
}
