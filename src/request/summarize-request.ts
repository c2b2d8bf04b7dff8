// Submission -> the members that lists of requests show (S003-IF-007).
import type { RuleRequest, Submission } from "../wire/stored-request.ts";
import type { RequestedRule } from "./analyze-submission.ts";

/** The listed members that come from the agent. */
export type RequestSummary = Pick<RuleRequest, "description" | "requestedAccess" | "suggestedCondition">;

/** Summarizes a submission and its rules. */
export function summarize(submission: Submission, rules: readonly RequestedRule[]): RequestSummary {
  switch (submission.form) {
    case "access": {
      const { description, requestedAccess, suggestedCondition } = submission;
      return { description, requestedAccess, suggestedCondition };
    }
    case "rule": {
      const { description, condition, action } = submission;
      return { description, requestedAccess: action, suggestedCondition: condition };
    }
    case "file": {
      const described = rules.flatMap(({ description }) => (description === null ? [] : [description]));
      const names = rules.map(({ id, action }) => `${action} ${id ?? ""}`).join(", ");
      const [only] = rules.length === 1 ? rules : [];
      return {
        description: described.length > 0 ? described.join("; ") : names,
        requestedAccess: names,
        suggestedCondition: only?.written ?? null,
      };
    }
  }
}
