// The example of the specification: its rule file, and the outcomes that its text states, as contexts and as requests
// of an agent.

/** The example file of S003. */
export const SEED_RULES = {
  "00-base.yaml": `version: "1"
definitions:
  is_github: network.hostname == "github.com"
rules:
  - id: "allow-github-api"
    condition: |
      $is_github &&
      http.method in ["GET", "POST"] &&
      http.path.startsWith("/api/v3")
    action: allow
  - id: "block-force-push"
    condition: run.tool == "git" && "-f" in run.flags
    action: block
    log: true
`,
};

/** One outcome: the context for the host's call, and the equivalent request of an agent, if there is one. */
export type SeedOutcome = {
  readonly note: string;
  readonly context: Record<string, unknown>;
  readonly request: Record<string, unknown>;
  readonly decision: "allow" | "block";
  readonly rule: string | null;
  readonly logged: boolean;
};

const network = { hostname: "github.com", ip: "140.82.121.4", port: 443, protocol: "tcp" };
const http = { host: "github.com", path: "/api/v3/repos", headers: {}, body_size: 0 };

/** Every outcome. */
export const SEED_OUTCOMES: readonly SeedOutcome[] = [
  {
    note: "the API may be read",
    context: { network, http: { ...http, method: "GET" } },
    request: { action_type: "network_call", target: "https://github.com/api/v3/repos" },
    decision: "allow",
    rule: "allow-github-api",
    logged: false,
  },
  {
    note: "and posted to",
    context: { network, http: { ...http, method: "POST" } },
    request: { action_type: "network_call", target: "https://github.com/api/v3/repos", metadata: { method: "post" } },
    decision: "allow",
    rule: "allow-github-api",
    logged: false,
  },
  {
    note: "another method is no match",
    context: { network, http: { ...http, method: "DELETE" } },
    request: { action_type: "network_call", target: "https://github.com/api/v3/repos", metadata: { method: "DELETE" } },
    decision: "block",
    rule: null,
    logged: false,
  },
  {
    note: "another host is no match",
    context: { network: { ...network, hostname: "evil.example" }, http: { ...http, method: "GET" } },
    request: { action_type: "network_call", target: "https://evil.example/api/v3/repos" },
    decision: "block",
    rule: null,
    logged: false,
  },
  {
    note: "a force push is blocked and logged",
    context: { run: { tool: "git", args: ["push"], flags: ["-f"], cwd: "/w", context: {} } },
    request: { action_type: "tool_exec", target: "/usr/bin/git", metadata: { argv: ["push", "-f"] } },
    decision: "block",
    rule: "block-force-push",
    logged: true,
  },
  {
    note: "any other push is blocked by default",
    context: { run: { tool: "git", args: ["push"], flags: [], cwd: "/w", context: {} } },
    request: { action_type: "tool_exec", target: "/usr/bin/git", metadata: { argv: ["push"] } },
    decision: "block",
    rule: null,
    logged: false,
  },
];
