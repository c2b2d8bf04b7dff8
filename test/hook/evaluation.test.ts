// Rules with hooks, from rule files and scripts to decisions: in the evaluation, in the daemon and in the command.
import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { BridgeProbe } from "../../src/bridge/state.ts";
import { openRules } from "../../src/cli/offline.ts";
import { systemClock } from "../../src/core/clock.ts";
import type { Context } from "../../src/core/context.ts";
import { createCounts } from "../../src/decision/counts.ts";
import { decide, type DecideDeps } from "../../src/decision/decide.ts";
import { RuleTime } from "../../src/decision/rule-time.ts";
import type { LogFields } from "../../src/log/logger.ts";
import { FairQueue } from "../../src/core/fair-queue.ts";
import { LiveRules } from "../../src/reload/live-rules.ts";
import { HookRunner } from "../../src/hook/runner.ts";
import { evaluateWithHooks, type HookOptions } from "../../src/rule/evaluate-rules.ts";
import { loadRules } from "../../src/rule/load-rules.ts";
import type { RuleSet } from "../../src/rule/rule-set.ts";
import { completed } from "../support/plain/complete-context.ts";
import { memoryAudit } from "../support/audit/audit.ts";
import { ScriptDir } from "../support/rule/hook.ts";

function load(dir: ScriptDir, rules: readonly string[]): RuleSet {
  dir.write("r.yaml", `version: "1"\nrules:\n${rules.map((rule) => `  - ${rule}\n`).join("")}`, 0o644);
  const { set, findings } = loadRules({ dir: dir.path, trust: "owner" });
  if (set === null) throw new Error(JSON.stringify(findings));
  return set;
}

function hooksOf(dir: ScriptDir, signal = new AbortController().signal): HookOptions {
  const hooks = new HookRunner(dir.path);
  return { runHook: (rule, input, turn) => hooks.run(rule, input, turn), turn: { requester: "a", signal } };
}

function git(more: Partial<NonNullable<Context["run"]>> = {}): Context {
  return completed({ run: { tool: "git", args: [], flags: [], cwd: "/w", context: {}, ...more } });
}

const ls = (context: Context = {}) => completed({ run: { tool: "ls", context: {} }, ...context });

const BRANCH = `#!/bin/sh
if grep -q '"tool" *: *"git"'; then echo '{"branch":"dev"}'; else exit 3; fi
`;
const FAIL = `#!/bin/sh
echo '{"deny": false}'
exit 1
`;

type Case = {
  readonly note: string;
  readonly rules: readonly string[];
  readonly scripts: Readonly<Record<string, string>>;
  readonly requests: readonly {
    readonly context: Context;
    readonly decision: "allow" | "block";
    readonly rule: string | null;
  }[];
};

const CASES: readonly Case[] = [
  {
    note: "a hook adds to run.context and enriched for later rules, and cannot be posed as",
    rules: [
      "{id: early, condition: 'has(run.context.branch)', action: allow}",
      `{id: look, condition: 'run.tool == "git"', action: enrich, enrich: {script: branch.sh}}`,
      `{id: main, condition: 'enriched.branch == "main"', action: block}`,
      `{id: dev, condition: 'run.context.branch == "dev" && enriched.branch == "dev"', action: allow}`,
    ],
    scripts: { "branch.sh": BRANCH },
    requests: [
      { context: git({ args: ["push"] }), decision: "allow", rule: "dev" },
      { context: ls(), decision: "block", rule: "main" },
    ],
  },
  {
    note: "a failed hook cannot help an agent",
    rules: [
      `{id: look, condition: 'run.tool == "git"', action: enrich, enrich: {script: fail.sh}}`,
      `{id: deny, condition: 'has(enriched.deny) && run.tool == "git"', action: block}`,
      `{id: posed, condition: 'run.context.approved == true', action: allow}`,
      `{id: word, condition: 'metadata.ok == true && run.tool == "ls"', action: allow}`,
      `{id: rest, condition: 'run.tool in ["git", "ls"]', action: allow}`,
    ],
    scripts: { "fail.sh": FAIL },
    requests: [
      { context: git({ context: { approved: true } }), decision: "block", rule: "deny" },
      { context: ls({ run: { tool: "ls", context: { approved: true } } }), decision: "allow", rule: "posed" },
      { context: ls({ metadata: { ok: true } }), decision: "allow", rule: "word" },
    ],
  },
  {
    note: "a later hook sees what an earlier one added, and wins over it and over the agent's words",
    rules: [
      `{id: one, condition: 'true', action: enrich, enrich: {script: one.sh}}`,
      `{id: two, condition: 'enriched.a == 1', action: enrich, enrich: {script: two.sh}}`,
      `{id: ok, condition: 'enriched.a == 2 && run.context.a == 2 && enriched.seen == true && enriched.b == 1', action: allow}`,
    ],
    scripts: {
      "one.sh": `#!/bin/sh\necho '{"a": 1, "b": 1, "target": "x", "action_type": "x"}'\n`,
      "two.sh": `#!/bin/sh\ngrep -q '"enriched":{"a":1,"b":1}' && echo '{"a": 2, "seen": true}'\n`,
    },
    requests: [{ context: git({ context: { a: 3 } }), decision: "allow", rule: "ok" }],
  },
  {
    note: "a hook that fails after one that did not leaves nothing of either",
    rules: [
      `{id: one, condition: 'true', action: enrich, enrich: {script: one.sh}}`,
      `{id: two, condition: 'true', action: enrich, enrich: {script: fail.sh}}`,
      `{id: three, condition: 'true', action: enrich, enrich: {script: one.sh}}`,
      `{id: kept, condition: 'enriched.a == 1', action: allow}`,
      `{id: guarded, condition: '"bad" in enriched', action: block}`,
      `{id: all, condition: 'run.tool == "git"', action: allow}`,
    ],
    scripts: { "one.sh": `#!/bin/sh\necho '{"a": 1}'\n`, "fail.sh": FAIL },
    requests: [{ context: git(), decision: "block", rule: "guarded" }],
  },
  {
    note: "a script that is missing is a failed hook",
    rules: [
      `{id: look, condition: 'true', action: enrich, enrich: {script: no.sh}}`,
      `{id: needs, condition: 'enriched.ok == true', action: allow}`,
      `{id: rest, condition: 'run.tool == "git"', action: allow}`,
    ],
    scripts: {},
    requests: [{ context: git(), decision: "allow", rule: "rest" }],
  },
];

describe("rules with hooks decide", () => {
  for (const { note, rules, scripts, requests } of CASES) {
    test(note, async () => {
      using dir = new ScriptDir();
      for (const [name, text] of Object.entries(scripts)) dir.write(name, text);
      const set = load(dir, rules);
      const offline = openRules(dir.path);
      if (!offline.ok) throw new Error("the rules do not load");
      for (const { context, decision, rule } of requests) {
        const evaluation = await evaluateWithHooks(set, context, hooksOf(dir));
        expect(evaluation.decision).toMatchObject({ decision, matched_rule: rule });
        expect(await offline.value(context)).toMatchObject({ decision, matched_rule: rule });
      }
    });
  }
});

test("a hook's failure is a warning that names its rule, file and reason", async () => {
  using dir = new ScriptDir();
  dir.write("fail.sh", "#!/bin/sh\necho 'no\tway' >&2\nexit 7\n");
  const set = load(dir, [`{id: look, condition: 'run.tool == "git"', action: enrich, enrich: {script: fail.sh}}`]);
  const { warnings, enriched } = await evaluateWithHooks(set, git(), hooksOf(dir));
  expect(warnings).toEqual([
    {
      rule: "look",
      file: "r.yaml",
      message: `hook failed: exit status 7: "no\\u{9}way"`,
      foreign: `"no\\u{9}way"`,
    },
  ]);
  expect(enriched).toBe("failed");
});

const SLOW = [
  `{id: slow, condition: 'run.tool == "git"', action: enrich, enrich: {script: slow.sh, timeout_ms: 60000}}`,
  `{id: next, condition: 'true', action: enrich, enrich: {script: next.sh}}`,
  `{id: all, condition: 'run.tool == "git"', action: allow}`,
];

test("an evaluation that is given up runs nothing more, and is a block", async () => {
  using dir = new ScriptDir();
  dir.writeShell("slow.sh", "sleep 1000 & wait");
  dir.write("next.sh", "#!/bin/sh\ntouch next\necho '{}'\n");
  const giveUp = new AbortController();
  const hooks = hooksOf(dir, giveUp.signal);
  const work = evaluateWithHooks(load(dir, SLOW), git(), {
    ...hooks,
    runHook: (rule, input, turn) => {
      setImmediate(() => giveUp.abort());
      return hooks.runHook(rule, input, turn);
    },
  });
  const { decision, warnings } = await work;
  expect(decision).toEqual({ decision: "block", matched_rule: null, file: null, logged: false });
  expect(warnings).toEqual([
    { rule: "slow", file: "r.yaml", message: "evaluation was stopped while the hook ran" },
  ]);
  expect(existsSync(join(dir.path, "next"))).toBe(false);
});

describe("decide gives a hook up when the time of the request passes", () => {
  function decidingOf(set: RuleSet, { runHook }: HookOptions): { deps: DecideDeps; events: string[] } {
    const events: string[] = [];
    const note = (event: string, _fields: LogFields) => void events.push(event);
    const deps = {
      rules: new LiveRules({ set, loadedAt: new Date(0) }),
      bridge: new BridgeProbe(null, systemClock),
      runHook,
      turns: new FairQueue({ runningPerKey: 16 }),
      clock: systemClock,
      ruleTime: new RuleTime(systemClock),
      counts: createCounts(),
      audit: memoryAudit().audit,
      log: { debug: note, info: note, warning: note, error: note },
    };
    return { deps, events };
  }
  const requester = { source: "agent", container: "c1" } as const;

  test("and answers with the time-out", async () => {
    using dir = new ScriptDir();
    dir.writeShell("slow.sh", "sleep 1000 & wait");
    dir.write("next.sh", "#!/bin/sh\ntouch next\necho '{}'\n");
    const ended = Promise.withResolvers<unknown>();
    const requesters: string[] = [];
    const hooks = hooksOf(dir);
    const { deps, events } = decidingOf(load(dir, SLOW), {
      ...hooks,
      runHook: async (rule, input, turn) => {
        requesters.push(turn.requester);
        const output = await hooks.runHook(rule, input, turn);
        ended.resolve(output);
        return output;
      },
    });
    const decided = await decide({ context: git(), rawTarget: null, requester, limit: { limitMs: 200 } }, deps);
    expect(decided.outcome).toMatchObject({ ok: false, error: { code: "daemon.evaluation-timeout" } });
    expect(events).toEqual(["decision.timeout"]);
    expect(deps.counts).toEqual({ allowed: 0, blocked: 1, refused: 0 });
    expect(await ended.promise).toEqual({ ok: false, error: "the evaluation was given up" });
    await dir.allEnded();
    expect(requesters).toEqual(["c1"]);
    expect(existsSync(join(dir.path, "next"))).toBe(false);
    expect(events).toEqual(["decision.timeout"]);
  });

  test("but not before", async () => {
    using dir = new ScriptDir();
    dir.writeShell("slow.sh", "echo '{}'");
    dir.write("next.sh", "#!/bin/sh\necho '{}'\n");
    const { deps } = decidingOf(load(dir, SLOW), hooksOf(dir));
    const decided = await decide({ context: git(), rawTarget: null, requester, limit: { limitMs: 60_000 } }, deps);
    expect(decided.outcome).toMatchObject({
      ok: true,
      value: { decision: { decision: "allow", matched_rule: "all" } },
    });
  });
});
