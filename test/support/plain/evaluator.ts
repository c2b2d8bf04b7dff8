// A slow, simple evaluator of conditions, written from the specification only. It walks the syntax tree and looks up
// every name. Tests compare its results with those of the compiled engine.
import type { Tree } from "../../../src/cel/tree.ts";
import { type Context, NAMESPACES, VARIABLES } from "../../../src/core/context.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../src/core/json.ts";
import { arithmetic, callFunction } from "./functions.ts";
import {
  bool,
  double,
  equal,
  ERROR,
  fromJson,
  hasOrder,
  int,
  isKey,
  isValue,
  list,
  NONE,
  order,
  type Plain,
  type PlainEntry,
  string,
  valueOf,
  worst,
} from "./value.ts";

/** The request that a condition is evaluated on. */
export type PlainRequest = {
  readonly context: Context;
  /** The merged output of the hooks, or that one of them failed. */
  readonly enriched: JsonObject | "failed";
};

type Locals = ReadonlyMap<string, Plain>;

/** The value of a tree for a request. */
export function evaluatePlain(tree: Tree, request: PlainRequest, locals: Locals = new Map()): Plain {
  const inner = (part: Tree): Plain => evaluatePlain(part, request, locals);
  switch (tree.kind) {
    case "literal":
      return literal(tree.value);
    case "name":
      return name(tree.name, request, locals);
    case "reference":
      return ERROR;
    case "select": {
      const field = namespaceField(tree, locals);
      if (field !== undefined) return fieldValue(field, request);
      const type = dottedName(tree);
      if (type === TIMESTAMP || type === DURATION) return { is: "type", name: type };
      return strict([inner(tree.operand)], ([map]) => keyOf(map, string(tree.field)) ?? ERROR);
    }
    case "has": {
      const field = namespaceField(tree, locals);
      if (field !== undefined) return isGiven(field, request);
      return strict([inner(tree.operand)], ([map]) => {
        return map?.is === "map" ? bool(valueOf(map.entries, string(tree.field)) !== undefined) : ERROR;
      });
    }
    case "index":
      return strict([inner(tree.operand), inner(tree.index)], ([container, at]) => element(container, at));
    case "call":
      return strict([...(tree.receiver === null ? [] : [tree.receiver]), ...tree.args].map(inner), (values) => {
        return callFunction(tree.name, values);
      });
    case "unary":
      return tree.operator === "!"
        ? not(inner(tree.operand))
        : strict([inner(tree.operand)], ([value]) => minus(value));
    case "binary":
      return strict([inner(tree.left), inner(tree.right)], ([a = ERROR, b = ERROR]) => binary(tree.operator, a, b));
    case "logical":
      return decide(tree.operands.map(inner), tree.operator === "||");
    case "conditional": {
      const condition = inner(tree.condition);
      if (condition.is === "bool") return inner(condition.bool ? tree.then : tree.otherwise);
      return condition.is === "none" ? NONE : ERROR;
    }
    case "list":
      return strict(tree.elements.map(inner), (items) => list(items));
    case "map": {
      const keys = tree.entries.map(({ key }) => inner(key));
      const values = tree.entries.map(({ value }) => inner(value));
      return strict([...keys, ...values], () => makeMap(keys.map((key, at) => ({ key, value: values[at] ?? ERROR }))));
    }
    case "comprehension":
      return strict([inner(tree.range)], ([range = ERROR]) => {
        const elements = range.is === "map"
          ? range.entries.map(({ key }) => key)
          : range.is === "list"
          ? range.items
          : null;
        if (elements === null) return ERROR;
        const at = (part: Tree | null, element: Plain): Plain =>
          part === null ? bool(true) : evaluatePlain(part, request, new Map([...locals, [tree.variable, element]]));
        const chosen = elements.map((element) => asBool(at(tree.predicate, element)));
        if (tree.macro === "all") return decide(chosen, false);
        if (tree.macro === "exists") return decide(chosen, true);
        const made = elements.map((element, index) => {
          const choice = chosen[index] ?? ERROR;
          if (!isTrue(choice)) return choice;
          return tree.transform === null ? element : at(tree.transform, element);
        });
        const used = made.filter((_, index) => !isFalse(chosen[index] ?? ERROR));
        return strict(used, (items) => (tree.macro === "exists_one" ? bool(items.length === 1) : list(items)));
      });
  }
}

// For operators that need all operands: an error wins over no value.
function strict(terms: readonly Plain[], apply: (values: readonly Plain[]) => Plain): Plain {
  return terms.every(isValue) ? apply(terms) : worst(terms);
}

/** `||` (deps: true) and `&&` (deps: false): one operand that decides is enough, whatever the others are. */
function decide(terms: readonly Plain[], deps: boolean): Plain {
  const bools = terms.map(asBool);
  if (bools.some((term) => term.is === "bool" && term.bool === deps)) return bool(deps);
  return strict(bools, () => bool(!deps));
}

function asBool(term: Plain): Plain {
  return term.is === "bool" || term.is === "none" ? term : ERROR;
}

function isTrue(term: Plain): boolean {
  return term.is === "bool" && term.bool;
}

function isFalse(term: Plain): boolean {
  return term.is === "bool" && !term.bool;
}

function not(term: Plain): Plain {
  return term.is === "bool" ? bool(!term.bool) : asBool(term);
}

function minus(value: Plain | undefined): Plain {
  if (value?.is === "int") return int(-value.int);
  return value?.is === "double" ? double(-value.double) : ERROR;
}

function binary(operator: string, a: Plain, b: Plain): Plain {
  switch (operator) {
    case "==":
      return bool(equal(a, b));
    case "!=":
      return bool(!equal(a, b));
    case "in":
      if (b.is === "list") return bool(b.items.some((item) => equal(item, a)));
      if (b.is !== "map" || !(isKey(a) || a.is === "double")) return ERROR;
      return bool(valueOf(b.entries, a) !== undefined);
    case "<":
      return hasOrder(a, b) ? bool(order(a, b) === -1) : ERROR;
    case "<=":
      return hasOrder(a, b) ? bool(order(a, b) === -1 || order(a, b) === 0) : ERROR;
    case ">":
      return hasOrder(a, b) ? bool(order(a, b) === 1) : ERROR;
    case ">=":
      return hasOrder(a, b) ? bool(order(a, b) === 1 || order(a, b) === 0) : ERROR;
    default:
      return arithmetic(operator, a, b);
  }
}

function element(container: Plain | undefined, at: Plain | undefined): Plain {
  if (at === undefined) return ERROR;
  if (container?.is === "map") return valueOf(container.entries, at) ?? ERROR;
  if (container?.is !== "list") return ERROR;
  const place = container.items.findIndex((_, index) => equal(at, int(BigInt(index))));
  return container.items[place] ?? ERROR;
}

function keyOf(map: Plain | undefined, key: Plain): Plain | undefined {
  return map?.is === "map" ? valueOf(map.entries, key) : undefined;
}

function makeMap(entries: readonly PlainEntry[]): Plain {
  const repeated = entries.some(({ key }, at) => entries.findIndex((other) => equal(other.key, key)) !== at);
  return repeated || !entries.every(({ key }) => isKey(key)) ? ERROR : { is: "map", entries };
}

const TIMESTAMP = "google.protobuf.Timestamp";
const DURATION = "google.protobuf.Duration";
const TYPES = ["bool", "bytes", "double", "int", "list", "map", "null_type", "string", "type", "uint"];

function name(text: string, { context, enriched }: PlainRequest, locals: Locals): Plain {
  const local = locals.get(text);
  if (local !== undefined) return local;
  if (text === "enriched") return enriched === "failed" ? ERROR : fromJson(enriched);
  if (text === "observed") return bool(context.observed ?? false);
  if (text === "action_type" || text === "target" || text === "metadata") {
    const value = context[text];
    return value === undefined ? NONE : fromJson(value);
  }
  return TYPES.includes(text) ? { is: "type", name: text } : ERROR;
}

type Field = { readonly namespace: string; readonly field: string };

function namespaceField(tree: Extract<Tree, { kind: "select" | "has" }>, locals: Locals): Field | undefined {
  const { operand, field } = tree;
  if (operand.kind !== "name" || locals.has(operand.name) || operand.name in VARIABLES) return undefined;
  return operand.name in NAMESPACES ? { namespace: operand.name, field } : undefined;
}

function dottedName(tree: Tree): string {
  if (tree.kind === "name") return tree.name;
  return tree.kind === "select" ? `${dottedName(tree.operand)}.${tree.field}` : "";
}

function fieldValue({ namespace, field }: Field, { context, enriched }: PlainRequest): Plain {
  if (isHooks({ namespace, field }) && enriched === "failed") return ERROR;
  const members = membersOf(context, namespace);
  if (members === undefined) return NONE;
  const given: Json | undefined = Object.entries(members).find(([key]) => key === field)?.[1];
  if (given !== undefined) return fromJson(given);
  const types: Readonly<Record<string, string>> = Object.entries(NAMESPACES).find(([key]) => key === namespace)?.[1] ??
    {};
  return zero(types[field] ?? "");
}

function membersOf(context: JsonObject, namespace: string): JsonObject | undefined {
  const members: Json | undefined = Object.entries(context).find(([key]) => key === namespace)?.[1];
  return isJsonObject(members) ? members : undefined;
}

function isGiven({ namespace, field }: Field, { context, enriched }: PlainRequest): Plain {
  if (isHooks({ namespace, field }) && enriched === "failed") return ERROR;
  const members = membersOf(context, namespace);
  return bool(
    members !== undefined && Object.entries(members).some(([key, value]) => key === field && value !== undefined),
  );
}

function isHooks({ namespace, field }: Field): boolean {
  return namespace === "run" && field === "context";
}

function zero(type: string): Plain {
  if (type === "string") return string("");
  if (type === "int") return int(0n);
  if (type === "bool") return bool(false);
  return type.startsWith("list") ? list([]) : { is: "map", entries: [] };
}

function literal(value: Extract<Tree, { kind: "literal" }>["value"]): Plain {
  switch (typeof value) {
    case "boolean":
      return bool(value);
    case "bigint":
      return int(value);
    case "number":
      return double(value);
    case "string":
      return string(value);
    case "object":
      break;
  }
  if (value === null) return { is: "null" };
  return value instanceof Uint8Array ? { is: "bytes", bytes: [...value] } : { is: "uint", int: value.value };
}
