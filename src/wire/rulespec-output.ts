// The output of `outcall rulespec` with `--json`; `outcall schema <name>` prints each schema.
import { type Static, Type } from "@sinclair/typebox";
import type { Json } from "../core/json.ts";
import { LintFinding } from "./lint-report.ts";

const closed = { additionalProperties: false };
const version = Type.Literal(1);
const nullableText = Type.Union([Type.String(), Type.Null()]);
const count = Type.Integer({ minimum: 0 });

/** The result of one predicate; `value` is null where its rule takes none. */
const PredicateResult = Type.Object({
  index: count,
  status: Type.Union([Type.Literal("pass"), Type.Literal("fail"), Type.Literal("skip")]),
  claim: Type.String(),
  rule: Type.String(),
  value: Type.Unsafe<Json>(Type.Unknown()),
  source: Type.String(),
  notes: nullableText,
  reason: Type.String(),
}, closed);

/** A verification. */
export const VerificationOutput = Type.Object({
  version,
  outcome: Type.Union([Type.Literal("verified"), Type.Literal("failed"), Type.Literal("vacuous")]),
  passed: count,
  failed: count,
  skipped: count,
  total: count,
  stamp: nullableText,
  predicates: Type.Array(PredicateResult),
}, closed);

/** A verification as JSON. */
export type VerificationOutput = Static<typeof VerificationOutput>;

/** The output without a verification: the findings of the files that do not load or cannot be evaluated. */
export const VerifyErrorOutput = Type.Object({
  version,
  outcome: Type.Literal("error"),
  findings: Type.Array(LintFinding),
}, closed);

/** The output without a verification. */
export type VerifyErrorOutput = Static<typeof VerifyErrorOutput>;

/** `rulespec verify`. */
export const RulespecVerifyOutput = Type.Union([VerificationOutput, VerifyErrorOutput]);

/** `rulespec compile`. */
export const RulespecCompileOutput = Type.Object({
  version,
  dialect: Type.Union([Type.Literal("souffle"), Type.Literal("asp")]),
  program: Type.String(),
}, closed);

/** `rulespec install`: the path of the installed file. */
export const RulespecInstallOutput = Type.Object({ version, file: Type.String() }, closed);

/** `rulespec plan-verify`: whether there is a verified envelope with a valid stamp, and if not, why. */
export const RulespecPlanVerifyOutput = Type.Object(
  { version, verified: Type.Boolean(), reason: nullableText },
  closed,
);
