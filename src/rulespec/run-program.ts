// Text of a compiled program -> what the product's own engine finds of each predicate. What was written is what is run.
import { checkProgram } from "../datalog/check-program.ts";
import { type EngineLimits, evaluateProgram, type Model } from "../datalog/fixed-point.ts";
import { parseProgram } from "../datalog/parse-program.ts";
import type { Problem } from "../core/problem.ts";
import { err, ok, type Result } from "../core/result.ts";
import type { Status } from "./predicate-answer.ts";

/** The relation of each status. */
export const STATUS_RELATIONS: Readonly<Record<Status, string>> = {
  pass: "pred_pass",
  fail: "pred_fail",
  skip: "pred_skip",
};

/** Every status that a program gives a predicate, by its index; in order it is one for each. */
export type Findings = ReadonlyMap<number, readonly Status[]>;

/** Parses, checks and runs a program. */
export function runProgram(text: string, limits: EngineLimits): Result<Findings, Problem> {
  const statements = parseProgram(text);
  if (!statements.ok) return statements;
  const checked = checkProgram(statements.value);
  if (!checked.ok) {
    const [first] = checked.error;
    return err(first ?? { code: "datalog.program", message: "the program is not in order" });
  }
  const model = evaluateProgram(checked.value, limits);
  return model.ok ? ok(readFindings(model.value)) : model;
}

function readFindings(model: Model): Findings {
  const findings = new Map<number, Status[]>();
  for (const status of ["pass", "fail", "skip"] as const) {
    for (const [index] of model.tuples(STATUS_RELATIONS[status])) {
      const known = findings.get(Number(index)) ?? [];
      known.push(status);
      findings.set(Number(index), known);
    }
  }
  return findings;
}
