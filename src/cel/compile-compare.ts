// `==` and the orders. Comparing with a literal, which most conditions do, has closures of its own.
import { equals } from "./equality.ts";
import { compare } from "./order.ts";
import { type Step, strictPair } from "./steps.ts";
import { Abnormal, type Value } from "./value.ts";

/** Compiles `left == right`. */
export function compileEquals(left: Step, right: Step): Step {
  if (right.constant !== undefined) return equalsConstant(left, right, right.constant);
  if (left.constant !== undefined) return equalsConstant(right, left, left.constant);
  return strictPair(left, right, equals);
}

/** Compiles `left != right`. */
export function compileUnequal(left: Step, right: Step): Step {
  const { run, cost } = compileEquals(left, right);
  return {
    cost,
    run: (activation) => {
      const term = run(activation);
      return typeof term === "boolean" ? !term : term;
    },
  };
}

/** Compiles an order; where one side is not a number at all (NaN), it is false. */
export function compileOrder(operator: "<" | "<=" | ">" | ">=", left: Step, right: Step): Step {
  const holds = HOLDS[operator];
  return strictPair(left, right, (a, b) => {
    const order = compare(a, b);
    return order instanceof Abnormal ? order : holds(order);
  });
}

const HOLDS = {
  "<": (order: number) => order < 0,
  "<=": (order: number) => order <= 0,
  ">": (order: number) => order > 0,
  ">=": (order: number) => order >= 0,
} as const;

function equalsConstant(operand: Step, constant: Step, value: Value): Step {
  const { run } = operand;
  const cost = 1 + operand.cost + constant.cost;
  if (typeof value === "string" || typeof value === "boolean") {
    // Equal to nothing but itself.
    return {
      cost,
      run: (activation) => {
        const term = run(activation);
        return term === value ? true : term instanceof Abnormal ? term : false;
      },
    };
  }
  return {
    cost,
    run: (activation) => {
      const term = run(activation);
      return term instanceof Abnormal ? term : equals(term, value, activation);
    },
  };
}
