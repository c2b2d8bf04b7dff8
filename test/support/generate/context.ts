// Random contexts: any namespaces with any of their members, with values that generated conditions use and others.
import { type Context, type FieldType, NAMESPACES } from "../../../src/core/context.ts";
import type { Json, JsonObject } from "../../../src/core/json.ts";
import { INTS, KEYS, TEXTS } from "./words.ts";
import type { Random } from "../random.ts";

/** A context; each namespace and each member may be missing. */
export function generateContext(random: Random): Context {
  const presence = random.pick([2, 5, 8]);
  const has = (): boolean => random.below(10) < presence;
  const members: [string, Json][] = [];
  for (const [namespace, fields] of Object.entries(NAMESPACES)) {
    if (!has()) continue;
    const entries = Object.entries(fields).filter(() => random.below(10) < 8);
    members.push([
      namespace,
      Object.fromEntries(entries.map(([field, type]) => [field, fieldOf(type, field, random)])),
    ]);
  }
  if (has()) members.push(["action_type", random.pick(["tool_exec", "network_call", "a"])]);
  if (has()) members.push(["target", random.pick(TEXTS)]);
  if (has()) members.push(["metadata", generateMap(random, 2)]);
  const context: Context = Object.fromEntries(members);
  return context;
}

function fieldOf(type: FieldType, field: string, random: Random): Json {
  switch (type) {
    case "string":
      return random.pick(TEXTS);
    case "int":
      return Math.min(Math.abs(random.pick(INTS)), field === "port" ? 65_535 : Number.MAX_SAFE_INTEGER);
    case "bool":
      return random.below(2) === 0;
    case "list<string>":
      return Array.from({ length: random.below(4) }, () => random.pick(TEXTS));
    case "map<string, string>":
      return Object.fromEntries(Array.from({ length: random.below(5) }, () => [random.pick(KEYS), random.pick(TEXTS)]));
    case "map<string, dyn>":
      return generateMap(random, 2);
  }
}

/** A map from keys to arbitrary JSON. */
export function generateMap(random: Random, depth: number): JsonObject {
  const entries = Array.from(
    { length: random.below(6) },
    () => [random.pick(KEYS), generateJson(random, depth)] as const,
  );
  return Object.fromEntries(entries);
}

function generateJson(random: Random, depth: number): Json {
  switch (random.below(depth > 0 ? 9 : 7)) {
    case 0:
      return null;
    case 1:
    case 2:
      return random.below(2) === 0;
    case 3:
      return random.pick(INTS);
    case 4:
      return random.pick([0.5, -2.25, 1.5e-7, 443.5, -0]);
    case 5:
    case 6:
      return random.pick(TEXTS);
    case 7:
      return Array.from({ length: random.below(4) }, () => generateJson(random, depth - 1));
    default:
      return generateMap(random, depth - 1);
  }
}
