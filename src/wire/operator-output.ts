// What the operator's commands print with `--json`, each with a published schema (product.md 1): `outcall schema <name>`.
import { type Static, Type } from "@sinclair/typebox";
import { DecisionData, ReloadData, RuleDetail, RuleSummary, StatusData, TestData } from "./host-api.ts";

const closed = { additionalProperties: false };
const version = Type.Literal(1);

/** `rule list`: in evaluation order. */
export const RuleListOutput = Type.Object({ version, rules: Type.Array(RuleSummary) }, closed);

/** `rule show`. */
export const RuleShowOutput = Type.Object({ version, rule: RuleDetail }, closed);

/** `rule reload`. */
export const RuleReloadOutput = Type.Object({ version, ...ReloadData.properties }, closed);

/** `rule test`. */
export const RuleTestOutput = Type.Object({ version, ...TestData.properties }, closed);

/** `rule evaluate`: one a line, one for each context. */
export const RuleEvaluateOutput = Type.Object({
  version,
  ...DecisionData.properties,
  warnings: Type.Array(Type.String()),
}, closed);

/** One decision with the warnings met on the way. */
export type RuleEvaluateOutput = Static<typeof RuleEvaluateOutput>;

/** `status`. */
export const StatusOutput = Type.Object({ version, status: StatusData }, closed);

/** `version`. */
export const VersionOutput = Type.Object({ version, outcall: Type.String() }, closed);
