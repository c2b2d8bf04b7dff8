// The shape of a rule file (S003-IF-012): the source of its types, its validation, and the JSON Schema that
// `outcall schema rule-file` prints. Patterns limit lengths, because all validators count the characters of a pattern alike.
import { type Static, Type } from "@sinclair/typebox";

const closed = { additionalProperties: false };

/** The least and the greatest priority: 32-bit integers (S003-FR-032). */
export const PRIORITY_RANGE = { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 };

/** The least and the greatest time limit that a rule may give its hook, in milliseconds (S003-FR-012). */
export const HOOK_TIMEOUT_RANGE = { minimum: 1, maximum: 60_000 };

// One UTF-16 unit or one surrogate pair, but no control or line separator; the same with and without the flag `u`.
const PRINTABLE =
  "(?:[\\ud800-\\udbff][\\udc00-\\udfff]|[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\ud800-\\udfff])";

/** A rule's id. */
export const RuleIdSchema = Type.String({
  description: "Name of the rule, unique over all files.",
  pattern: "^(?!default-block$|(?:rule|rr)-[0-9A-Fa-f]{12}$)[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$",
  patternErrorMessage: "1 to 128 characters of A-Z a-z 0-9 . _ : -, starting with a letter or digit, " +
    "and not default-block, rule-<12 hex> or rr-<12 hex>, which the product prints itself",
});

const Condition = Type.String({
  description: "CEL expression over the context of a request; $name refers to a definition of the same file.",
});

const common = {
  id: RuleIdSchema,
  condition: Condition,
  log: Type.Optional(Type.Boolean({ description: "Whether a match is logged.", default: false })),
  description: Type.Optional(Type.String({ description: "What the rule is for, in words." })),
  priority: Type.Optional(
    Type.Integer({
      description: "Rules with a lower priority come first, over all files.",
      default: 100,
      ...PRIORITY_RANGE,
    }),
  ),
  reason: Type.Optional(Type.String({
    description: "What the agent reads when this rule blocks a request.",
    pattern: `^${PRINTABLE}{1,200}$`,
    patternErrorMessage: "1 to 200 characters in one line, without control characters",
  })),
};

/** The forms of an entry of `egress.addresses`. */
export const DIALLED_ADDRESS_FORMS =
  "a network such as 10.1.0.0/16, an address, or an address with port such as 10.0.0.5:5432 or [fd00::5]:5432";

/** An entry of `egress.addresses`, as far as a pattern can tell. */
export const EgressAddressSchema = Type.String({
  description: "A network in CIDR notation, an address, or an address with port; IPv6 with port in brackets.",
  pattern: "^(?:[0-9A-Fa-f.:]+(?:/[0-9]{1,3})?|\\[[0-9A-Fa-f.:]+\\]:[0-9]{1,5})$",
  patternErrorMessage: DIALLED_ADDRESS_FORMS,
});

const Egress = Type.Object({
  mode: Type.Optional(
    Type.Literal("proxy", { description: "The gateway opens TLS for connections that this rule allows." }),
  ),
  addresses: Type.Optional(
    Type.Array(EgressAddressSchema, {
      description: "Special addresses, such as private ones, that the gateway may dial for this rule.",
      minItems: 1,
    }),
  ),
}, {
  ...closed,
  minProperties: 1,
  description: "How the gateway handles traffic that the rule allows. It does not change a decision.",
});

/** The form of `expires`. */
export const EXPIRES_FORM = "an RFC 3339 time with offset, such as 2026-12-31T18:00:00Z";

/** The end of a rule, as far as a pattern can tell. */
export const ExpiresSchema = Type.String({
  description: "RFC 3339 time with offset; from then on the rule is not in force.",
  pattern: "^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])[Tt](?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]" +
    "(?:\\.[0-9]{1,9})?(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])$",
  patternErrorMessage: EXPIRES_FORM,
});

const Enrich = Type.Object({
  script: Type.String({
    description: "Path of the hook script, relative to the rules directory.",
    pattern: `^${PRINTABLE}{1,4096}$`,
    patternErrorMessage: "a path of 1 to 4096 characters in one line, without control characters",
  }),
  timeout_ms: Type.Optional(
    Type.Integer({ description: "Time limit of the hook in milliseconds.", default: 5000, ...HOOK_TIMEOUT_RANGE }),
  ),
}, { ...closed, description: "The hook that the rule runs when its condition matches." });

/** A rule that allows what its condition matches. */
const AllowRuleSchema = Type.Object({
  ...common,
  action: Type.Literal("allow"),
  egress: Type.Optional(Egress),
  expires: Type.Optional(ExpiresSchema),
}, { ...closed, title: "allow rule" });

/** A rule that blocks what its condition matches. */
export const BlockRuleSchema = Type.Object({
  ...common,
  action: Type.Literal("block"),
}, { ...closed, title: "block rule" });

/** A rule that runs a hook and lets the evaluation go on. */
const EnrichRuleSchema = Type.Object({
  ...common,
  action: Type.Literal("enrich"),
  enrich: Enrich,
}, { ...closed, title: "enrich rule" });

/** A rule. */
export const RuleSchema = Type.Union([AllowRuleSchema, BlockRuleSchema, EnrichRuleSchema]);

/** The members of a rule whose action is missing or unknown. */
export const ActionlessRuleSchema = Type.Object({
  ...common,
  action: Type.Union([Type.Literal("allow"), Type.Literal("block"), Type.Literal("enrich")]),
  egress: Type.Optional(Type.Unknown()),
  expires: Type.Optional(Type.Unknown()),
  enrich: Type.Optional(Type.Unknown()),
}, closed);

/** The definitions of a file. */
export const DefinitionsSchema = Type.Record(Type.String({ pattern: "^[A-Za-z_][A-Za-z0-9_]*$" }), Type.String(), {
  ...closed,
  description: "Names for CEL expressions; a condition of this file refers to one as $name.",
  patternErrorMessage: "a letter or _, then letters, digits and _",
});

/** A rule file; empty definitions or rules count as absent. */
export const RuleFileSchema = Type.Object({
  version: Type.Literal("1", { description: "Version of the rule language." }),
  definitions: Type.Optional(Type.Union([DefinitionsSchema, Type.Null()])),
  rules: Type.Optional(
    Type.Union([Type.Array(RuleSchema), Type.Null()], {
      description: "Rules, in the order of their evaluation.",
    }),
  ),
}, {
  ...closed,
  $schema: "http://json-schema.org/draft-07/schema#",
  title: "Outcall rule file",
  description: "Rules that decide what AI agents in containers may do.",
});

/** The `egress` of an allow rule: how the gateway handles its traffic. */
export type RuleEgress = Static<typeof Egress>;

/** A rule as a plain value. */
export type RuleFileRule = Static<typeof RuleSchema>;
