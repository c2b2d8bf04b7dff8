// Text of a compiled program -> the status of each predicate, by the product's own engine. The engine runs the written text.
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

/** The statuses that a program gives each predicate, by index. A correct program gives exactly one. */
export type Findings = ReadonlyMap<number, readonly Status[]>;

/** Parses, checks and runs a program. */
export function runProgram(text: string, limits: EngineLimits): Result<Findings, Problem> {
  const statements = parseProgram(text);
  if (!statements.ok) return statements;
  const checked = checkProgram(statements.value);
  if (!checked.ok) {
    const [first] = checked.error;
    return err(first ?? { code: "datalog.program", message: "the program is malformed" });
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
