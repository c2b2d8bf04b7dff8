// The calls of the host socket about rule requests (S003-IF-007 to IF-009), and what an operator is shown of one.
import { type Static, Type } from "@sinclair/typebox";
import { AccessRequestData } from "./request-agent.ts";
import { PRIORITY_RANGE } from "./rule-file.ts";

const closed = { additionalProperties: false };
const nullableText = Type.Union([Type.String(), Type.Null()]);

/** The container that asked, as the host knows it. */
export const RequesterData = Type.Object({ id: Type.String(), name: Type.String(), image: Type.String() }, closed);

/** One request. The digest is of what an approval of it stands for: another one, and what was shown is no longer true. */
export const RuleRequestData = Type.Object({
  ...AccessRequestData.properties,
  rule_file: nullableText,
  container: RequesterData,
  reason: nullableText,
  digest: Type.String(),
}, closed);

/** One request. */
export type RuleRequestData = Static<typeof RuleRequestData>;

/** The data of `GET /api/v1/rule-requests`, oldest first. */
export const RuleRequestList = Type.Array(RuleRequestData);

/** A rule by its id and file. */
export const RuleName = Type.Object({
  rule: Type.String(),
  file: Type.String(),
  action: Type.Union([Type.Literal("allow"), Type.Literal("block")]),
}, closed);

/** A rule by its id and file. */
export type RuleName = Static<typeof RuleName>;

/** One rule as an approval would write it. */
export const ProposedRuleData = Type.Object({
  id: Type.String(),
  action: Type.Union([Type.Literal("allow"), Type.Literal("block")]),
  /** Canonical text, the scope in it. */
  condition: Type.String(),
  priority: Type.Integer(),
  log: Type.Boolean(),
  description: nullableText,
  /** Texts of the condition that a reader may take for another host, as a resolver spells them. */
  hosts: Type.Array(Type.Object({ text: Type.String(), ascii: Type.String() }, closed)),
  /** The rules that always decide before it. */
  covered_by: Type.Array(RuleName),
}, closed);

/** One rule as an approval would write it. */
export type ProposedRuleData = Static<typeof ProposedRuleData>;

/** What an approval would write. */
export const ProposalData = Type.Object({
  file: Type.String(),
  /** The condition that keeps other containers out; null: there is none. */
  scope: nullableText,
  rules: Type.Array(ProposedRuleData),
  already_allowed: Type.Boolean(),
  warnings: Type.Array(Type.String()),
}, closed);

/** What an approval would write. */
export type ProposalData = Static<typeof ProposalData>;

/** Who decided, and when. */
export const DecisionOfRequest = Type.Object({
  at: Type.String(),
  uid: Type.Integer(),
  name: nullableText,
  file: nullableText,
}, closed);

/** The data of `GET /api/v1/rule-request/:id`; without a proposal, `problem` says why an approval needs more. */
export const RuleRequestView = Type.Object({
  request: RuleRequestData,
  submission: Type.String(),
  proposal: Type.Union([ProposalData, Type.Null()]),
  problem: nullableText,
  decided: Type.Union([DecisionOfRequest, Type.Null()]),
}, closed);

/** What an operator is shown of one request. */
export type RuleRequestView = Static<typeof RuleRequestView>;

/** The body of an approval: what the operator wants otherwise than asked for, and the digest of what was shown. */
export const ApproveBody = Type.Object({
  rule_id: Type.Optional(Type.String()),
  condition: Type.Optional(Type.String()),
  file_name: Type.Optional(Type.String()),
  global: Type.Optional(Type.Boolean()),
  priority: Type.Optional(Type.Integer(PRIORITY_RANGE)),
  force: Type.Optional(Type.Boolean()),
  digest: Type.Optional(Type.String()),
}, closed);

/** The body of an approval. */
export type ApproveBody = Static<typeof ApproveBody>;

/** The body of a denial. */
export const DenyBody = Type.Object({ reason: Type.Optional(Type.String()) }, closed);
