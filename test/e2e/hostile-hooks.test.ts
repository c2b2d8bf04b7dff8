// Hooks that misbehave, in the built daemon: each counts as failed, its processes end, and other requests are answered
// meanwhile.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { missingRoot, requirement } from "../support/container/container.ts";
import { callSocket } from "../support/program/daemon.ts";
import { RuleHost } from "../support/rule/host.ts";

setDefaultTimeout(120_000);

const HOOKS: readonly (readonly [name: string, script: string, reason: RegExp])[] = [
  ["forks", "while :; do sleep 987654 & done", /over its time of 500 ms/],
  ["keeps-the-pipe", "sleep 987654 & wait", /over its time of 500 ms/],
  ["gigabyte", "exec head -c 1000000000 /dev/zero", /wrote over 64 KiB/],
  ["gigabyte-of-errors", "head -c 1000000000 /dev/zero >&2; exit 1", /over its time of 500 ms|exit status 1/],
  ["closed-input", "exec 0<&-; exit 9", /exit status 9/],
  ["deaf", "trap '' TERM INT HUP; while :; do sleep 987654; done", /over its time of 500 ms/],
  ["stopped", "kill -STOP $$", /over its time of 500 ms/],
  ["daemon-gone", "kill -KILL $$", /ended by SIGKILL/],
];

const RULES = `version: "1"
rules:
${HOOKS.map(([name]) => enrichRule(name)).join("")}  - {id: needs, condition: '"bad" in enriched', action: block}
  - {id: rest, condition: 'run.tool != ""', action: allow}
`;

function enrichRule(name: string): string {
  const enrich = `{script: ${name}.sh, timeout_ms: 500}`;
  return `  - {id: ${name}, condition: 'run.tool == "${name}"', action: enrich, enrich: ${enrich}}\n`;
}

// The sleeping child processes of hooks, recognized by a unique sleep time.
function sleepers(): readonly string[] {
  return readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && commandOf(pid).includes("987654"));
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

const { label, skip } = requirement("hostile hooks", missingRoot());

describe.skipIf(skip)(label, () => {
  let host: RuleHost;
  beforeAll(async () => {
    const scripts = Object.fromEntries(HOOKS.map(([name, script]) => [`${name}.sh`, script]));
    host = await RuleHost.start({ "a.yaml": RULES }, scripts);
  });
  afterAll(() => host.dispose());

  for (const [name, , reason] of HOOKS) {
    test(`${name}: a failed hook, and the daemon answers others meanwhile`, async () => {
      let isDone = false;
      const decided = host.evaluate({ run: { tool: name } }).finally(() => (isDone = true));
      let answered = 0;
      while (!isDone) {
        const health = await callSocket(host.files.hostSocket, "GET", "/api/v1/health");
        expect(health.status).toBe(200);
        answered++;
      }
      expect(await decided).toMatchObject({ decision: "block", matched_rule: "needs" });
      expect(answered).toBeGreaterThan(0);
      const warnings = host.logged({ event: "rule.unevaluable", rule: name });
      expect(warnings.map((warning) => String(warning["message"])).join("\n")).toMatch(reason);
      expect(sleepers()).toEqual([]);
      expect(await host.evaluate({ run: { tool: "other" } })).toMatchObject({ decision: "allow" });
    });
  }

  test("all at once, more than may run: each is answered, and nothing stays", async () => {
    const asked = Array.from({ length: 24 }, (_, at) => HOOKS[at % HOOKS.length]?.[0] ?? "");
    const decided = await Promise.all(asked.map((name) => host.evaluate({ run: { tool: name } })));
    expect(decided.map((each) => each.decision)).toEqual(asked.map(() => "block"));
    expect(sleepers()).toEqual([]);
  });
});
