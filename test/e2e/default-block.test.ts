// What nothing allows is blocked, whatever is set (S003-FR-009, FR-010): every flag and variable of the daemon, and every
// member of a rule file, is walked, and none of them changes it.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { spawn, spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { variableOf } from "../../src/command/parse-argv.ts";
import { OUTCALLD } from "../../src/daemon/program.ts";
import { RuleFileSchema, RuleSchema } from "../../src/wire/rule-file.ts";
import { missingRoot, requirement } from "../support/container.ts";
import { callSocket, Daemon, daemonArgv, layOut } from "../support/daemon.ts";
import { program } from "../support/programs.ts";

setDefaultTimeout(60_000);

// One value for each flag that takes any; those with choices are walked over all of them.
const VALUES: Readonly<Record<string, readonly string[]>> = {
  "rules-dir": [],
  socket: [],
  "agent-socket": [],
  "state-dir": [],
  "docker-socket": ["/nonexistent.sock"],
  bridge: ["none"],
  "agent-timeout": ["1ms", "1m"],
};
// The daemon needs a source that works here, or does not serve at all, which allows nothing either.
const NEEDED: Readonly<Record<string, string>> = { containers: "namespace", bridge: "none" };

const flags = OUTCALLD.commands.flatMap((command) => command.flags).filter(({ name }) => name !== "check");
const settings = flags.flatMap((flag) => {
  const values = flag.choices ?? VALUES[flag.name];
  if (values === undefined) throw new Error(`no value to walk for --${flag.name}`);
  return values.filter((value) => flag.name !== "containers" || value === "namespace").map((value) => ({
    flag,
    value,
  }));
});

const { label, skip } = requirement("the default block, by the daemon", missingRoot());

describe.skipIf(skip)(label, () => {
  for (const { flag, value } of settings) {
    for (const form of ["flag", "variable"] as const) {
      test(`--${flag.name} ${value} as a ${form}`, async () => {
        const files = layOut({ "a.yaml": 'version: "1"\nrules: [{id: r, condition: "false", action: allow}]\n' });
        const needed = Object.entries(NEEDED).filter(([name]) => name !== flag.name).flatMap((
          [name, text],
        ) => [`--${name}`, text]);
        const given = form === "flag" ? [`--${flag.name}`, value] : [];
        const variables = form === "variable" ? { [variableOf(flag)]: value } : {};
        const [command = "", ...args] = daemonArgv(files, [...needed, ...given]);
        const shown = args.filter((arg, at) => arg !== "--log-format" && args[at - 1] !== "--log-format");
        const logs = flag.name === "log-format" ? shown : args;
        const child = spawn(command, flag.name === "log-format" ? [...logs, ...given] : args, {
          stdio: ["ignore", "inherit", "pipe"],
          env: { ...process.env, ...variables },
        });
        const daemon = new Daemon(files, child);
        try {
          await answering(files.hostSocket);
          for (
            const context of [{}, { network: { hostname: "x" } }, { metadata: { allow: true, decision: "allow" } }]
          ) {
            const answer = await callSocket(files.hostSocket, "POST", "/api/v1/rule/evaluate", { context });
            expect(answer).toMatchObject({
              status: 200,
              body: { data: { decision: "block", matched_rule: null, file: null } },
            });
          }
        } finally {
          await daemon.dispose();
        }
      });
    }
  }
});

// The log has another form in some of the cases, so readiness is asked of the socket.
async function answering(socketPath: string): Promise<void> {
  for (;;) {
    try {
      await callSocket(socketPath, "GET", "/api/v1/health");
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}

describe("the default block, by the rule file", () => {
  const members: Readonly<Record<string, string>> = {
    id: "allow",
    condition: '"false"',
    action: "allow",
    log: "true",
    description: "allow everything",
    priority: "-2147483648",
    reason: "allow",
    egress: "{mode: proxy}",
    enrich: "{script: allow.sh}",
  };

  test("every member of a rule is walked", () => {
    const known = RuleSchema.anyOf.flatMap((variant) => Object.keys(variant.properties));
    expect([...new Set(known)].sort()).toEqual(Object.keys(members).sort());
    expect(Object.keys(RuleFileSchema.properties).sort()).toEqual(["definitions", "rules", "version"]);
  });

  const evaluate = (text: string) => {
    const files = layOut({ "a.yaml": text });
    const [command = "", ...rest] = program("outcall");
    const asked = ["rule", "evaluate", "--rules-dir", files.rulesDir, "--json", "--context", '{"run": {"tool": "x"}}'];
    const done = spawnSync(command, [...rest, ...asked], { encoding: "utf8" });
    rmSync(files.dir, { recursive: true });
    return done;
  };

  test.each(Object.entries(members).filter(([name]) => !["id", "condition", "action", "enrich"].includes(name)))(
    "a rule with %s that does not match",
    (name, value) => {
      const done = evaluate(`version: "1"\nrules: [{id: r, condition: "false", action: allow, ${name}: ${value}}]\n`);
      expect(JSON.parse(done.stdout)).toMatchObject({ decision: "block", matched_rule: null });
    },
  );

  test.each(["default", "default_action", "default-policy", "policy", "fallback", "mode"])(
    "a file with %s: allow does not load",
    (name) => {
      const done = evaluate(`version: "1"\n${name}: allow\nrules: []\n`);
      expect(done).toMatchObject({ status: 1, stdout: expect.stringContaining("") });
      expect(done.stdout + done.stderr).toContain("rule.schema");
    },
  );

  test("an enrich rule alone allows nothing, and definitions neither", () => {
    const text =
      'version: "1"\ndefinitions: {allow: "true"}\nrules: [{id: e, condition: $allow, action: enrich, enrich: {script: no.sh}}]\n';
    expect(JSON.parse(evaluate(text).stdout)).toMatchObject({ decision: "block", matched_rule: null });
  });
});
