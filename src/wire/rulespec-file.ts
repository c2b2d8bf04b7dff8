// The shape of a rulespec, as `outcall schema rulespec` prints it for editors, and the names of its rules. The loader finds
// the errors that a schema cannot express: duplicate names, undefined claims, malformed selectors and patterns.
import { type TProperties, Type } from "@sinclair/typebox";

const closed = { additionalProperties: false };

/** The rules that need no value. */
export const VALUELESS_RULES = ["exists", "not_exists"] as const;

/** The rules whose value may be of any type. */
export const ANY_VALUE_RULES = ["equals", "contains", "not_contains"] as const;

/** The rules whose value is a list. */
export const LIST_RULES = ["any_of", "none_of"] as const;

/** The rules whose value is a number. */
export const NUMBER_RULES = ["greater_than", "less_than"] as const;

/** The rules whose value is a length. */
export const LENGTH_RULES = ["min_length", "max_length"] as const;

/** The rule whose value is a pattern. */
export const PATTERN_RULE = "matches";

/** Every rule, in the order of the documentation. */
export const RULES = [
  ...VALUELESS_RULES,
  ...ANY_VALUE_RULES,
  ...LIST_RULES,
  ...NUMBER_RULES,
  ...LENGTH_RULES,
  PATTERN_RULE,
] as const;

/** The sources of an invariant. */
export const SOURCES = ["task_prompt", "memory"] as const;

function oneOf(names: readonly string[]) {
  return Type.Union(names.map((name) => Type.Literal(name)));
}

const text = Type.String({ pattern: "[^ \\t\\n]" });

// A test of a claim, one variant for each type of value, with further members.
function testOf<T extends TProperties>(more: T) {
  const claim = { claim: text, ...more };
  const given = Type.Not(Type.Null());
  return Type.Union([
    Type.Object({ ...claim, rule: oneOf(VALUELESS_RULES), value: Type.Optional(Type.Unknown()) }, closed),
    Type.Object({ ...claim, rule: oneOf(ANY_VALUE_RULES), value: given }, closed),
    Type.Object({ ...claim, rule: oneOf(LIST_RULES), value: Type.Array(Type.Unknown()) }, closed),
    Type.Object({ ...claim, rule: oneOf(NUMBER_RULES), value: Type.Number() }, closed),
    Type.Object({ ...claim, rule: oneOf(LENGTH_RULES), value: Type.Integer({ minimum: 0 }) }, closed),
    Type.Object({ ...claim, rule: Type.Literal(PATTERN_RULE), value: Type.String() }, closed),
  ]);
}

const Claims = Type.Array(Type.Object({ name: text, selector: text }, closed), {
  description: "Named paths into the facts, such as a.b, a[0] or a[*].b.",
});

const Predicates = Type.Array(
  testOf({
    source: oneOf(SOURCES),
    notes: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    when: Type.Optional(Type.Union([testOf({}), Type.Null()])),
  }),
  { description: "What must hold of the claims' values." },
);

/** A rulespec. */
export const RulespecFileSchema = Type.Object({
  claims: Type.Optional(Type.Union([Claims, Type.Null()])),
  predicates: Type.Optional(Type.Union([Predicates, Type.Null()])),
}, {
  ...closed,
  $schema: "http://json-schema.org/draft-07/schema#",
  title: "Outcall rulespec",
  description: "Invariants that the facts of finished work must satisfy.",
});
