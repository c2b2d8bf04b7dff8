// Datalog programs for tests of the engine: text in, derived facts out.
import { checkProgram } from "../../../src/datalog/check-program.ts";
import { type EngineLimits, evaluateProgram, type Model } from "../../../src/datalog/fixed-point.ts";
import { parseProgram } from "../../../src/datalog/parse-program.ts";

/** Limits that no test reaches. */
export const AMPLE: EngineLimits = { facts: 10_000_000, steps: 100_000_000 };

/** The code of the error that keeps a program from being evaluated, or undefined. */
export function refusalOf(text: string): { readonly code: string; readonly message: string } | undefined {
  const statements = parseProgram(text);
  if (!statements.ok) return statements.error;
  const checked = checkProgram(statements.value);
  return checked.ok ? undefined : checked.error[0];
}

/** Evaluates a valid program. */
export function modelOf(text: string, limits = AMPLE): Model {
  const statements = parseProgram(text);
  if (!statements.ok) throw new Error(statements.error.message);
  const checked = checkProgram(statements.value);
  if (!checked.ok) throw new Error(checked.error[0]?.message);
  const model = evaluateProgram(checked.value, limits);
  if (!model.ok) throw new Error(model.error.message);
  return model.value;
}

/** The tuples of a relation, as sorted texts such as `1,2`. */
export function tuplesOf(text: string, relation: string): readonly string[] {
  return modelOf(text).tuples(relation).map((tuple) => tuple.join(",")).sort();
}
