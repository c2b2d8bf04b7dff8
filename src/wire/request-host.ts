// The calls of the host socket about rule requests (S003-IF-007 to IF-009), and the operator's view of one request.
import { type Static, Type } from "@sinclair/typebox";
import { flag, nullableText, text, texts, whole } from "./described.ts";
import { AccessRequestData } from "./request-agent.ts";
import { PRIORITY_RANGE } from "./rule-file.ts";

const closed = { additionalProperties: false };

/** The container that asked, as the host knows it. */
export const RequesterData = Type.Object({
  id: text("Full id."),
  name: text("Name."),
  image: text("Image; empty where the source knows none."),
}, { ...closed, description: "The container that asked, as the host knows it." });

/** One request. The digest covers the proposal; it changes when the request or the rules in force change. */
export const RuleRequestData = Type.Object({
  ...AccessRequestData.properties,
  rule_file: nullableText(
    "The rule file as submitted, or as made from the submission; null where there is no condition.",
  ),
  container: RequesterData,
  reason: nullableText("The operator's reason, of a rejected request."),
  digest: text("Digest of the proposal. It changes with the request and with the rules in force."),
}, { ...closed, description: "A rule request." });

/** One request. */
export type RuleRequestData = Static<typeof RuleRequestData>;

/** The data of `GET /api/v1/rule-requests`, oldest first. */
export const RuleRequestList = Type.Array(RuleRequestData);

/** A rule by its id and file. */
export const RuleName = Type.Object({
  rule: text("Id of the rule."),
  file: text("Its file."),
  action: Type.Union([Type.Literal("allow"), Type.Literal("block")], { description: "What it does." }),
}, closed);

/** A rule by its id and file. */
export type RuleName = Static<typeof RuleName>;

/** One rule as an approval would write it. */
export const ProposedRuleData = Type.Object({
  id: text("Id of the rule."),
  action: Type.Union([Type.Literal("allow"), Type.Literal("block")], { description: "What it does." }),
  condition: text("Its condition in canonical form, scope included."),
  priority: whole("A lower one comes first."),
  log: flag("Whether a match is logged."),
  description: nullableText("What the rule is for."),
  expires: Type.Optional(text("The time from which on the rule is not in force; absent if it does not expire.")),
  hosts: Type.Array(
    Type.Object(
      { text: text("The text in the condition."), ascii: text("The same host as a resolver sees it.") },
      closed,
    ),
    { description: "Texts of the condition that a reader may take for another host." },
  ),
  covered_by: Type.Array(RuleName, { description: "The rules that always decide before it." }),
}, closed);

/** One rule as an approval would write it. */
export type ProposedRuleData = Static<typeof ProposedRuleData>;

/** The proposal: the file and the rules that an approval would write. */
export const ProposalData = Type.Object({
  file: text("Name of the file."),
  scope: nullableText("The condition that keeps other containers out; null where the rules hold for all containers."),
  rules: Type.Array(ProposedRuleData, { description: "The rules in it." }),
  already_allowed: flag("Whether the rules in force already allow everything that the proposal would allow."),
  warnings: texts("Warnings of the analysis."),
}, closed);

/** The proposal. */
export type ProposalData = Static<typeof ProposalData>;

/** The operator who decided, and the time. */
export const DecisionOfRequest = Type.Object({
  at: text("When, ISO 8601."),
  uid: whole("User id of the operator."),
  name: nullableText("The user's name, where the host has one."),
  file: nullableText("The file that the approval wrote."),
}, closed);

/** The data of `GET /api/v1/rule-request/:id`. Where `proposal` is null, `problem` says why. */
export const RuleRequestView = Type.Object({
  request: RuleRequestData,
  submission: text("The submission, unchanged."),
  proposal: Type.Union([ProposalData, Type.Null()], {
    description: "The file and the rules that an approval would write.",
  }),
  problem: nullableText("Why the request cannot be approved, or what an approval must add."),
  decided: Type.Union([DecisionOfRequest, Type.Null()], {
    description: "Who decided, and when; null while the request is pending.",
  }),
}, closed);

/** The operator's view of one request. */
export type RuleRequestView = Static<typeof RuleRequestView>;

/** The body of an approval: the operator's changes to the request, and the digest of the proposal that was shown. */
export const ApproveBody = Type.Object({
  rule_id: Type.Optional(text("Id of the one rule.")),
  condition: Type.Optional(text("Condition of the one rule, in place of the submitted one.")),
  file_name: Type.Optional(text("Name of the file: a bare *.yaml name that does not exist yet.")),
  global: Type.Optional(flag("Whether the rules hold for every container; the scope is then left out.")),
  priority: Type.Optional(whole("Priority of the rules.", PRIORITY_RANGE)),
  force: Type.Optional(flag("Whether to approve even if a rule could never be reached.")),
  digest: Type.Optional(text("Digest of the request that was shown; the approval is refused if it has changed.")),
}, closed);

/** The body of an approval. */
export type ApproveBody = Static<typeof ApproveBody>;

/** The body of a denial. */
export const DenyBody = Type.Object({
  reason: Type.Optional(text("What the agent may read: 1 to 1,024 bytes without control characters.")),
}, closed);

/** The statuses by which rule requests can be listed. */
export const REQUEST_STATUSES = ["pending", "approved", "rejected", "denied"] as const;

/** The query of `GET /api/v1/rule-requests`. */
export const RuleRequestQuery = Type.Object({
  status: Type.Optional(Type.Union(REQUEST_STATUSES.map((status) => Type.Literal(status)), {
    description: "Only requests with this status; denied is accepted for rejected.",
  })),
}, closed);
