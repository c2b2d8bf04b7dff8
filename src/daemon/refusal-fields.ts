// Problem -> the fields of the record about a refusal. What must not be in an answer, the pid above all, is here alone.
import { meaningOf, type Problem } from "../core/problem.ts";
import type { LogFields } from "./log.ts";

/** Code, status, message, and whatever plain facts the cause holds. */
export function refusalFields(found: Problem): LogFields {
  const { status, seed } = meaningOf(found.code);
  return { code: found.code, seed, status, reason: found.message, ...causeFields(found.cause) };
}

const FACTS = ["pid", "uid", "detail"] as const;

function causeFields(cause: unknown): LogFields {
  if (typeof cause !== "object" || cause === null) return {};
  const fields: Record<string, string | number> = {};
  for (const name of FACTS) {
    const value: unknown = Reflect.get(cause, name);
    if (typeof value === "string" || typeof value === "number") fields[name] = value;
  }
  return fields;
}
