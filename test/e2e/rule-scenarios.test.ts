// The acceptance scenarios of the rule engine by name, on the built daemon and commands (S003-AS, S003-SC).
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { program } from "../support/program/programs.ts";
import { refuseToStart, ruleHosts } from "../support/rule/host.ts";
import { runProgram } from "../support/program/run-program.ts";
import { missingRoot, requirement } from "../support/container/container.ts";
import { SEED_RULES } from "../support/seed.ts";

setDefaultTimeout(120_000);

const start = ruleHosts();

function rule(id: string, condition: string, action: string, more = ""): string {
  return `  - {id: ${id}, condition: '${condition}', action: ${action}${more}}\n`;
}

function file(...rules: readonly string[]): string {
  return `version: "1"\nrules:\n${rules.join("")}`;
}

const GITHUB = {
  network: { hostname: "github.com" },
  http: { method: "GET", path: "/api/v3/user", host: "github.com" },
};
const PUSH = { run: { tool: "git", args: ["push"], flags: ["-f"], cwd: "/work" } };

const { label, skip } = requirement("the rule engine's scenarios", missingRoot());

describe.skipIf(skip)(label, () => {
  test("S003-AS-001 an allow rule matches the request", async () => {
    const host = await start(SEED_RULES);
    const decided = { decision: "allow", matched_rule: "allow-github-api", file: "00-base.yaml", logged: false };
    expect(await host.evaluate(GITHUB)).toEqual(decided);
  });

  test("S003-AS-002 a block rule matches the request, and is logged", async () => {
    const host = await start(SEED_RULES);
    const decided = { decision: "block", matched_rule: "block-force-push", file: "00-base.yaml", logged: true };
    expect(await host.evaluate(PUSH)).toEqual(decided);
  });

  test("S003-AS-003 no rule matches: block", async () => {
    const host = await start(SEED_RULES);
    const none = { decision: "block", matched_rule: null, file: null, logged: false };
    for (const context of [{}, { dns: { query: "github.com", record_type: "A" } }, { run: { tool: "git" } }]) {
      expect(await host.evaluate(context)).toEqual(none);
    }
  });

  test("S003-AS-004 the first match wins, and nothing after it is evaluated", async () => {
    const host = await start({
      "a.yaml": file(
        rule("first", `run.tool == "git"`, "block"),
        rule("second", `run.tool == "git"`, "allow"),
        rule("broken", `metadata["absent"] == 1`, "block"),
      ),
    });
    expect(await host.evaluate({ run: { tool: "git" }, metadata: {} })).toMatchObject({ matched_rule: "first" });
    expect(host.logged({ event: "rule.unevaluable" })).toEqual([]);
  });

  test("S003-AS-005 a definition is replaced by its expression", async () => {
    const text = 'version: "1"\ndefinitions:\n  is_github: network.hostname == "github.com"\n' +
      "rules:\n  - {id: api, condition: '$is_github && network.port == 443', action: allow}\n";
    const host = await start({ "a.yaml": text });
    expect(await host.evaluate({ network: { hostname: "github.com", port: 443 } })).toMatchObject({
      decision: "allow",
    });
    expect(await host.evaluate({ network: { hostname: "gitlab.com", port: 443 } })).toMatchObject({
      decision: "block",
    });
    const shown = await host.outcall("rule", "show", "api");
    expect(shown.stdout).toContain('network.hostname == "github.com"');
  });

  test("S003-AS-006 an enrich hook populates the context", async () => {
    const enrich = rule("ask", `run.tool == "git"`, "enrich", ", enrich: {script: ask.sh}");
    const allow = rule("on-main", `run.context["branch"] == "main" && enriched["branch"] == "main"`, "allow");
    const host = await start({ "a.yaml": file(enrich, allow) }, { "ask.sh": `cat >&2; echo '{"branch": "main"}'` });
    expect(await host.evaluate({ run: { tool: "git" } })).toMatchObject({ decision: "allow", matched_rule: "on-main" });
    expect(await host.evaluate({ run: { tool: "ls" } })).toMatchObject({ decision: "block", matched_rule: null });
  });

  test("S003-AS-007 a CEL error aborts the start, with every place", () => {
    const bad = rule("bad-one", "run.tool ==", "allow") + rule("bad-two", 'run.tol == "x"', "allow");
    const refused = refuseToStart({ "a.yaml": file(rule("good", `run.tool == "a"`, "allow"), bad) });
    expect(refused.status).toBe(1);
    expect(refused.stderr).toMatch(/a\.yaml:4:\d+: error\[rule\.cel-syntax\]/);
    expect(refused.stderr).toMatch(/a\.yaml:5:\d+: error\[rule\.unknown-field\]/);
    expect(refused.stderr).toContain("bad-one");
    expect(refused.stderr).toContain("bad-two");
  });

  test("S003-AS-008 an unused definition is a warning, and the daemon starts", async () => {
    const text = 'version: "1"\ndefinitions:\n  unused: run.tool == "x"\nrules: []\n';
    const host = await start({ "a.yaml": text });
    expect(await host.daemon.record({ event: "rule.warning", code: "rule.unused-definition" })).toMatchObject({
      level: "warning",
      message: expect.stringContaining("unused"),
    });
  });

  test("S003-AS-011 files in the order of their names", async () => {
    const host = await start({
      "10-late.yaml": file(rule("late", `run.tool == "git"`, "allow")),
      "00-early.yaml": file(rule("early", `run.tool == "git"`, "block")),
      "9.yaml": file(rule("by-code-unit", `run.tool == "git"`, "allow")),
    });
    expect(await host.evaluate({ run: { tool: "git" } })).toMatchObject({ matched_rule: "early" });
    const listed = await host.outcall("rule", "list", "--json");
    const ids: string[] = JSON.parse(listed.stdout).rules.map((each: { readonly id: string }) => each.id);
    expect(ids).toEqual(["early", "late", "by-code-unit"]);
  });

  test("S003-AS-015 the command lists the rules that are loaded", async () => {
    const host = await start(SEED_RULES);
    const listed = await host.outcall("rule", "list");
    expect(listed).toMatchObject({ code: 0, stderr: "" });
    expect(listed.stdout.split("\n")).toEqual([
      "ID                FILE          ACTION  CONDITION",
      expect.stringMatching(/^allow-github-api {2}00-base\.yaml {2}allow {3}\$is_github && http\.method in /),
      expect.stringMatching(/^block-force-push {2}00-base\.yaml {2}block {3}run\.tool == "git" && "-f" in run\.flags$/),
      "",
    ]);
  });

  test("S003-AS-016 the command tests an expression against a context", async () => {
    const host = await start(SEED_RULES);
    const context = JSON.stringify({ run: { tool: "git" } });
    const ask = (expr: string, ...more: readonly string[]) =>
      host.outcall("rule", "test", "--expr", expr, "--context", context, ...more);
    expect(await ask('run.tool == "git"')).toMatchObject({ code: 0, stdout: "Result: true\n", stderr: "" });
    expect(await ask('run.tool == "ls"')).toMatchObject({ code: 0, stdout: "Result: false\n", stderr: "" });
    expect(await ask('run.tool == "git"', "--offline")).toMatchObject({ code: 0, stdout: "Result: true\n" });
    const bad = await ask("run.tool ==");
    expect(bad).toMatchObject({ code: 1, stdout: "" });
    expect(bad.stderr).toMatch(/^Error: /);
  });

  test("S003-AS-017 a match of a rule with log: true is one record at info level", async () => {
    const host = await start(SEED_RULES);
    await host.evaluate(PUSH);
    const record = await host.daemon.record({ event: "decision", level: "info" });
    expect(record).toMatchObject({ rule: "block-force-push", file: "00-base.yaml", decision: "block" });
    expect(record["time"] ?? record["timestamp"] ?? record["@timestamp"]).toBeDefined();
    expect(host.logged({ event: "decision", level: "info" })).toHaveLength(1);
    await host.evaluate({ run: { tool: "ls" } });
    await host.daemon.record({ event: "decision", level: "debug", rule: "default-block" });
  });

  test("S003-AS-018 no daemon: the command says so", async () => {
    const socket = "/run/outcall-not-there/host.sock";
    const done = await runProgram([...program("outcall"), "--socket", socket, "rule", "list"]);
    const stderr = `Error: cannot connect to outcalld at ${socket} -- is it running?\n`;
    expect(done).toMatchObject({ code: 1, stdout: "", stderr });
  });

  const TYPES: readonly (readonly [member: string, value: unknown, condition: string])[] = [
    ["network.hostname", "a", `network.hostname == "a"`],
    ["network.ip", "10.0.0.1", `network.ip == "10.0.0.1"`],
    ["network.port", 65_535, "network.port == 65535"],
    ["network.protocol", "udp", `network.protocol == "udp"`],
    ["http.method", "GET", `http.method == "GET"`],
    ["http.path", "/a", `http.path == "/a"`],
    ["http.host", "a", `http.host == "a"`],
    ["http.headers", { "x-a": "1" }, `http.headers["x-a"] == "1"`],
    ["http.body_size", 2 ** 53 - 1, "http.body_size == 9007199254740991"],
    ["dns.query", "a", `dns.query == "a"`],
    ["dns.record_type", "A", `dns.record_type == "A"`],
    ["docker.image", "a", `docker.image == "a"`],
    ["docker.command", ["a"], `docker.command == ["a"]`],
    ["docker.volumes", ["/:/a"], `docker.volumes == ["/:/a"]`],
    ["docker.env_keys", ["A"], `"A" in docker.env_keys`],
    ["docker.capabilities", ["SYS_ADMIN"], `"SYS_ADMIN" in docker.capabilities`],
    ["run.tool", "git", `run.tool == "git"`],
    ["run.path", "/bin/git", `run.path == "/bin/git"`],
    ["run.cwd", "/w", `run.cwd == "/w"`],
    ["run.args", ["push"], `run.args == ["push"]`],
    ["run.flags", ["-f"], `"-f" in run.flags`],
    // Different arguments than above: `args` and `flags` follow from `argv`.
    ["run.argv", ["pull", "-n"], `run.argv == ["pull", "-n"]`],
    ["run.parsed", false, "!run.parsed"],
    ["run.context", { k: [1] }, `run.context["k"][0] == 1`],
    ["agent.id", "a", `agent.id == "a"`],
    ["agent.name", "a", `agent.name == "a"`],
    ["agent.image", "a", `agent.image == "a"`],
    ["agent.labels", { k: "v" }, `agent.labels["k"] == "v"`],
    ["envelope.verified", true, "envelope.verified"],
    ["envelope.outcome", "failed", `envelope.outcome == "failed"`],
    ["envelope.age_seconds", 3, "envelope.age_seconds == 3"],
    ["envelope.facts", { n: 1.5 }, `envelope.facts["n"] == 1.5`],
  ];

  test("S003-SC-014 one condition for each declared member", async () => {
    const rules = TYPES.map(([member, , condition]) =>
      `  - {id: ${member}, condition: '${condition}', action: allow}\n`
    );
    const alone = ["action_type", "target"].map((name) => rule(name, `${name} == "a"`, "allow"));
    const metadata = rule("metadata", `metadata["k"] == "v"`, "allow");
    const host = await start({ "a.yaml": file(...rules, ...alone, metadata) });
    for (const [member, value] of TYPES) {
      const [namespace = "", name = ""] = member.split(".");
      expect(await host.evaluate({ [namespace]: { [name]: value } })).toMatchObject({ matched_rule: member });
    }
    for (const name of ["action_type", "target"]) {
      expect(await host.evaluate({ [name]: "a" })).toMatchObject({ matched_rule: name });
    }
    expect(await host.evaluate({ metadata: { k: "v" } })).toMatchObject({ matched_rule: "metadata" });
  });
});
