// The rule set of speed comparisons: seven kinds of condition in turn; only the last rule matches the request. Tests
// use it for its size, not for speed.
import type { Context } from "../../../src/core/context.ts";
import type { RuleText } from "../../../src/rule/load-rules.ts";

/** The conditions of n rules. */
export function workloadConditions(count: number): readonly string[] {
  const others = Array.from({ length: count - 1 }, (_, at) => conditionAt(at));
  return [...others, 'network.hostname == "api.example.com" && http.method == "GET"'];
}

function conditionAt(at: number): string {
  const kind = at % 10;
  if (kind <= 2) return `network.hostname == "host-${at}.example.com"`;
  if (kind <= 4) {
    return `network.protocol == "tcp" && network.port == 443 && network.hostname == "host-${at}.example.com"`;
  }
  if (kind === 5) {
    const hosts = Array.from({ length: 10 }, (_, each) => `"h${at}-${each}.example.com"`);
    return `network.hostname in [${hosts.join(", ")}]`;
  }
  if (kind === 6) return `http.path.startsWith("/svc-${at}/")`;
  if (kind === 7) return `http.path.matches("^/svc-${at}/[0-9]+$")`;
  if (kind === 8) return `run.args.exists(a, a == "--flag-${at}")`;
  return `"x-tenant" in http.headers && http.headers["x-tenant"] == "tenant-${at}"`;
}

/** The same conditions as rule files of at most 1,000 rules. */
export function workloadFiles(count: number): readonly RuleText[] {
  const lines = workloadConditions(count).map((condition, at) =>
    `  - {id: r${at}, condition: '${condition.replaceAll("'", "''")}', action: allow}\n`
  );
  const files: RuleText[] = [];
  for (let from = 0; from < lines.length; from += 1_000) {
    const name = `${String(from / 1_000).padStart(3, "0")}.yaml`;
    files.push({ name, text: `version: "1"\nrules:\n${lines.slice(from, from + 1_000).join("")}` });
  }
  return files;
}

/** The request that only the last rule matches. It has every namespace, so no rule can be skipped for an absent one. */
export const WORKLOAD_CONTEXT: Context = {
  network: { hostname: "api.example.com", ip: "10.1.2.3", port: 443, protocol: "tcp" },
  http: {
    method: "GET",
    path: "/v1/users/42",
    host: "api.example.com",
    body_size: 12,
    headers: { "content-type": "application/json", "x-tenant": "acme", host: "api.example.com" },
  },
  dns: { query: "api.example.com", record_type: "A" },
  docker: { image: "alpine:3.20", command: ["sh"], volumes: [], env_keys: [], capabilities: [] },
  run: { tool: "git", args: ["a", "b", "c", "--force"], flags: [], cwd: "/w", context: {} },
};
