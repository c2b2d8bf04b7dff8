// Decision: the outcome of the rules for a context (S003-FR-019), as the host sees it.

/** The effect of a rule when its condition matches. */
export type RuleAction = "allow" | "block" | "enrich";

/** The possible decisions about a request. */
export const DECISIONS = ["allow", "block"] as const;

/** The outcome of one evaluation: `matched_rule` and `file` are null when the default block decided. */
export type Decision = {
  readonly decision: (typeof DECISIONS)[number];
  readonly matched_rule: string | null;
  readonly file: string | null;
  readonly logged: boolean;
};

/** The rule id of the default block in records. Rules cannot have this id. */
export const DEFAULT_BLOCK = "default-block";
