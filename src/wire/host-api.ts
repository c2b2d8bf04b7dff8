// The bodies and data of the host socket's calls (S003 section 10).
import { type Static, Type } from "@sinclair/typebox";
import { ContextSchema } from "./context.ts";

const closed = { additionalProperties: false };
const nullableText = Type.Union([Type.String(), Type.Null()]);
const action = Type.Union([Type.Literal("allow"), Type.Literal("block"), Type.Literal("enrich")]);

/** The body of `POST /api/v1/rule/evaluate`. */
export const EvaluateBody = Type.Object({ context: ContextSchema }, closed);

/** The body of `POST /api/v1/rule/test`. */
export const TestBody = Type.Object({ expression: Type.String(), context: ContextSchema }, closed);

/** The data of an evaluation. */
export const DecisionData = Type.Object({
  decision: Type.Union([Type.Literal("allow"), Type.Literal("block")]),
  matched_rule: nullableText,
  file: nullableText,
  logged: Type.Boolean(),
}, closed);

/** The data of an expression test: a bad expression is a result too. */
export const TestData = Type.Object({ result: Type.Boolean(), error: nullableText }, closed);

/** The data of an expression test. */
export type TestData = Static<typeof TestData>;

/** One line of the list of rules. */
export const RuleSummary = Type.Object({
  id: Type.String(),
  file: Type.String(),
  action,
  condition_preview: Type.String(),
  description: nullableText,
}, closed);

/** One line of the list of rules. */
export type RuleSummary = Static<typeof RuleSummary>;

/** The data of `GET /api/v1/rules`, in evaluation order. */
export const RuleList = Type.Array(RuleSummary);

/** One rule in full, its condition expanded. */
export const RuleDetail = Type.Object({
  id: Type.String(),
  file: Type.String(),
  line: Type.Integer(),
  condition: Type.String(),
  action,
  log: Type.Boolean(),
  description: nullableText,
  priority: Type.Integer(),
  reason: nullableText,
  egress: Type.Union([Type.Object({ mode: Type.Literal("proxy") }, closed), Type.Null()]),
  enrich: Type.Union([
    Type.Object({ script: Type.String(), timeout_ms: Type.Integer() }, closed),
    Type.Null(),
  ]),
}, closed);

/** One rule in full. */
export type RuleDetail = Static<typeof RuleDetail>;

/** The data of `POST /api/v1/rules/reload`. */
export const ReloadData = Type.Object({
  files_loaded: Type.Integer(),
  rules_loaded: Type.Integer(),
  warnings: Type.Array(Type.String()),
}, closed);

/** The data of `POST /api/v1/rules/reload`. */
export type ReloadData = Static<typeof ReloadData>;

/** The bridge: its name, and `up`, `down`, `missing`, or `none` where the daemon asks for none. */
export const BridgeData = Type.Object({
  name: Type.String(),
  state: Type.Union([Type.Literal("up"), Type.Literal("down"), Type.Literal("missing"), Type.Literal("none")]),
}, closed);

/** The data of `GET /api/v1/bridge` and of the calls that change it. */
export type BridgeData = Static<typeof BridgeData>;

/** The data of `GET /api/v1/containers`: those that have checked in, the first of them first. */
export const ContainerList = Type.Array(Type.Object({
  id: Type.String(),
  name: Type.String(),
  image: Type.String(),
  since: Type.String(),
}, closed));

/** The data of `GET /api/v1/containers`. */
export type ContainerList = Static<typeof ContainerList>;

/** The data of `GET /api/v1/health`. */
export const HealthData = Type.Object({ ready: Type.Boolean(), reason: nullableText }, closed);

/** The data of `GET /api/v1/health`. */
export type HealthData = Static<typeof HealthData>;

/** The data of `GET /api/v1/status`; times are ISO 8601, durations seconds. */
export const StatusData = Type.Object({
  version: Type.String(),
  pid: Type.Integer(),
  started_at: Type.String(),
  uptime_seconds: Type.Integer(),
  ready: Type.Boolean(),
  reason: nullableText,
  rules: Type.Object({
    dir: Type.String(),
    digest: Type.String(),
    files: Type.Integer(),
    rules: Type.Integer(),
    warnings: Type.Array(Type.String()),
    loaded_at: Type.String(),
  }, closed),
  last_reload: Type.Union([
    Type.Object({ at: Type.String(), ok: Type.Boolean(), error: nullableText }, closed),
    Type.Null(),
  ]),
  bridge: BridgeData,
  containers: Type.Object({ source: Type.String(), state: Type.String(), sessions: Type.Integer() }, closed),
  sockets: Type.Object({ host: Type.String(), agent: Type.String() }, closed),
  counts: Type.Object({ allowed: Type.Integer(), blocked: Type.Integer(), refused: Type.Integer() }, closed),
  /** Where rulespecs are: one file, or a directory; neither where none is configured. */
  rulespec: Type.Object({ file: nullableText, dir: nullableText }, closed),
  decision_log: Type.Object({ file: Type.String(), state: Type.String() }, closed),
}, closed);

/** The data of `GET /api/v1/status`. */
export type StatusData = Static<typeof StatusData>;
