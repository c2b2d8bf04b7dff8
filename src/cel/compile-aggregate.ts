// Compiles list and map literals. A literal whose elements are all literals is built once, not for each request.
import { EntryMap, isKey } from "./map-value.ts";
import { allValues, constantStep, type Step, worstOf } from "./steps.ts";
import { fail, NO_VALUE, type Term, typeName, type Value } from "./value.ts";

/** Compiles `[elements]`. */
export function compileList(elements: readonly Step[]): Step {
  const constants = constantsOf(elements);
  if (constants !== undefined) return constantStep(constants);
  return {
    cost: totalCost(elements),
    run: (activation) => {
      const terms = elements.map((element) => element.run(activation));
      return allValues(terms) ? terms : worstOf(terms) ?? NO_VALUE;
    },
  };
}

/** Compiles `{key: value}`. */
export function compileMap(entries: readonly { readonly key: Step; readonly value: Step }[]): Step {
  const keys = entries.map(({ key }) => key);
  const values = entries.map(({ value }) => value);
  const [constantKeys, constantValues] = [constantsOf(keys), constantsOf(values)];
  if (constantKeys !== undefined && constantValues !== undefined) {
    const map = makeMap(constantKeys, constantValues);
    if (map instanceof EntryMap) return constantStep(map);
    return { cost: 1, run: () => map };
  }
  return {
    cost: totalCost(keys) + totalCost(values),
    run: (activation) => {
      const keyTerms = keys.map((key) => key.run(activation));
      const valueTerms = values.map((value) => value.run(activation));
      if (allValues(keyTerms) && allValues(valueTerms)) return makeMap(keyTerms, valueTerms);
      return worstOf([...keyTerms, ...valueTerms]) ?? NO_VALUE;
    },
  };
}

function makeMap(keys: readonly Value[], values: readonly Value[]): Term {
  const map = new EntryMap();
  for (const [index, key] of keys.entries()) {
    if (!isKey(key)) return fail(`${typeName(key)} cannot be a key of a map`);
    if (!map.add(key, values[index] ?? null)) return fail("a map has the same key twice");
  }
  return map;
}

function constantsOf(steps: readonly Step[]): readonly Value[] | undefined {
  const values: Value[] = [];
  for (const { constant } of steps) {
    if (constant === undefined) return undefined;
    values.push(constant);
  }
  return values;
}

function totalCost(steps: readonly Step[]): number {
  return steps.reduce((cost, step) => cost + step.cost, 1);
}
