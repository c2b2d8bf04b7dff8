// Compiles everything that reads a value: names, fields, keys, indexes, `in` and `has()`.
import { quote } from "../core/quote.ts";
import type { Activation } from "./activation.ts";
import { OVER_STEPS } from "./arithmetic.ts";
import { equals } from "./equality.ts";
import { isKey } from "./map-value.ts";
import { type Step, strictPair, strictStep } from "./steps.ts";
import { Abnormal, fail, isList, MapValue, NO_VALUE, type Term, typeName, Uint, type Value } from "./value.ts";

/** Compiles a step that reads a slot. */
export function compileSlot(index: number): Step {
  return {
    cost: 1,
    slot: index,
    run: ({ slots }) => {
      const term = slots[index];
      return term === undefined ? NO_VALUE : term;
    },
  };
}

/** Compiles the variable of a comprehension. */
export function compileLocal(index: number): Step {
  return { cost: 1, local: index, run: ({ locals }) => locals[index] ?? null };
}

/** Compiles `has(namespace.field)`. */
export function compileGiven(index: number): Step {
  return { cost: 1, run: ({ given }) => given[index] ?? false };
}

/** Compiles `operand.field` if the operand is not a namespace. */
export function compileSelect(operand: Step, field: string): Step {
  const missing = noSuchKey(field);
  return strictStep(operand, (value) => {
    if (!(value instanceof MapValue)) return fail(`${typeName(value)} has no fields`);
    const found = value.get(field);
    return found === undefined ? missing : found;
  });
}

/** Compiles `has(operand.field)` if the operand is not a namespace. */
export function compileHas(operand: Step, field: string): Step {
  return strictStep(operand, (value) => {
    if (!(value instanceof MapValue)) return fail(`${typeName(value)} has no fields`);
    return value.get(field) !== undefined;
  });
}

/** Compiles `operand[index]`. */
export function compileIndex(operand: Step, index: Step): Step {
  if (typeof index.constant === "string") return withCost(compileKey(operand, index.constant), index);
  return strictPair(operand, index, (value, at) => {
    if (isList(value)) return elementAt(value, at);
    if (!(value instanceof MapValue)) return fail(`${typeName(value)} has no elements`);
    const found = value.get(at);
    return found === undefined ? noSuchKey(at) : found;
  });
}

/** Compiles `element in container`. A literal list of strings and ints becomes a set, so it is not searched. */
export function compileIn(element: Step, container: Step): Step {
  if (typeof element.constant === "string") return withCost(compileTextIn(element.constant, container), element);
  const list = container.constant;
  const literals = list === undefined ? undefined : literalSet(list);
  if (list === undefined || literals === undefined) return strictPair(element, container, isIn);
  const found = strictStep(element, (value, activation) => {
    return typeof value === "string" || typeof value === "bigint" ? literals.has(value) : isIn(value, list, activation);
  });
  return withCost(found, container);
}

function compileKey(operand: Step, key: string): Step {
  const { run } = operand;
  const missing = noSuchKey(key);
  return {
    cost: 1 + operand.cost,
    run: (activation) => {
      const term = run(activation);
      if (term instanceof MapValue) {
        const found = term.get(key);
        return found === undefined ? missing : found;
      }
      if (term instanceof Abnormal) return term;
      return isList(term) ? elementAt(term, key) : fail(`${typeName(term)} has no elements`);
    },
  };
}

function compileTextIn(text: string, container: Step): Step {
  const { run } = container;
  return {
    cost: 1 + container.cost,
    run: (activation) => {
      const term = run(activation);
      if (term instanceof MapValue) return term.get(text) !== undefined;
      return term instanceof Abnormal ? term : isIn(text, term, activation);
    },
  };
}

function withCost(step: Step, constant: Step): Step {
  return { ...step, cost: step.cost + constant.cost };
}

function isIn(value: Value, container: Value, activation: Activation): Term {
  if (container instanceof MapValue) {
    const possible = isKey(value) || typeof value === "number";
    return possible ? container.get(value) !== undefined : fail(`${typeName(value)} cannot be a key of a map`);
  }
  if (!isList(container)) return fail(`${typeName(container)} has no elements`);
  for (let at = 0; at < container.length; at++) {
    if (--activation.steps < 0) return OVER_STEPS;
    if (equals(container[at] ?? null, value, activation)) return true;
  }
  return false;
}

function literalSet(list: Value): ReadonlySet<Value> | undefined {
  if (!isList(list)) return undefined;
  const plain = list.every((element) => typeof element === "string" || typeof element === "bigint");
  return plain ? new Set(list) : undefined;
}

function elementAt(list: readonly Value[], index: Value): Term {
  const at = index instanceof Uint ? index.value : index;
  if (typeof at !== "bigint" && !(typeof at === "number" && Number.isInteger(at))) {
    return fail(`${typeName(index)} cannot be an index`);
  }
  const element = at >= 0 && at < list.length ? list[Number(at)] : undefined;
  return element === undefined ? fail(`index out of range: ${at}`) : element;
}

function noSuchKey(key: Value): Abnormal {
  if (typeof key !== "string") return fail(`no such key: ${typeName(key)}`);
  const foreign = quote(key, 64);
  return fail(`no such key: ${foreign}`, foreign);
}
