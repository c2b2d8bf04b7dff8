// A decision is written to the log before its answer; if that fails, there is no decision.
import { expect, test } from "bun:test";
import type { DecisionEntry } from "../../src/audit/entry.ts";
import type { Context } from "../../src/core/context.ts";
import type { JsonObject } from "../../src/core/json.ts";
import { err, type Result } from "../../src/core/result.ts";
import { decide, type DecideDeps, type DecideQuestion } from "../../src/decision/decide.ts";
import type { Requester } from "../../src/decision/requester.ts";
import type { RunHook } from "../../src/rule/evaluate-rules.ts";
import { type AppBench, containerOf, startApps } from "../support/socket/app-bench.ts";
import { memoryAudit } from "../support/audit/audit.ts";
import { askOnce } from "../support/socket/raw-http.ts";

const RULES = `version: "1"
rules:
  - {id: look, condition: run.tool == "hooked", action: enrich, enrich: {script: a.sh}}
  - {id: look-loud, condition: run.tool == "loud-hook", action: enrich, log: true, enrich: {script: a.sh}}
  - {id: told, condition: run.tool == "told", action: block, reason: ask the operator}
  - {id: key, condition: 'run.tool == "key" && metadata[metadata.name] == 1', action: block}
  - {id: own, condition: 'run.tool == "own" && metadata.gone == 1', action: block}
  - {id: loud, condition: run.tool == "loud", action: allow, log: true}
  - {id: quiet, condition: 'run.tool in ["quiet", "hooked", "loud-hook"]', action: allow}
`;

const HOST = { source: "host", container: null } as const;
const AGENT = { source: "agent", container: "c".repeat(64) } as const;

async function withBench(
  options: { readonly runHook?: RunHook },
  work: (bench: AppBench, memory: ReturnType<typeof memoryAudit>) => Promise<void>,
): Promise<void> {
  const memory = memoryAudit();
  const deps: Partial<DecideDeps> = { audit: memory.audit, ...options };
  const bench = await startApps({ rules: RULES, deps });
  try {
    await work(bench, memory);
  } finally {
    await bench.stop();
  }
}

function question(requester: Requester, limitMs: number, context: Context): DecideQuestion {
  return { context, requester, limit: { limitMs }, rawTarget: context.target ?? null };
}

function contextOf(tool: string, metadata: JsonObject = {}): Context {
  return { run: { tool }, metadata, agent: { name: "web" }, action_type: "tool_exec", target: tool };
}

const cases: readonly { tool: string; metadata?: JsonObject; gives: Partial<DecisionEntry> }[] = [
  { tool: "quiet", gives: { decision: "allow", rule: "quiet", file: "a.yaml", reason: null, logged: false } },
  { tool: "loud", gives: { decision: "allow", rule: "loud", logged: true } },
  { tool: "told", gives: { decision: "block", rule: "told", reason: "ask the operator" } },
  { tool: "x", gives: { decision: "block", rule: "default-block", file: null, reason: "no rule allows tool_exec" } },
  {
    tool: "hooked",
    gives: {
      decision: "allow",
      hooks: ["look"],
      logged: false,
      errors: [{ rule: "look", file: "a.yaml", message: "hook failed: no hooks" }],
    },
  },
  { tool: "loud-hook", gives: { decision: "allow", hooks: ["look-loud"], logged: true } },
  {
    tool: "key",
    metadata: { name: "hunter2" },
    gives: {
      decision: "block",
      errors: [{ rule: "key", file: "a.yaml", message: "condition cannot be evaluated: no such key: <text 7 bytes>" }],
    },
  },
  {
    tool: "own",
    gives: {
      decision: "block",
      errors: [{ rule: "own", file: "a.yaml", message: `condition cannot be evaluated: no such key: "gone"` }],
    },
  },
];

for (const { tool, metadata, gives } of cases) {
  test(`what is kept of ${tool}`, async () => {
    await withBench({}, async ({ deps }, { kept }) => {
      await decide(question(AGENT, 1_000, contextOf(tool, metadata)), deps);
      expect(kept).toMatchObject([{
        kind: "decision",
        source: "agent",
        container: { id: AGENT.container, name: "web" },
        digest: deps.rules.current.set.digest,
        context: { run: { tool } },
        ...gives,
      }]);
    });
  });
}

test("B4: the output of a hook is hidden, whatever other parts of the message are shown", async () => {
  const runHook: RunHook = () =>
    Promise.resolve(err({ reason: 'script "a.sh" ended: "hunter2 "x""', foreign: '"hunter2 "x""' }));
  await withBench({ runHook }, async ({ deps }, { kept }) => {
    await decide(question(AGENT, 1_000, contextOf("hooked")), deps);
    const message = 'hook failed: script "a.sh" ended: <text 11 bytes>';
    expect(kept).toMatchObject([{ errors: [{ rule: "look", file: "a.yaml", message }] }]);
  });
});

test("a host's decision has no container, whatever its context says", async () => {
  await withBench({}, async ({ deps }, { kept }) => {
    await decide(question(HOST, 1_000, contextOf("quiet")), deps);
    expect(kept).toMatchObject([{ source: "host", container: { id: null, name: null } }]);
  });
});

test("a time-out is kept as a block that no rule decided", async () => {
  const runHook: RunHook = () => new Promise<Result<JsonObject, string>>(() => {});
  await withBench({ runHook }, async ({ deps }, { kept }) => {
    expect(await decide(question(AGENT, 10, contextOf("hooked")), deps)).toMatchObject({
      outcome: { error: { code: "daemon.evaluation-timeout" } },
      record: 1,
    });
    expect(kept).toMatchObject([{ decision: "block", rule: null, reason: "evaluation timeout" }]);
  });
});

test("audit.unavailable: nothing is decided while nothing can be kept, not even asked of a hook", async () => {
  let hooks = 0;
  const runHook: RunHook = () => {
    hooks++;
    return Promise.resolve(err("no"));
  };
  await withBench({ runHook }, async ({ deps }, memory) => {
    memory.isAvailable = false;
    for (const tool of ["quiet", "loud", "told", "hooked"]) {
      expect(await decide(question(AGENT, 1_000, contextOf(tool)), deps)).toMatchObject({
        outcome: { error: { code: "audit.unavailable", message: "decision log unavailable" } },
        record: null,
      });
    }
    expect({ hooks, counts: deps.counts }).toEqual({ hooks: 0, counts: { allowed: 0, blocked: 4, refused: 0 } });
  });
});

test("audit.unavailable: a decision that cannot be kept is none, by whichever way it was to be kept", async () => {
  await withBench({}, async (bench, memory) => {
    const unkept = err({ code: "audit.unavailable", message: "decision log unavailable" } as const);
    const audit = { isAvailable: true, append: () => Promise.resolve(unkept), queue: () => unkept };
    for (const tool of ["quiet", "loud", "told"]) {
      const decided = await decide(question(AGENT, 1_000, contextOf(tool)), { ...bench.deps, audit });
      expect(decided).toMatchObject({ outcome: { ok: false, error: { code: "audit.unavailable" } }, record: null });
    }
    expect(memory.kept).toEqual([]);
    expect(bench.deps.counts).toEqual({ allowed: 0, blocked: 3, refused: 0 });
  });
});

test("audit.unavailable on the sockets: a verdict for the agent, 503 for the host", async () => {
  await withBench({}, async ({ agentSocket, hostSocket }, memory) => {
    const { session_token } = JSON.parse((await askOnce(agentSocket, { path: "/v1/checkin" })).body).data;
    memory.isAvailable = false;
    const body = { action_type: "tool_exec", target: "quiet", session_token };
    expect(await askOnce(agentSocket, { path: "/v1/permissions/check", body })).toMatchObject({
      status: 200,
      body: '{"success":true,"data":{"allowed":false,"matched_rule":null,"reason":"decision log unavailable"}}',
    });
    const context = { run: { tool: "quiet" } };
    expect(await askOnce(hostSocket, { path: "/api/v1/rule/evaluate", body: { context } })).toMatchObject({
      status: 503,
      body: '{"success":false,"error":"decision log unavailable","code":"audit.unavailable"}',
    });
  });
});

test("a refusal is kept, and a misuse before it is answered", async () => {
  await withBench({}, async ({ agentSocket, sessions }, { kept }) => {
    const others = sessions.checkIn(containerOf("b"));
    if (!others.ok) throw new Error(others.error.message);
    await askOnce(agentSocket, { path: "/v1/checkin" });
    const body = { action_type: "tool_exec", target: "x", session_token: others.value.token };
    expect(await askOnce(agentSocket, { path: "/v1/permissions/check", body })).toMatchObject({ status: 401 });
    expect(kept).toMatchObject([
      {
        kind: "misuse",
        source: "agent",
        container: { id: "a", name: "name-of-a" },
        detail: { event: "agent.token-misuse" },
      },
      {
        kind: "refusal",
        container: { id: "a" },
        detail: { event: "agent.check.refused", code: "session.bad-token", status: 401 },
      },
    ]);
    expect(JSON.stringify(kept)).not.toContain(others.value.token);
  });
});
