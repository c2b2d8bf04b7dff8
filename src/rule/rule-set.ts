// A rule set: the compiled rules of a directory. It is frozen; a reload creates another one.
import type { Predicate } from "../cel/compile-expression.ts";
import type { Environment } from "../cel/environment.ts";
import type { Finding } from "../core/finding.ts";
import type { DecisionIndex } from "./lookup.ts";
import type { RuleAction } from "../core/decision.ts";
import type { RuleEgress } from "../wire/rule-file.ts";

/** The hook of an enrich rule. */
type EnrichHook = { readonly script: string; readonly timeoutMs: number };

/** One compiled rule. */
export type Rule = {
  readonly id: string;
  readonly file: string;
  /** The line of the rule's id in its file. */
  readonly line: number;
  readonly action: RuleAction;
  /** The condition as written. */
  readonly condition: string;
  /** The condition with its definitions inserted. */
  readonly expanded: string;
  /** The canonical text of the expanded condition. Conditions that differ only in spelling have the same text. */
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
  /** The index that rules out most rules without evaluating them, or null to evaluate every rule. */
  readonly index: DecisionIndex | null;
  /** SHA-256 over the meaning of all files, as 64 hex characters. */
  readonly digest: string;
  readonly files: number;
  readonly warnings: readonly Finding[];
};

/** Returns the same rules without an index: they are evaluated in order until one decides. */
export function withoutIndex(set: RuleSet): RuleSet {
  return Object.freeze({ ...set, index: null });
}
