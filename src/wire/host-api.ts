// The bodies and data of the host socket's calls.
import { type Static, Type } from "@sinclair/typebox";
import { ContextSchema } from "./context-schema.ts";
import { flag, nullableText, text, texts, whole } from "./described.ts";

const closed = { additionalProperties: false };
const action = Type.Union([Type.Literal("allow"), Type.Literal("block"), Type.Literal("enrich")], {
  description: "What the rule does when its condition is true.",
});

/** The body of `POST /api/v1/rule/evaluate`. */
export const EvaluateBody = Type.Object({ context: ContextSchema }, closed);

/** The body of `POST /api/v1/rule/test`. */
export const TestBody = Type.Object({
  expression: text("A CEL expression without definitions."),
  context: ContextSchema,
}, closed);

/** The data of an evaluation. */
export const DecisionData = Type.Object({
  decision: Type.Union([Type.Literal("allow"), Type.Literal("block")], { description: "The decision of the rules." }),
  matched_rule: nullableText("Id of the rule that decided; null where no rule matched."),
  file: nullableText("The rule's file."),
  logged: flag("Whether the rule has log: true."),
}, closed);

/** The data of an expression test. A bad expression is a result with an error, not a failed call. */
export const TestData = Type.Object({
  result: flag("Whether the expression is true."),
  error: nullableText("Why it is neither true nor false."),
}, closed);

/** The data of an expression test. */
export type TestData = Static<typeof TestData>;

/** One line of the list of rules. */
export const RuleSummary = Type.Object({
  id: text("Id of the rule."),
  file: text("Its file."),
  action,
  condition_preview: text("The condition as written, in one line of at most 80 characters."),
  description: nullableText("What the rule is for."),
}, closed);

/** One line of the list of rules. */
export type RuleSummary = Static<typeof RuleSummary>;

/** The data of `GET /api/v1/rules`, in evaluation order. */
export const RuleList = Type.Array(RuleSummary);

/** One rule in full, its condition expanded. */
export const RuleDetail = Type.Object({
  id: text("Id of the rule."),
  file: text("Its file."),
  line: whole("The line on which the rule begins."),
  condition: text("Its condition with every definition expanded."),
  action,
  log: flag("Whether a match is logged."),
  description: nullableText("What the rule is for."),
  priority: whole("Priority; rules with a lower one come first."),
  reason: nullableText("What an agent may read when the rule blocks it."),
  egress: Type.Union([
    Type.Object({
      mode: Type.Optional(
        Type.Literal("proxy", { description: "The gateway opens TLS for connections that the rule allows." }),
      ),
      addresses: Type.Optional(texts("Special addresses that the gateway may dial.")),
    }, closed),
    Type.Null(),
  ], { description: "How the gateway handles traffic that the rule allows. It does not change a decision." }),
  expires: Type.Optional(
    text("The time from which on the rule is not in force, as written; absent if it does not expire."),
  ),
  enrich: Type.Union([
    Type.Object({
      script: text("Path below the rules directory."),
      timeout_ms: whole("Its time limit in milliseconds."),
    }, closed),
    Type.Null(),
  ], { description: "The hook of an enrich rule." }),
}, closed);

/** One rule in full. */
export type RuleDetail = Static<typeof RuleDetail>;

/** The data of `POST /api/v1/rules/reload`. */
export const ReloadData = Type.Object({
  files_loaded: whole("Rule files."),
  rules_loaded: whole("Rules in them."),
  warnings: texts("Warnings of the analysis, each as file:line: message."),
}, closed);

/** The data of `POST /api/v1/rules/reload`. */
export type ReloadData = Static<typeof ReloadData>;

/** The bridge: its name, and `up`, `down`, `missing`, or `none` where the daemon asks for none. */
export const BridgeData = Type.Object({
  name: text("The bridge; none where the daemon runs without one."),
  state: Type.Union([Type.Literal("up"), Type.Literal("down"), Type.Literal("missing"), Type.Literal("none")], {
    description: "Measured at most 250 ms ago.",
  }),
}, { ...closed, description: "The bridge." });

/** The data of `GET /api/v1/bridge` and of the calls that change it. */
export type BridgeData = Static<typeof BridgeData>;

/** The data of `GET /api/v1/containers`: those that have checked in, the first of them first. */
export const ContainerList = Type.Array(Type.Object({
  id: text("Full id."),
  name: text("Name."),
  image: text("Image; empty where the source knows none."),
  since: text("When it checked in, ISO 8601."),
}, closed));

/** The data of `GET /api/v1/containers`. */
export type ContainerList = Static<typeof ContainerList>;

/** The data of `GET /api/v1/health`. */
export const HealthData = Type.Object({
  ready: flag("Whether the daemon can decide."),
  reason: nullableText("Why not."),
}, closed);

/** The data of `GET /api/v1/health`. */
export type HealthData = Static<typeof HealthData>;

/** The data of `GET /api/v1/status`; times are ISO 8601, durations seconds. */
export const StatusData = Type.Object({
  version: text("Version of the daemon."),
  pid: whole("Its process id."),
  started_at: text("When it started, ISO 8601."),
  uptime_seconds: whole("How long ago that was."),
  ready: flag("Whether it can decide."),
  reason: nullableText("Why not."),
  rules: Type.Object({
    dir: text("The rules directory."),
    digest: text("Digest of the rule set in force."),
    files: whole("Rule files."),
    rules: whole("Rules in them."),
    warnings: texts("Warnings of the analysis."),
    loaded_at: text("When the set came into force, ISO 8601."),
  }, { ...closed, description: "The rules in force." }),
  last_reload: Type.Union([
    Type.Object({
      at: text("When, ISO 8601."),
      ok: flag("Whether it succeeded."),
      error: nullableText("Why it failed; the previous rules stay in force."),
    }, closed),
    Type.Null(),
  ], { description: "The last reload; null before the first." }),
  bridge: BridgeData,
  containers: Type.Object({
    source: text("The source of identities: docker, cgroup or namespace."),
    state: text("ready or unavailable."),
    sessions: whole("Containers that have checked in."),
  }, { ...closed, description: "The container source." }),
  sockets: Type.Object({ host: text("The host socket."), agent: text("The agent socket.") }, {
    ...closed,
    description: "Paths of the sockets.",
  }),
  operators_group: nullableText("The group whose members may read on the host socket; null: none."),
  counts: Type.Object({
    allowed: whole("Requests that were allowed."),
    blocked: whole("Requests that were blocked."),
    refused: whole("Requests that were refused before a decision."),
  }, { ...closed, description: "Since the start." }),
  requests: Type.Object({
    pending: Type.Union([whole("Rule requests that wait for the operator."), Type.Null()], {
      description: "Rule requests that wait for the operator; null where they cannot be counted.",
    }),
  }, { ...closed, description: "Rule requests." }),
  rulespec: Type.Object({
    file: nullableText("The rulespec of all containers."),
    dir: nullableText("The directory of rulespecs."),
  }, { ...closed, description: "The place of rulespecs; both members are null if none is configured." }),
  clock_behind_seconds: Type.Optional(whole(
    "How far the clock is behind the latest time that the daemon has seen. While it is, rules that expire are not in force.",
  )),
  decision_log: Type.Object({ file: text("Its database."), state: text("ok or unavailable.") }, {
    ...closed,
    description: "The decision log.",
  }),
}, closed);

/** The data of `GET /api/v1/status`. */
export type StatusData = Static<typeof StatusData>;
