// Request body -> submission in one of three forms (S004-FR-011, S003-IF-006), and the digest of its text.
import { createHash } from "node:crypto";
import { type Problem, problem } from "../core/problem.ts";
import { err, ok, type Result } from "../core/result.ts";
import type { AccessRequestBody, RuleRequestBody } from "../wire/request-agent.ts";
import type { Submission } from "../wire/stored-request.ts";

/** The submission in a body that holds a whole rule file or the members of one rule. */
export function ruleSubmission(body: RuleRequestBody): Result<Submission, Problem> {
  const { rule_file: ruleFile, description, condition, action } = body;
  const members = Object.entries({ description, condition, action });
  if (ruleFile !== undefined) {
    const other = members.find(([, value]) => value !== undefined);
    if (other === undefined) return ok({ form: "file", ruleFile });
    return err(invalid(`"rule_file" and "${other[0]}" exclude each other`));
  }
  if (description !== undefined && condition !== undefined && action !== undefined) {
    return ok({ form: "rule", description, condition, action });
  }
  const missing = members.find(([, value]) => value === undefined)?.[0] ?? "rule_file";
  const isEmpty = members.every(([, value]) => value === undefined);
  return err(invalid(`missing member ${isEmpty ? '"rule_file"' : `"${missing}"`}`));
}

/** The submission in a body that describes the wanted access in words. */
export function accessSubmission(body: AccessRequestBody): Submission {
  const { description, requested_access: requestedAccess, suggested_condition: suggestedCondition = null } = body;
  return { form: "access", description, requestedAccess, suggestedCondition };
}

/** The texts of a submission, as they were sent. */
export function textsOf(submission: Submission): readonly string[] {
  switch (submission.form) {
    case "file":
      return [submission.ruleFile];
    case "rule":
      return [submission.description, submission.condition, submission.action];
    case "access":
      return [submission.description, submission.requestedAccess, submission.suggestedCondition ?? ""];
  }
}

/** A digest that is equal for two submissions of the same form with the same texts. */
export function digestOfSubmission(submission: Submission): string {
  const given = [submission.form, ...textsOf(submission)];
  return createHash("sha256").update(JSON.stringify(given)).digest("hex");
}

function invalid(message: string): Problem {
  return problem("daemon.invalid-request", `invalid request: ${message}`);
}
