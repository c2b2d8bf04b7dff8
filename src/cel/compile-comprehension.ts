// Compiles the macros `all`, `exists`, `exists_one`, `filter` and `map` over lists and the keys of maps. `all` and `exists`
// absorb failures as `&&` and `||` do; the other macros need a value for every element. Each element is charged before it
// is evaluated. The loop ends when the steps are spent: the condition has then failed, whatever the loop returns.
import type { Activation } from "./activation.ts";
import { OVER_STEPS } from "./arithmetic.ts";
import { type Step, strictStep, undecided } from "./steps.ts";
import { Abnormal, fail, isList, type ListValue, MapValue, type Term, typeName, type Value, worse } from "./value.ts";

/** The compiled parts of a comprehension; `local` is the number of its variable. */
export type ComprehensionParts = {
  readonly range: Step;
  readonly local: number;
  readonly predicate: Step | null;
  readonly transform: Step | null;
};

/** Compiles `all` (the deciding value is false) and `exists` (the deciding value is true). */
export function compileQuantifier(parts: ComprehensionParts, predicate: Step, deciding: boolean): Step {
  const { local } = parts;
  const { run } = predicate;
  const cost = 1 + predicate.cost;
  const text = deciding && predicate.localEquals?.local === local ? predicate.localEquals.text : undefined;
  if (text !== undefined) return compileExistsText(parts, text, cost);
  return overElements(parts, (elements, activation) => {
    let worst: Abnormal | undefined;
    for (let at = 0; at < elements.length; at++) {
      if ((activation.steps -= cost) < 0) return OVER_STEPS;
      activation.locals[local] = elements[at] ?? null;
      const term = run(activation);
      if (term === deciding) return deciding;
      if (typeof term !== "boolean") worst = worst === undefined ? undecided(term) : worse(worst, undecided(term));
    }
    return worst ?? !deciding;
  });
}

// `list.exists(x, x == "literal")`, without a closure for each element: a string equals only itself.
function compileExistsText(parts: ComprehensionParts, text: string, cost: number): Step {
  return overElements(parts, (elements, activation) => {
    for (let at = 0; at < elements.length; at++) {
      if ((activation.steps -= cost) < 0) return OVER_STEPS;
      if (elements[at] === text) return true;
    }
    return false;
  });
}

/** Compiles `exists_one`. */
export function compileExistsOne(parts: ComprehensionParts): Step {
  return strictStep(compileSelection(parts), (selected) => isList(selected) && selected.length === 1);
}

/** Compiles `filter` and `map`. */
export function compileSelection(parts: ComprehensionParts): Step {
  const { local, predicate, transform } = parts;
  const cost = 1 + (predicate?.cost ?? 0);
  return overElements(parts, (elements, activation) => {
    const selected: Value[] = [];
    let worst: Abnormal | undefined;
    for (let at = 0; at < elements.length; at++) {
      if ((activation.steps -= cost) < 0) return OVER_STEPS;
      const element = elements[at] ?? null;
      activation.locals[local] = element;
      const chosen = predicate === null ? true : predicate.run(activation);
      if (chosen === false) continue;
      const term = chosen === true ? transformed(element, transform, activation) : undecided(chosen);
      if (term instanceof Abnormal) worst = worst === undefined ? term : worse(worst, term);
      else selected.push(term);
    }
    return worst ?? selected;
  });
}

function transformed(element: Value, transform: Step | null, activation: Activation): Term {
  if (transform === null) return element;
  activation.steps -= transform.cost;
  return transform.run(activation);
}

function overElements(
  { range }: ComprehensionParts,
  body: (elements: ListValue, activation: Activation) => Term,
): Step {
  return strictStep(range, (value, activation) => {
    if (isList(value)) return body(value, activation);
    if (value instanceof MapValue) return body(value.keys(), activation);
    return fail(`${typeName(value)} has no elements`);
  });
}
