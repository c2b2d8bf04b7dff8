// RuleDocument: one rule file as text with places, after the YAML and schema checks and before CEL is parsed.
import type { RuleAction } from "../core/decision.ts";
import type { SourceText } from "../core/source-text.ts";
import type { Place } from "../core/span.ts";
import type { RuleEgress } from "../wire/rule-file.ts";

/** A definition: a name for an expression. */
export type DefinitionDocument = {
  readonly name: string;
  /** The place of the name. */
  readonly place: Place;
  readonly expression: SourceText;
};

/** The hook of a rule, as written. */
export type EnrichDocument = {
  readonly script: string;
  readonly timeoutMs?: number;
  /** The place of the script's path. */
  readonly place: Place;
};

/** The default priority (S003-FR-032). */
export const DEFAULT_PRIORITY = 100;

/** One rule as written. */
export type RuleEntry = {
  readonly id: string;
  /** The place of the id, which is the place of findings about the whole rule. */
  readonly place: Place;
  readonly condition: SourceText;
  readonly action: RuleAction;
  readonly log: boolean;
  readonly description: string | null;
  readonly priority: number;
  /** The place of the priority, if the rule has one. */
  readonly priorityPlace?: Place;
  readonly reason: string | null;
  readonly egress: RuleEgress | null;
  /** The time from which on an allow rule is not in force, as written. */
  readonly expires: string | null;
  readonly enrich: EnrichDocument | null;
};

/** A malformed rule. It never becomes part of a rule set, but its readable parts are still checked. */
export type MisshapenRule = {
  /** Its id, or null if it is unreadable. */
  readonly id: string | null;
  readonly place: Place;
  readonly condition: SourceText | null;
};

/** One rule file. */
export type RuleDocument = {
  readonly file: string;
  readonly definitions: readonly DefinitionDocument[];
  readonly rules: readonly RuleEntry[];
  readonly misshapen: readonly MisshapenRule[];
  /** The start of the document, which is the place of findings about the whole file. */
  readonly place: Place;
};
