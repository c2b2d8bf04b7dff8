// Values for the examples of the host socket's routes; a test checks them against the schemas.
import { DEFAULT_AGENT_SOCKET, DEFAULT_HOST_SOCKET, DEFAULT_RULES_DIR, DEFAULT_STATE_DIR } from "../core/defaults.ts";
import { VERSION } from "../core/version.ts";

const CONTAINER_ID = "3f2a9c0d1e4b".padEnd(64, "0");
const DIGEST = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
const AT = "2026-11-21T12:00:00.000Z";
const CONDITION = 'network.hostname == "registry.example" && http.method in ["GET", "HEAD"]';

/** The id of a rule request. */
export const REQUEST_ID = "rr-0a1b2c3d4e5f";

/** A context. */
export const CONTEXT = {
  network: { hostname: "registry.example", port: 443, protocol: "tcp" },
  http: { method: "GET", path: "/left-pad", host: "registry.example" },
} as const;

/** A decision. */
export const DECISION = {
  decision: "allow",
  matched_rule: "registry-read",
  file: "20-registry.yaml",
  logged: true,
} as const;

/** A line of the list of rules. */
export const RULE = {
  id: "registry-read",
  file: "20-registry.yaml",
  action: "allow",
  condition_preview: '$is_registry && http.method in ["GET", "HEAD"]',
  description: "Packages are read, never published.",
} as const;

/** The rule in full. */
export const RULE_DETAIL = {
  id: RULE.id,
  file: RULE.file,
  line: 5,
  condition: '(network.hostname == "registry.example") && http.method in ["GET", "HEAD"]',
  action: "allow",
  log: true,
  description: RULE.description,
  priority: 100,
  reason: null,
  egress: null,
  enrich: null,
} as const;

/** The bridge. */
export const BRIDGE = { name: "outcall0", state: "up" } as const;

/** A container. */
export const CONTAINER = { id: CONTAINER_ID, name: "builder", image: "node:24", since: AT } as const;

/** The daemon's state. */
export const STATUS = {
  version: VERSION,
  pid: 4711,
  started_at: AT,
  uptime_seconds: 3600,
  ready: true,
  reason: null,
  rules: { dir: DEFAULT_RULES_DIR, digest: DIGEST, files: 3, rules: 12, warnings: [], loaded_at: AT },
  last_reload: { at: AT, ok: true, error: null },
  bridge: BRIDGE,
  containers: { source: "docker", state: "ready", sessions: 2 },
  sockets: { host: DEFAULT_HOST_SOCKET, agent: DEFAULT_AGENT_SOCKET },
  operators_group: null,
  counts: { allowed: 120, blocked: 7, refused: 1 },
  requests: { pending: 0 },
  rulespec: { file: null, dir: null },
  decision_log: { file: `${DEFAULT_STATE_DIR}/decisions.db`, state: "ok" },
} as const;

/** A rule request. */
export const REQUEST = {
  id: REQUEST_ID,
  submitted_at: AT,
  status: "pending",
  description: "Packages are read, never published.",
  requested_access: "allow registry-read",
  suggested_condition: CONDITION,
  rule_file: `version: "1"\nrules:\n  - id: registry-read\n    condition: ${CONDITION}\n    action: allow\n`,
  container: { id: CONTAINER_ID, name: "builder", image: "node:24" },
  reason: null,
  digest: DIGEST,
} as const;

/** The operator's view of it. */
export const REQUEST_VIEW = {
  request: REQUEST,
  submission: REQUEST.rule_file,
  proposal: {
    file: `90-agent-${REQUEST_ID}.yaml`,
    scope: 'agent.name == "builder"',
    rules: [{
      id: "registry-read",
      action: "allow",
      condition: `agent.name == "builder" && ${CONDITION}`,
      priority: 1_000_000,
      log: false,
      description: null,
      hosts: [],
      covered_by: [],
    }],
    already_allowed: false,
    warnings: [],
  },
  problem: null,
  decided: null,
} as const;

const TOTALS = { passed: 2, failed: 0, skipped: 0, total: 2 } as const;

/** The newest envelope of a container. */
export const ENVELOPE = {
  session: "ctr-3f2a9c0d1e4b",
  container: { id: CONTAINER_ID, name: "builder" },
  outcome: "verified",
  verified: true,
  ...TOTALS,
  at: AT,
  age_seconds: 40,
} as const;

/** An envelope as it is kept. */
export const ENVELOPE_VIEW = {
  container: CONTAINER_ID,
  session: `${CONTAINER_ID}:81234`,
  outcome: "verified",
  ...TOTALS,
  at: AT,
  stamp: "b6f1c2d3e4a5968778695a4b3c2d1e0ff0e1d2c3b4a5968778695a4b3c2d1e0f",
  holds: true,
  reason: null,
  directory: `${DEFAULT_STATE_DIR}/sessions/${CONTAINER_ID}`,
  facts: { tests: { failed: 0 } },
} as const;
