// Verdict: the part of a decision that the agent learns (S004-FR-007).

/** The answer to a permission request; `matched_rule` is opaque and `reason` is safe to show to the agent. */
export type Verdict = {
  readonly allowed: boolean;
  readonly matched_rule: string | null;
  readonly reason: string | null;
};
