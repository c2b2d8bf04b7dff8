// Programs for tests of the engine: text in, what holds out.
import { checkProgram } from "../../../src/datalog/check-program.ts";
import { type EngineLimits, evaluateProgram, type Model } from "../../../src/datalog/fixed-point.ts";
import { parseProgram } from "../../../src/datalog/parse-program.ts";

/** More than any test takes. */
export const AMPLE: EngineLimits = { facts: 10_000_000, steps: 100_000_000 };

/** The code of what keeps a program from being evaluated, or undefined. */
export function refusalOf(text: string): { readonly code: string; readonly message: string } | undefined {
  const statements = parseProgram(text);
  if (!statements.ok) return statements.error;
  const checked = checkProgram(statements.value);
  return checked.ok ? undefined : checked.error[0];
}

/** Evaluates a program that is in order. */
export function modelOf(text: string, limits = AMPLE): Model {
  const statements = parseProgram(text);
  if (!statements.ok) throw new Error(statements.error.message);
  const checked = checkProgram(statements.value);
  if (!checked.ok) throw new Error(checked.error[0]?.message);
  const model = evaluateProgram(checked.value, limits);
  if (!model.ok) throw new Error(model.error.message);
  return model.value;
}

/** What holds of one relation, as sorted texts such as `1,2`. */
export function tuplesOf(text: string, relation: string): readonly string[] {
  return modelOf(text).tuples(relation).map((tuple) => tuple.join(",")).sort();
}
