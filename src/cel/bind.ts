// Context -> Activation: puts the values of a request into the slots of the environment. A field that a present namespace
// leaves out has its zero value; fields of an absent namespace have no value (S003-EC-002). JSON is not copied: lists of
// strings are used directly, and maps are converted when a condition reads them.
import { ALWAYS_GIVEN, type Context } from "../core/context.ts";
import type { Json, JsonObject } from "../core/json.ts";
import { type Activation, createActivation } from "./activation.ts";
import type { DeclaredType, Environment } from "./environment.ts";
import { fromJson, JsonMap } from "./map-value.ts";
import { type Abnormal, fail, NO_VALUE, type Term, type Value } from "./value.ts";

/**
 * Binds a request. `enriched` holds the merged output of the hooks so far, which the caller has also merged into
 * `run.context`. It is "failed" after a hook failed: every use of `enriched` and `run.context` then fails, also in `has()`
 * and `in`.
 */
export function bind(environment: Environment, context: Context, enriched: JsonObject | "failed"): Activation {
  const slots: Term[] = new Array(environment.size).fill(NO_VALUE);
  const given: (boolean | Abnormal)[] = new Array(environment.size).fill(false);
  const members: Members = context;
  for (const [name, { fields }] of environment.namespaces) {
    const namespace = members[name];
    if (!isMembers(namespace)) continue;
    for (const [field, slot] of fields) {
      const json = namespace[field];
      given[slot.index] = json !== undefined;
      slots[slot.index] = json === undefined ? ZERO[slot.type] : valueOf(json);
    }
  }
  for (const [name, slot] of environment.variables) {
    const json = members[name];
    if (json === undefined && !ALWAYS_GIVEN.has(name)) continue;
    given[slot.index] = true;
    slots[slot.index] = json === undefined ? ZERO[slot.type] : valueOf(json);
  }
  bindEnriched(environment, enriched, { slots, given });
  return createActivation(slots, given, environment.zones);
}

/** Binds variables to the given values, for tools and tests; all other variables have no value. */
export function bindValues(environment: Environment, values: ReadonlyMap<string, Value>): Activation {
  const slots: Term[] = new Array(environment.size).fill(NO_VALUE);
  const given: boolean[] = new Array(environment.size).fill(false);
  for (const [name, value] of values) {
    const slot = environment.variables.get(name);
    if (slot === undefined) continue;
    slots[slot.index] = value;
    given[slot.index] = true;
  }
  return createActivation(slots, given, environment.zones);
}

type Members = { readonly [name: string]: Json | undefined };

const ZERO: Readonly<Record<DeclaredType, Value>> = {
  string: "",
  int: 0n,
  bool: false,
  "list<string>": Object.freeze([]),
  "map<string, string>": new JsonMap({}),
  "map<string, dyn>": new JsonMap({}),
  dyn: null,
};

const HOOK_FAILED = fail("a hook failed");

function bindEnriched(
  { namespaces, variables }: Environment,
  enriched: JsonObject | "failed",
  { slots, given }: { readonly slots: Term[]; readonly given: (boolean | Abnormal)[] },
): void {
  const failed = enriched === "failed";
  const slot = variables.get("enriched");
  if (slot !== undefined) {
    slots[slot.index] = failed ? HOOK_FAILED : new JsonMap(enriched);
    given[slot.index] = failed ? HOOK_FAILED : true;
  }
  const runContext = namespaces.get("run")?.fields.get("context");
  if (runContext === undefined || !failed) return;
  slots[runContext.index] = HOOK_FAILED;
  given[runContext.index] = HOOK_FAILED;
}

function valueOf(json: Json): Value {
  if (typeof json === "string" || typeof json === "boolean") return json;
  return isTextList(json) ? json : fromJson(json);
}

function isTextList(json: Json): json is readonly string[] {
  return Array.isArray(json) && json.every((element) => typeof element === "string");
}

function isMembers(json: Json | undefined): json is JsonObject {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}
