// Rulespec: the operator's invariants on finished work. Claims name values in an envelope's facts; predicates say what must
// hold for them. A value of these types has been checked.
import type { Json } from "../core/json.ts";
import type { Pattern } from "../cel/pattern.ts";
import type {
  ANY_VALUE_RULES,
  LENGTH_RULES,
  LIST_RULES,
  NUMBER_RULES,
  PATTERN_RULE,
  RULES,
  SOURCES,
  VALUELESS_RULES,
} from "../wire/rulespec-file.ts";
import type { Selector } from "./selector.ts";

/** A named selector; `index` is its position in the file. */
export type Claim = { readonly index: number; readonly name: string; readonly selector: Selector };

/** The name of a rule. */
export type RuleName = (typeof RULES)[number];

/** A test of a claim's values: a rule with its value. */
export type Test =
  | { readonly rule: (typeof VALUELESS_RULES)[number]; readonly value: null }
  | { readonly rule: (typeof ANY_VALUE_RULES)[number]; readonly value: Json }
  | { readonly rule: (typeof LIST_RULES)[number]; readonly value: readonly Json[] }
  | { readonly rule: (typeof NUMBER_RULES)[number] | (typeof LENGTH_RULES)[number]; readonly value: number }
  | { readonly rule: typeof PATTERN_RULE; readonly value: string; readonly pattern: Pattern };

/** Where an invariant comes from. */
export type Source = (typeof SOURCES)[number];

/** The condition under which a predicate applies. */
export type When = { readonly claim: Claim; readonly test: Test };

/** One invariant. */
export type Predicate = {
  readonly claim: Claim;
  readonly test: Test;
  readonly source: Source;
  readonly notes: string | null;
  readonly when: When | null;
};

/** All claims and predicates of a file, in its order. */
export type Rulespec = { readonly claims: readonly Claim[]; readonly predicates: readonly Predicate[] };
