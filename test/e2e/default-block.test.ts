// No flag and no variable of the daemon allows a request that no rule matches (S003-FR-010). The flags come from its
// table, so a new one with a value must get values here.
import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { type NamedFlag, namedFlags } from "../../src/command/command.ts";
import { variablesOf } from "../../src/command/flag-values.ts";
import { OUTCALLD } from "../../src/daemon/program.ts";
import { missingProgram, missingRoot, requirement } from "../support/container/container.ts";
import { callSocket, daemonArgv, type DaemonFiles, layOut } from "../support/program/daemon.ts";

setDefaultTimeout(120_000);

const RULES = {
  "a.yaml": 'version: "1"\nrules:\n' +
    '  - {id: one, condition: run.tool == "ls", action: allow}\n' +
    "  - {id: fails, condition: metadata.nope == 1, action: allow}\n",
};

const BASE: Readonly<Record<string, string>> = { containers: "namespace", bridge: "none" };

/** Values for the flags without choices; flags for paths get the test's own paths too. */
const VALUES: Readonly<Record<string, (files: DaemonFiles) => readonly string[]>> = {
  "rules-dir": ({ dir, rulesDir }) => [rulesDir, `${dir}/allow`, "allow"],
  socket: ({ dir, hostSocket }) => [hostSocket, `${dir}/host/allow`, "allow"],
  "agent-socket": ({ dir, agentSocket }) => [agentSocket, `${dir}/agent/allow`, "allow"],
  "state-dir": ({ dir }) => [`${dir}/state`, `${dir}/allow`],
  "docker-socket": ({ dir }) => [`${dir}/docker.sock`, "allow"],
  bridge: () => ["none", "lo", "outcall0", "allow"],
  "agent-timeout": () => ["1ms", "5s", "60m", "0", "allow"],
  "agent-perm-rate": () => ["1/1", "1000000/86400", "0/1", "allow"],
  "agent-rule-rate": () => ["1/1", "1000000/86400", "allow"],
  "operators-group": () => ["daemon", "nothing-of-this-name"],
  "cgroup-owner": () => ["0", "1000", "allow"],
  "require-label": () => ["allow", "allow=true", ""],
  rulespec: ({ dir }) => [`${dir}/allow`, "allow", ""],
  "rulespec-dir": ({ dir }) => [dir, `${dir}/allow`, "allow", ""],
  "log-keep": () => ["1h", "8w", "allow"],
  "log-max": () => ["1MB", "2TB", "allow"],
};

/** With these flags, this daemon never serves: it only checks the rules, or its container source has no labels. */
const NEVER_SERVED: ReadonlySet<string> = new Set(["check", "require-label"]);

const made: DaemonFiles[] = [];
afterAll(() => made.forEach(({ dir }) => rmSync(dir, { recursive: true, force: true })));

const CONTEXTS = [{}, { run: { tool: "rm" } }, { network: { port: 443 }, metadata: {} }];

type Setting = {
  readonly flags: Readonly<Record<string, string | true>>;
  readonly environment?: Record<string, string>;
};

// The daemon's answers to requests that no rule matches; empty if it does not serve.
async function decisionsOf(files: DaemonFiles, { flags, environment = {} }: Setting): Promise<readonly unknown[]> {
  const given = Object.entries({ ...BASE, ...flags }).map((
    [name, value],
  ) => (value === true ? `--${name}` : `--${name}=${value}`));
  const own = daemonArgv(files, []);
  const argv = own.filter((_, at) => !isGiven(own[at], flags) && !isGiven(own[at - 1], flags));
  // A bridge that the daemon creates disappears with this network namespace.
  const [command = "", ...args] = ["unshare", "-n", ...argv, ...given];
  const child = spawn(command, args, {
    cwd: files.dir,
    stdio: "ignore",
    env: { PATH: "/usr/bin:/bin", ...environment },
  });
  const socket = String(flags["socket"] ?? files.hostSocket);
  const ended = once(child, "exit");
  try {
    for (;;) {
      if (child.exitCode !== null) return [];
      const answers = await Promise.all(CONTEXTS.map((context) => ask(socket, context)));
      if (!answers.includes(null)) return answers;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  } finally {
    child.kill("SIGKILL");
    await ended;
  }
}

function isGiven(word: string | undefined, flags: Setting["flags"]): boolean {
  return word !== undefined && word.startsWith("--") && word.slice(2) in flags;
}

// Null until the socket accepts connections.
async function ask(hostSocket: string, context: unknown): Promise<unknown> {
  try {
    const { status, body } = await callSocket(hostSocket, "POST", "/api/v1/rule/evaluate", { context });
    return { status, body };
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : cause;
    if (code === "ENOENT" || code === "ECONNREFUSED") return null;
    throw cause;
  }
}

const BLOCKED = { decision: "block", matched_rule: null, file: null, logged: false };

// A serving daemon blocks. Without its bridge, or without serving, it decides nothing.
function expectNoAllow(answers: readonly unknown[]): "served" | "refused" {
  if (answers.length === 0) return "refused";
  const without = {
    success: false,
    error: "rule evaluation unavailable: bridge is not up",
    code: "daemon.bridge-down",
  };
  const fine: readonly unknown[] = [{ status: 200, body: { success: true, data: BLOCKED } }, {
    status: 503,
    body: without,
  }];
  for (const answer of answers) expect(fine).toContainEqual(answer);
  return "served";
}

const { label, skip } = requirement("starting outcalld", missingRoot(), missingProgram("unshare"));

describe.skipIf(skip)(label, () => {
  const flags = OUTCALLD.commands.flatMap((command) => namedFlags(command.flags));

  function variableOf(flag: NamedFlag): string {
    return variablesOf(flag)[0] ?? "";
  }

  function settingsOf(flag: NamedFlag, files: DaemonFiles): readonly Setting[] {
    if (flag.value === undefined) {
      const variables = ["1", "0"].map((text) => ({ flags: {}, environment: { [variableOf(flag)]: text } }));
      const negated: readonly Setting[] = flag.negatable === true ? [{ flags: { [`no-${flag.name}`]: true } }] : [];
      return [{ flags: { [flag.name]: true } }, ...negated, ...variables];
    }
    const values = flag.choices ?? VALUES[flag.name]?.(files) ?? [];
    expect(values.length, `values of --${flag.name}`).toBeGreaterThan(0);
    return values.flatMap((value) => [
      { flags: { [flag.name]: value } },
      { flags: {}, environment: { [variableOf(flag)]: value } },
    ]);
  }

  for (const flag of flags) {
    test(`--${flag.name} and ${variableOf(flag)}`, async () => {
      const files = layOut(RULES);
      made.push(files);
      const outcomes: string[] = [];
      for (const setting of settingsOf(flag, files)) outcomes.push(expectNoAllow(await decisionsOf(files, setting)));
      if (!NEVER_SERVED.has(flag.name)) expect(outcomes).toContain("served");
    });
  }

  test("variables that are none", async () => {
    const files = layOut(RULES);
    made.push(files);
    const names = ["DEFAULT", "DEFAULT_ACTION", "DEFAULT_DECISION", "ALLOW", "PERMISSIVE", "DISABLE", "MODE", "DEBUG"];
    const environment = Object.fromEntries(
      names.flatMap((name) => [[`OUTCALL_${name}`, "allow"], [`OUTCALLD_${name}`, "1"]]),
    );
    expect(expectNoAllow(await decisionsOf(files, { flags: {}, environment }))).toBe("served");
  });

  test("and a request that a rule matches is allowed", async () => {
    const files = layOut({ "a.yaml": 'version: "1"\nrules: [{id: all, condition: "true", action: allow}]\n' });
    made.push(files);
    const answers = await decisionsOf(files, { flags: {} });
    const data = { decision: "allow", matched_rule: "all", file: "a.yaml", logged: false };
    expect(answers).toEqual(CONTEXTS.map(() => ({ status: 200, body: { success: true, data } })));
  });
});
