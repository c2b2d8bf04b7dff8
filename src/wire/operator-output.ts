// The output of the operator's commands with `--json`; `outcall schema <name>` prints each schema.
import { type Static, Type } from "@sinclair/typebox";
import {
  BridgeData,
  ContainerList,
  DecisionData,
  ReloadData,
  RuleDetail,
  RuleSummary,
  StatusData,
  TestData,
} from "./host-api.ts";
import { RuleRequestData, RuleRequestList, RuleRequestView } from "./request-host.ts";
import { LintFinding } from "./lint-report.ts";

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

/** `rule evaluate`: one line for each context. */
export const RuleEvaluateOutput = Type.Object({
  version,
  ...DecisionData.properties,
  warnings: Type.Array(Type.String()),
}, closed);

/** One decision, with the warnings of its evaluation. */
export type RuleEvaluateOutput = Static<typeof RuleEvaluateOutput>;

/** `rule requests`: the oldest first. */
export const RuleRequestsOutput = Type.Object({ version, requests: RuleRequestList }, closed);

/** `rule request`. */
export const RuleRequestOutput = Type.Object({ version, ...RuleRequestView.properties }, closed);

/** `rule approve`: the request, and the ids of the rules that were added. */
export const RuleApproveOutput = Type.Object(
  { version, request: RuleRequestData, rules: Type.Array(Type.String()) },
  closed,
);

/** `rule deny`. */
export const RuleDenyOutput = Type.Object({ version, request: RuleRequestData }, closed);

/** `status`. */
export const StatusOutput = Type.Object({ version, status: StatusData }, closed);

/** `bridge status`, `bridge up`, `bridge down`. */
export const BridgeOutput = Type.Object({ version, bridge: BridgeData }, closed);

/** `container list`. */
export const ContainerListOutput = Type.Object({ version, containers: ContainerList }, closed);

/** `doctor`: the checks with their remedies; `ok` is true where no check failed. */
export const DoctorOutput = Type.Object({
  version,
  ok: Type.Boolean(),
  checks: Type.Array(Type.Object({
    name: Type.String(),
    outcome: Type.Union([Type.Literal("ok"), Type.Literal("warning"), Type.Literal("failed")]),
    found: Type.String(),
    remedy: Type.Union([Type.String(), Type.Null()]),
  }, closed)),
}, closed);

/** The JSON on standard error, instead of `Error: ...`, when a command fails. */
export const ErrorOutput = Type.Object({
  version,
  error: Type.Object({
    code: Type.String({
      description: "The stable code of the error; docs/reference/errors.md lists all codes.",
    }),
    message: Type.String({ description: "The error, for people." }),
    hint: Type.Optional(Type.String({ description: "The remedy." })),
    findings: Type.Optional(Type.Array(LintFinding, { description: "The errors of rules that do not load." })),
  }, closed),
}, closed);

/** `version`. */
export const VersionOutput = Type.Object({ version, outcall: Type.String() }, closed);
