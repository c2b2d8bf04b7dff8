// The parts of a request that may be logged: secrets are planted everywhere, and none appears in the log.
import { describe, expect, test } from "bun:test";
import type { Context } from "../../src/core/context.ts";
import { cutQuery, summarize, summarizeRequest, summarizeTarget } from "../../src/log/summarize-context.ts";

const SECRET = "s3cret";

const FULL: Context = {
  action_type: "network_call",
  target: `https://user:${SECRET}@example.org/a?token=${SECRET}#${SECRET}`,
  metadata: { password: SECRET },
  observed: true,
  network: { hostname: "example.org", ip: "192.0.2.1", port: 443, protocol: "tcp" },
  http: {
    method: "GET",
    host: "example.org",
    path: `/a?k=${SECRET}`,
    query: `k=${SECRET}`,
    scheme: "https",
    headers: { authorization: SECRET },
    body_size: 3,
  },
  dns: { query: "example.org", record_type: "A" },
  docker: {
    operation: "container.create",
    target: "web",
    image: "alpine",
    command: [SECRET],
    volumes: [SECRET],
    env_keys: [SECRET],
    capabilities: [SECRET],
    privileged: true,
    network_mode: "none",
    pid_mode: "",
  },
  run: {
    tool: "curl",
    path: "/bin/curl",
    cwd: "/home",
    args: [SECRET],
    flags: [`--token=${SECRET}`],
    argv: [SECRET],
    executable: "/bin/curl",
    argv0: "curl",
    parsed: true,
    changed: false,
    env_keys: [`TOKEN=${SECRET}`],
    context: { password: SECRET },
  },
  agent: { id: "id", name: "builder", image: "alpine", labels: { key: SECRET } },
  envelope: { verified: true, outcome: "none", age_seconds: 1, facts: { key: SECRET } },
};

test("summarize keeps the plain members and no secret", () => {
  expect(summarize(FULL)).toBe([
    "action_type=network_call",
    "target=https://example.org/a",
    "observed=true",
    "network.hostname=example.org network.ip=192.0.2.1 network.port=443 network.protocol=tcp",
    "http.method=GET http.path=/a http.host=example.org http.scheme=https http.body_size=3",
    "dns.query=example.org dns.record_type=A",
    "docker.operation=container.create docker.target=web docker.image=alpine docker.privileged=true",
    "run.tool=curl run.path=/bin/curl run.cwd=/home run.args=1",
    "agent.name=builder",
  ].join(" "));
});

test("summarize leaves out what the context does not have", () => expect(summarize({})).toBe(""));

test("summarize shows a bool only where it is true", () => {
  expect(summarize({ observed: false, docker: { privileged: false } })).toBe("");
});

test("summarize escapes and cuts every text", () => {
  expect(summarize({ run: { tool: "\u001b[2J" }, network: { hostname: "a".repeat(999) } })).toBe(
    `network.hostname=${"a".repeat(200)}... run.tool=\\u{1b}[2J`,
  );
});

test("a shell line is never shown, since it holds arguments", () => {
  const line = `curl -H 'Authorization: ${SECRET}' https://x:${SECRET}@example.org`;
  const context: Context = { action_type: "shell_exec", target: line, run: { tool: "curl" } };
  expect(summarize(context)).toBe(`action_type=shell_exec target=<line ${line.length} bytes> run.tool=curl`);
  expect(summarizeTarget("shell_exec", line)).toBe(`<line ${line.length} bytes>`);
});

describe("cutQuery", () => {
  const cases: readonly (readonly [string, string])[] = [
    ["https://example.org/a?b=c", "https://example.org/a"],
    ["https://example.org", "https://example.org"],
    ["https://u:p@example.org/a", "https://example.org/a"],
    ["https://u@v:p@example.org/a", "https://example.org/a"],
    ["https://u:p@example.org", "https://example.org"],
    ["HTTPS://u:p@example.org", "HTTPS://example.org"],
    ["git+ssh://u:p@example.org", "git+ssh://example.org"],
    ["https://example.org/a@b", "https://example.org/a@b"],
    ["https://example.org/a#access_token=x", "https://example.org/a"],
    ["https://example.org#u@x", "https://example.org"],
    ["/tmp/a#b", "/tmp/a#b"],
    ["/tmp/a?b", "/tmp/a"],
    ["", ""],
  ];
  for (const [text, expected] of cases) test(text, () => expect(cutQuery(text)).toBe(expected));
});

test("summarizeRequest gives method and path without query, escaped", () => {
  const request = new Request("http://outcall.local/v1/x%1b?token=x", { method: "PUT" });
  expect(summarizeRequest(request)).toEqual({ method: "PUT", path: "/v1/x%1b" });
});
