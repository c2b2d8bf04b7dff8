// The fixed workload of all scan benchmarks: conditions of seven kinds in turn, of which only the last one matches the
// request. The request has every namespace, so the engine cannot skip a rule for an absent one.
import type { Context } from "../src/core/context.ts";
import { workloadConditions } from "../test/support/generate/workload.ts";

/** In "mixed", six tenths of the rules test a hostname; in "host", all of them do. */
export type WorkloadKind = "mixed" | "host";

/** The conditions of n rules. */
export function conditionsOf(count: number, kind: WorkloadKind): readonly string[] {
  if (kind === "mixed") return workloadConditions(count);
  const others = Array.from({ length: count - 1 }, (_, at) => `network.hostname == "host-${at}.example.com"`);
  return [...others, 'network.hostname == "api.example.com" && http.method == "GET"'];
}

/** A rule file. */
export type RuleFile = { readonly name: string; readonly text: string };

/** Writes conditions as rule files in which every rule is an allow. */
export function filesOf(conditions: readonly string[], perFile = 1_000): readonly RuleFile[] {
  const files: RuleFile[] = [];
  for (let from = 0; from < conditions.length; from += perFile) {
    const rules = conditions.slice(from, from + perFile).map((condition, at) =>
      `  - {id: r${from + at}, condition: '${condition.replaceAll("'", "''")}', action: allow}\n`
    );
    const name = `${String(from / perFile).padStart(3, "0")}.yaml`;
    files.push({ name, text: `version: "1"\nrules:\n${rules.join("")}` });
  }
  return files;
}

/** The request. */
export const REQUEST: Context = {
  network: { hostname: "api.example.com", ip: "10.1.2.3", port: 443, protocol: "tcp" },
  http: {
    method: "GET",
    path: "/v1/users/42",
    host: "api.example.com",
    body_size: 12,
    headers: {
      "content-type": "application/json",
      accept: "*/*",
      "user-agent": "curl/8",
      "x-request-id": "abc",
      authorization: "Bearer x",
      "x-tenant": "acme",
      "content-length": "12",
      host: "api.example.com",
    },
  },
  dns: { query: "api.example.com", record_type: "A" },
  docker: { image: "alpine:3.20", command: ["sh"], volumes: [], env_keys: [], capabilities: [] },
  run: {
    tool: "git",
    args: ["a", "b", "c", "d", "e", "f", "g", "h", "i", "--force"],
    flags: [],
    cwd: "/w",
    context: {},
  },
};
