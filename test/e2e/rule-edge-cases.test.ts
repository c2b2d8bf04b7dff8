// The edge cases of the rule engine by name, on the built daemon and commands (S003-EC).
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { missingRoot, requirement } from "../support/container/container.ts";
import { daemonArgv, layOut } from "../support/program/daemon.ts";
import { workloadFiles } from "../support/generate/workload.ts";
import { asUser, ORDINARY_UID } from "../support/host/namespace.ts";
import { DEBUG_FLAGS, refuseToStart, type RuleHost, ruleHosts } from "../support/rule/host.ts";
import { runProgram } from "../support/program/run-program.ts";

setDefaultTimeout(120_000);

const start = ruleHosts();

const GIT = { run: { tool: "git" } };

/** An enrich rule, a block that needs its output, and an allow after both. */
function hooked(script: string, more = ""): string {
  return `version: "1"
rules:
  - {id: ask, condition: 'run.tool == "git"', action: enrich, enrich: {script: ${script}${more}}}
  - {id: needs, condition: '"bad" in enriched && enriched["bad"] == true', action: block}
  - {id: rest, condition: 'run.tool == "git"', action: allow}
  - {id: other, condition: 'run.tool == "ls"', action: allow}
`;
}

// Expects a warning for the failed hook; the evaluation continues, and the block that needs the hook blocks.
async function expectFailedHook(host: RuleHost, reason: RegExp): Promise<void> {
  expect(await host.evaluate(GIT)).toMatchObject({ decision: "block", matched_rule: "needs" });
  expect(await host.evaluate({ run: { tool: "ls" } })).toMatchObject({ matched_rule: "other" });
  const warnings = host.daemon.records.filter((record) => record["level"] === "warning");
  expect(warnings.map((record) => JSON.stringify(record)).join("\n")).toMatch(reason);
}

const { label, skip } = requirement("the rule engine's edge cases", missingRoot());

describe.skipIf(skip)(label, () => {
  test("S003-EC-001 an invalid expression: file, line, column, rule and reason", () => {
    const text =
      'version: "1"\nrules:\n  - id: block-scalar\n    condition: |\n      run.tool == "a" &&\n        run.tool = "b"\n' +
      "    action: allow\n";
    const refused = refuseToStart({ "a.yaml": text });
    expect(refused.status).toBe(1);
    expect(refused.stderr).toMatch(/a\.yaml:6:\d+: error\[rule\.cel-syntax\]: .+/);
    expect(refused.stderr).toContain("block-scalar");
  });

  test("S003-EC-002 a namespace that is absent has no value", async () => {
    const host = await start({
      "a.yaml": `version: "1"
rules:
  - {id: not-evil, condition: 'http.host != "evil.example"', action: allow}
  - {id: either, condition: 'dns.query == "x" || http.host == "x"', action: block}
`,
    });
    expect(await host.evaluate({ dns: { query: "y" } })).toMatchObject({ decision: "block", matched_rule: null });
    expect(await host.evaluate({ dns: { query: "x" } })).toMatchObject({ matched_rule: "either" });
    expect(await host.evaluate({ http: { host: "x" } })).toMatchObject({ matched_rule: "not-evil" });
    expect(host.logged({ event: "rule.unevaluable" })).toEqual([]);
  });

  test("S003-EC-003 a hook over its time: killed, a warning, evaluation goes on", async () => {
    const host = await start({ "a.yaml": hooked("slow.sh", ", timeout_ms: 200") }, { "slow.sh": "sleep 1000 & wait" });
    await expectFailedHook(host, /200/);
  });

  test("S003-EC-004 a hook that does not exist: a warning at load and when reached", async () => {
    const host = await start({ "a.yaml": hooked("nowhere.sh") });
    await host.daemon.record({ event: "rule.warning", code: "rule.hook-missing" });
    await expectFailedHook(host, /nowhere\.sh/);
  });

  test("S003-EC-005 a hook that exits with another status than 0", async () => {
    const script = `echo '{"bad": false}'; echo went wrong >&2; exit 3`;
    const host = await start({ "a.yaml": hooked("fails.sh") }, { "fails.sh": script });
    await expectFailedHook(host, /3.*went wrong/);
  });

  test("S003-EC-006 a directory without rules: starts, warns, blocks", async () => {
    const host = await start({});
    await host.daemon.record({ event: "rule.warning", code: "rule.empty" });
    expect(await host.evaluate(GIT)).toEqual({ decision: "block", matched_rule: null, file: null, logged: false });
  });

  test("S003-EC-007 the same id in two files: both places", () => {
    const text = 'version: "1"\nrules:\n  - {id: twice, condition: "false", action: block}\n';
    const refused = refuseToStart({ "a.yaml": text, "b.yaml": text });
    expect(refused.status).toBe(1);
    expect(refused.stderr).toMatch(/b\.yaml:3:\d+: error\[rule\.duplicate-id\]: .*twice.*a\.yaml:3/);
  });

  const VERSIONS = [
    ['"2"', /"2"/],
    ["1", /1[\s\S]*quote it/],
    ["", /version/],
  ] as const;
  test.each(VERSIONS)("S003-EC-008 version %p: file, line and what was found", (version, said) => {
    const refused = refuseToStart({ "a.yaml": `version: ${version}\nrules: []\n` });
    expect(refused.status).toBe(1);
    expect(refused.stderr).toMatch(/a\.yaml:1:\d+: error\[rule\.version\]/);
    expect(refused.stderr).toMatch(said);
  });

  test("S003-EC-009 an undefined definition: file, rule and name", () => {
    const refused = refuseToStart({
      "a.yaml": `version: "1"\nrules:\n  - {id: uses, condition: '$missing', action: allow}\n`,
    });
    expect(refused.status).toBe(1);
    expect(refused.stderr).toMatch(/a\.yaml:3:\d+: error\[rule\.undefined-definition\]: .*missing/);
    expect(refused.stderr).toContain("uses");
  });

  test("S003-EC-010 definitions in a circle: file and chain, used or not", () => {
    const refused = refuseToStart({
      "a.yaml": `version: "1"\ndefinitions:\n  a: $b || true\n  b: $a && true\nrules: []\n`,
    });
    expect(refused.status).toBe(1);
    expect(refused.stderr).toMatch(/a\.yaml:[34]:\d+: error\[rule\.definition-cycle\]: .*(a -> b -> a|b -> a -> b)/);
  });

  test("S003-EC-011 definitions and no rules: loads, with a warning", async () => {
    const host = await start({ "a.yaml": `version: "1"\ndefinitions:\n  a: run.tool == "x"\n` });
    await host.daemon.record({ event: "rule.warning", code: "rule.no-rules" });
  });

  test("S003-EC-012 a result that is no boolean: no match for an allow, a block for a block", async () => {
    const text = (action: string) =>
      `version: "1"
rules:
  - {id: no-bool, condition: 'metadata["k"]', action: ${action}}
  - {id: rest, condition: 'run.tool == "git"', action: ${action === "allow" ? "block" : "allow"}}
`;
    const context = { ...GIT, metadata: { k: "yes" } };
    const allowing = await start({ "a.yaml": text("allow") });
    expect(await allowing.evaluate(context)).toMatchObject({ decision: "block", matched_rule: "rest" });
    const blocking = await start({ "a.yaml": text("block") });
    expect(await blocking.evaluate(context)).toMatchObject({ decision: "block", matched_rule: "no-bool" });
    for (const host of [allowing, blocking]) {
      const warning = await host.daemon.record({ event: "rule.unevaluable", rule: "no-bool" });
      expect(JSON.stringify(warning)).toMatch(/a\.yaml/);
      expect(JSON.stringify(warning)).toMatch(/string/);
    }
  });

  test("S003-EC-013 a rules directory that does not exist: named", () => {
    const refused = refuseToStart({}, ({ rulesDir }) => rmSync(rulesDir, { recursive: true }));
    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain(refused.files.rulesDir);
  });

  test("S003-EC-014 a file that cannot be read: named", () => {
    // Root can read any file, but cannot read a directory as a file, or a broken link.
    const refused = refuseToStart({}, ({ rulesDir }) => {
      mkdirSync(join(rulesDir, "dir.yaml"));
      symlinkSync("/nowhere/at/all", join(rulesDir, "link.yaml"));
    });
    expect(refused.status).toBe(1);
    for (const name of ["dir.yaml", "link.yaml"]) expect(refused.stderr).toMatch(new RegExp(`${name}.*rule\\.file`));
  });

  test("S003-EC-014 a file that the daemon's user may not read: named", async () => {
    const files = layOut({ "a.yaml": `version: "1"\n`, "secret.yaml": `version: "1"\n` });
    chmodSync(join(files.rulesDir, "secret.yaml"), 0o600);
    const done = await runProgram([...asUser(ORDINARY_UID), ...daemonArgv(files, DEBUG_FLAGS)]);
    rmSync(files.dir, { recursive: true });
    expect(done).toMatchObject({ code: 1, stdout: "" });
    expect(done.stderr).toMatch(/secret\.yaml:1:1: error\[rule\.file\]: .*permission denied/);
    expect(done.stderr).not.toContain("a.yaml");
  });

  test("S003-EC-018 malformed YAML: file and place", () => {
    for (const text of ['version: "1"\nrules: [\n', "a: b: c\n", 'version: "1"\nversion: "1"\n', "\t- a\n"]) {
      const refused = refuseToStart({ "broken.yaml": text });
      expect(refused.status).toBe(1);
      expect(refused.stderr).toMatch(/broken\.yaml:\d+:\d+: error\[rule\.yaml\]/);
    }
  });

  test("S003-EC-019 ten thousand rules: loaded, listed, and the last of them decides", async () => {
    const host = await start(Object.fromEntries(workloadFiles(10_000).map(({ name, text }) => [name, String(text)])));
    const request = { network: { hostname: "api.example.com" }, http: { method: "GET", path: "/" } };
    expect(await host.evaluate(request)).toMatchObject({ decision: "allow", matched_rule: "r9999" });
    await host.daemon.record({ event: "decision", rule: "r9999" });
    expect(host.logged({ event: "decision" })).toHaveLength(1);
    expect((await host.outcall("status")).stdout).toMatch(/10,?000 rules|10000/);
  });

  test("S003-EC-020 other files in the directory are not read", async () => {
    const allow = `version: "1"\nrules:\n  - {id: git, condition: 'run.tool == "git"', action: allow}\n`;
    const host = await start({ "a.yml": allow, "b.yaml.bak": allow, "c.txt": "\u0000", ".hidden": ":" });
    mkdirSync(join(host.files.rulesDir, "deeper"));
    host.write("deeper/d.yaml", allow);
    expect(await host.evaluate(GIT)).toMatchObject({ decision: "block", matched_rule: null });
    chmodSync(join(host.files.rulesDir, "c.txt"), 0o000);
    expect((await host.outcall("rule", "list", "--json")).code).toBe(0);
  });
});
