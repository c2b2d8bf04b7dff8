// Compiles `&&`, `||`, `!` and `? :` over true, false, no value and failure. An operand that decides (false for `&&`, true
// for `||`) absorbs all others. If no operand decides, a failure wins over no value (see `worse`). So if an operand is
// replaced by one that fails, the result stays the same or becomes a failure; it never becomes another value.
import type { Activation } from "./activation.ts";
import { type Run, type Step, undecided } from "./steps.ts";
import { type Abnormal, type Term, worse } from "./value.ts";

/** Compiles a chain of one operator; `deciding` is the value that decides: false for `&&`, true for `||`. */
export function compileChain(operands: readonly Step[], deciding: boolean): Step {
  const [first, second, third] = operands;
  const cost = operands.length - 1 + (first?.cost ?? 0);
  if (first !== undefined && second !== undefined && operands.length === 2) {
    return { cost, run: chainOfTwo(first, second, deciding) };
  }
  if (first !== undefined && second !== undefined && third !== undefined && operands.length === 3) {
    return { cost, run: chainOfThree([first, second, third], deciding) };
  }
  return { cost, run: chainOfMany(operands, deciding) };
}

/** Compiles `!operand`. */
export function compileNot(operand: Step): Step {
  const { run } = operand;
  return {
    cost: 1 + operand.cost,
    run: (activation) => {
      const term = run(activation);
      return typeof term === "boolean" ? !term : undecided(term);
    },
  };
}

/** Compiles `condition ? then : otherwise`; the branch that is not taken is not run. */
export function compileConditional(condition: Step, then: Step, otherwise: Step): Step {
  return {
    cost: 1 + condition.cost,
    run: (activation) => {
      const term = condition.run(activation);
      if (typeof term !== "boolean") return undecided(term);
      const branch = term ? then : otherwise;
      activation.steps -= branch.cost;
      return branch.run(activation);
    },
  };
}

function chainOfTwo(first: Step, second: Step, deciding: boolean): Run {
  const [runFirst, runSecond, cost] = [first.run, second.run, second.cost];
  return (activation) => {
    const a = runFirst(activation);
    if (a === deciding) return deciding;
    activation.steps -= cost;
    const b = runSecond(activation);
    if (b === deciding) return deciding;
    return typeof a === "boolean" && typeof b === "boolean" ? !deciding : neither(a, b);
  };
}

function chainOfThree([first, second, third]: readonly [Step, Step, Step], deciding: boolean): Run {
  const runFirst = first.run;
  const [runSecond, costSecond] = [second.run, second.cost];
  const [runThird, costThird] = [third.run, third.cost];
  return (activation) => {
    const a = runFirst(activation);
    if (a === deciding) return deciding;
    activation.steps -= costSecond;
    const b = runSecond(activation);
    if (b === deciding) return deciding;
    activation.steps -= costThird;
    const c = runThird(activation);
    if (c === deciding) return deciding;
    if (typeof a === "boolean" && typeof b === "boolean" && typeof c === "boolean") return !deciding;
    return neither(neither(a, b), c);
  };
}

// The cost of the first operand is part of the cost of the chain.
function chainOfMany(operands: readonly Step[], deciding: boolean): Run {
  return (activation: Activation) => {
    let undecidedBy: Abnormal | undefined;
    for (let at = 0; at < operands.length; at++) {
      const operand = operands[at];
      if (operand === undefined) break;
      if (at > 0) activation.steps -= operand.cost;
      const term = operand.run(activation);
      if (term === deciding) return deciding;
      if (typeof term !== "boolean") {
        undecidedBy = undecidedBy === undefined ? undecided(term) : worse(undecidedBy, undecided(term));
      }
    }
    return undecidedBy ?? !deciding;
  };
}

// The result of two operands that do not decide, at least one of which is not a boolean.
function neither(a: Term, b: Term): Term {
  if (typeof a === "boolean") return typeof b === "boolean" ? a : undecided(b);
  return typeof b === "boolean" ? undecided(a) : worse(undecided(a), undecided(b));
}
