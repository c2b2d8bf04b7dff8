// Finds conditions whose value does not depend on the request. Logical operators are folded on the tree; a part without names
// is evaluated as it would be for a request, with a small step limit.
import { compile } from "../cel/compile-expression.ts";
import { createActivation } from "../cel/activation.ts";
import type { Checked } from "../cel/check-expression.ts";
import { evaluate } from "../cel/evaluate-condition.ts";
import type { Tree } from "../cel/tree.ts";
import { TYPE_NAMES } from "../cel/value.ts";
import { visit } from "../cel/walk-tree.ts";
import { ZoneCache } from "../cel/zones.ts";

/** The step limit for the constant parts of one condition; a part that takes more is not called constant. */
const CONSTANT_STEPS = 10_000;

/** The constant value of a condition; null if it depends on the request or is too expensive to evaluate. */
export function constantOf({ tree, patterns }: Pick<Checked, "tree" | "patterns">): boolean | null {
  const meter = { remaining: CONSTANT_STEPS };
  return valueOf(tree);

  function valueOf(node: Tree): boolean | null {
    switch (node.kind) {
      case "literal":
        return typeof node.value === "boolean" ? node.value : null;
      case "unary": {
        const operand = node.operator === "!" ? valueOf(node.operand) : null;
        return operand === null ? null : !operand;
      }
      case "logical": {
        const absorbing = node.operator === "||";
        const values = node.operands.map(valueOf);
        if (values.includes(absorbing)) return absorbing;
        return values.includes(null) ? null : !absorbing;
      }
      case "conditional": {
        const condition = valueOf(node.condition);
        return condition === null ? null : valueOf(condition ? node.then : node.otherwise);
      }
      default:
        return isClosed(node) ? evaluated(node) : null;
    }
  }

  function evaluated(node: Tree): boolean | null {
    if (meter.remaining <= 0) return null;
    const outcome = evaluate(
      compile({ tree: node, patterns }, NO_NAMES),
      createActivation([], [], new ZoneCache()),
      meter,
    );
    return outcome.kind === "value" && typeof outcome.value === "boolean" ? outcome.value : null;
  }
}

const NO_NAMES = { namespaces: new Map(), variables: new Map() };

// Whether a part names no member of a request.
function isClosed(tree: Tree): boolean {
  let isOpen = false;
  visit(tree, (node, scope) => {
    if (node.kind === "reference") isOpen = true;
    else if (node.kind === "name") isOpen ||= !scope.has(node.name) && !TYPE_NAMES.has(node.name);
  });
  return !isOpen;
}
