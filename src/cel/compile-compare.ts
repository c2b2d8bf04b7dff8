// Compiles `==`, `!=` and the orders. Most conditions compare with a literal, so that case has faster closures.
import { equals } from "./equality.ts";
import { STEP_CHARACTERS } from "./limits.ts";
import { compare } from "./order.ts";
import { type Run, type Step, strictPair } from "./steps.ts";
import { Abnormal, NO_VALUE, type Value } from "./value.ts";

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

/** Compiles an order; it is false if one side is NaN. */
export function compileOrder(operator: "<" | "<=" | ">" | ">=", left: Step, right: Step): Step {
  const holds = HOLDS[operator];
  return strictPair(left, right, (a, b, activation) => {
    const order = compare(a, b, activation);
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
  const cost = 1 + operand.cost + constant.cost;
  const short = typeof value === "string" && value.length < STEP_CHARACTERS;
  if (short || typeof value === "boolean") return { cost, ...equalsItself(operand, value) };
  const { run } = operand;
  return {
    cost,
    run: (activation) => {
      const term = run(activation);
      return term instanceof Abnormal ? term : equals(term, value, activation);
    },
  };
}

// A string or boolean equals only itself, so no type has to be compared.
function equalsItself({ run, slot, local }: Step, value: string | boolean): Pick<Step, "run" | "localEquals"> {
  if (slot !== undefined) {
    return {
      run: ({ slots }) => {
        const term = slots[slot];
        if (term === value) return true;
        return term === undefined ? NO_VALUE : term instanceof Abnormal ? term : false;
      },
    };
  }
  const plain: Run = (activation) => {
    const term = run(activation);
    return term === value ? true : term instanceof Abnormal ? term : false;
  };
  return local !== undefined && typeof value === "string"
    ? { run: plain, localEquals: { local, text: value } }
    : { run: plain };
}
