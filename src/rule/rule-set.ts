// RuleSet: what documents compile to, and the only thing that can be evaluated. Frozen; a reload makes another one.
import type { Predicate } from "../cel/compile-expression.ts";
import type { Environment } from "../cel/environment.ts";
import type { Finding } from "../core/finding.ts";
import type { DecisionIndex } from "./lookup.ts";
import type { RuleAction } from "../core/decision.ts";
import type { RuleEgress } from "../wire/rule-file.ts";

/** A hook as it will be run. */
type EnrichHook = { readonly script: string; readonly timeoutMs: number };

/** One compiled rule. */
export type Rule = {
  readonly id: string;
  readonly file: string;
  /** The line of the file on which the rule's id stands. */
  readonly line: number;
  readonly action: RuleAction;
  /** The condition as written. */
  readonly condition: string;
  /** The condition with every definition in its place. */
  readonly expanded: string;
  /** The canonical text of the expanded condition: equal for conditions that are the same but for spelling. */
  readonly normal: string;
  readonly log: boolean;
  readonly description: string | null;
  readonly priority: number;
  readonly reason: string | null;
  readonly egress: RuleEgress | null;
  /** The time from which on the rule is not in force, as written; null for a rule that does not expire. */
  readonly expires: string | null;
  /** The same time in milliseconds since 1970. */
  readonly expiresMs: number | null;
  readonly enrich: EnrichHook | null;
  readonly predicate: Predicate;
};

/** All rules of a directory, in evaluation order. */
export type RuleSet = {
  readonly rules: readonly Rule[];
  readonly environment: Environment;
  /** What rules out most rules for a request without evaluating them; null: every rule is evaluated. */
  readonly index: DecisionIndex | null;
  /** SHA-256 over everything of the files that bears meaning, 64 hex characters. */
  readonly digest: string;
  readonly files: number;
  readonly warnings: readonly Finding[];
};

/** The same rules without their index: each is evaluated until one decides. */
export function withoutIndex(set: RuleSet): RuleSet {
  return Object.freeze({ ...set, index: null });
}
