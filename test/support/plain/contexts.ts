// Random requests: namespaces and fields may be missing, values are those that conditions test for, maps lack some
// keys, and undeclared values sometimes have the wrong type.
import { type Context, type FieldType, NAMESPACES } from "../../../src/core/context.ts";
import type { Json, JsonObject } from "../../../src/core/json.ts";
import type { Random } from "../random.ts";

/** The strings that requests and conditions share; there are few, so that they often match. */
export const WORDS = ["", "a", "b", "ab", "k", "-f", "GET", "1", "/v1/users/42", "x😀é", " a ", "10.0.0.1", "fd00::/8"];

/** The integers that requests and conditions share. */
export const NUMBERS = [0, 1, 2, 3, 7, 443];

/** The keys of maps; no request has the last one. */
export const KEYS = ["k", "a", "b", "nope"];

const VALUES: readonly Json[] = [true, false, null, 0.5, -3, 2 ** 53 - 1, [], ["a", 1], {}, { k: "a" }, {
  k: { a: true },
}];

/** A random request. */
export function randomContext(random: Random): Context {
  const often = (percent: number): boolean => random.below(100) < percent;
  const present = 25 + 25 * random.below(4);
  const context: Record<string, Json> = {};
  for (const [name, types] of Object.entries(NAMESPACES)) {
    if (!often(present)) continue;
    const fields = Object.entries<FieldType>(types).filter(() => often(75));
    context[name] = Object.fromEntries(fields.map(([field, type]) => [field, randomField(random, type)]));
  }
  if (often(present)) context["action_type"] = random.pick(WORDS);
  if (often(present)) context["target"] = random.pick(WORDS);
  if (often(present)) context["metadata"] = randomObject(random);
  return context;
}

/** A random object with a few of the shared keys, such as hooks print and requests contain. */
export function randomObject(random: Random): JsonObject {
  const keys = KEYS.slice(0, -1).filter(() => random.below(2) === 0);
  return Object.fromEntries(keys.map((key) => [key, randomValue(random)]));
}

function randomValue(random: Random): Json {
  const kind = random.below(3);
  return kind === 0 ? random.pick(WORDS) : kind === 1 ? random.pick(NUMBERS) : random.pick(VALUES);
}

function randomField(random: Random, type: FieldType): Json {
  switch (type) {
    case "string":
      return random.pick(WORDS);
    case "int":
      return random.pick(NUMBERS);
    case "bool":
      return random.below(2) === 0;
    case "list<string>":
      return Array.from({ length: random.below(4) }, () => random.pick(WORDS));
    case "map<string, string>": {
      const keys = KEYS.slice(0, -1).filter(() => random.below(2) === 0);
      return Object.fromEntries(keys.map((key) => [key, random.pick(WORDS)]));
    }
    case "map<string, dyn>":
      return randomObject(random);
  }
}
