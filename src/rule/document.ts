// RuleDocument: one rule file as text with places, after YAML and schema and before anything of CEL is looked at.
import type { RuleAction } from "../core/decision.ts";
import type { SourceText } from "../core/source-text.ts";
import type { Place } from "../core/span.ts";
import type { RuleEgress } from "../wire/rule-file.ts";

/** A definition: a name for an expression. */
export type DefinitionDocument = {
  readonly name: string;
  /** Where the name stands. */
  readonly place: Place;
  readonly expression: SourceText;
};

/** A hook as its rule names it. */
export type EnrichDocument = {
  readonly script: string;
  readonly timeoutMs?: number;
  /** Where the script's path stands. */
  readonly place: Place;
};

/** The priority of a rule that states none (S003-FR-032). */
export const DEFAULT_PRIORITY = 100;

/** One rule as written. */
export type RuleEntry = {
  readonly id: string;
  /** Where the id stands: the place of findings about the rule as a whole. */
  readonly place: Place;
  readonly condition: SourceText;
  readonly action: RuleAction;
  readonly log: boolean;
  readonly description: string | null;
  readonly priority: number;
  /** Where the priority stands, if it is stated. */
  readonly priorityPlace?: Place;
  readonly reason: string | null;
  readonly egress: RuleEgress | null;
  /** The time from which on an allow rule is not in force, as written. */
  readonly expires: string | null;
  readonly enrich: EnrichDocument | null;
};

/** A rule whose shape is wrong. It never becomes part of a set, but what can be read of it is looked at all the same. */
export type MisshapenRule = {
  /** Its id and where it stands, if that can be read. */
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
  /** Where the document begins: the place of findings about the file as a whole. */
  readonly place: Place;
};
