// The other engines on the same conditions and the same request. Each is used as its documentation recommends:
// conditions are parsed and prepared once, and the engine is asked for the first condition that holds.
import { celEnv, CelScalar, mapType, parse as parseCel, plan } from "@bufbuild/cel";
import { Environment } from "@marcbachmann/cel-js";
import { evaluate as evaluateTree, parse as parseTree } from "cel-js";
import { REQUEST } from "./workload.ts";

/** An engine with prepared conditions; returns the index of the first condition that holds, or -1. */
export type Prepared = () => number;

// The variables of conditions, as maps with values of any type: none of the other engines has typed namespaces.
const NAMESPACES = ["network", "http", "dns", "docker", "run"] as const;

/** The evaluator of the library that also parses Outcall's conditions. */
export function libraryScan(conditions: readonly string[]): Prepared {
  const environment = new Environment({ unlistedVariablesAreDyn: true });
  for (const name of NAMESPACES) environment.registerVariable(name, "map");
  const parsed = conditions.map((condition) => environment.parse(condition));
  const request = withBigInts();
  return () => parsed.findIndex((condition) => condition(request) === true);
}

/** `@bufbuild/cel`, with planned expressions. */
export function bufbuildScan(conditions: readonly string[]): Prepared {
  const variables = Object.fromEntries(NAMESPACES.map((name) => [name, mapType(CelScalar.STRING, CelScalar.DYN)]));
  const environment = celEnv({ variables });
  const planned = conditions.map((condition) => plan(environment, parseCel(condition)));
  const request = withBigInts();
  return () => planned.findIndex((condition) => condition(request as never) === true);
}

/** `cel-js`, with parsed expressions. It has no string functions, so it gets only the conditions that call none. */
export function chevrotainScan(conditions: readonly string[]): Prepared {
  const parsed = conditions.filter((condition) => !/\.(startsWith|matches)\(/.test(condition)).map((condition) => {
    const result = parseTree(condition);
    if (!result.isSuccess) throw new Error(`${condition}: ${result.errors.join(", ")}`);
    return result.cst;
  });
  return () => parsed.findIndex((condition) => evaluateTree(condition, REQUEST) === true);
}

function withBigInts(): Record<string, unknown> {
  const whole = (value: unknown): unknown => {
    if (typeof value === "number") return BigInt(value);
    if (Array.isArray(value)) return value.map(whole);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, whole(each)]));
  };
  return whole(REQUEST) as Record<string, unknown>;
}
