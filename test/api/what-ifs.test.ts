// What-ifs of the operator to a running daemon: contexts are completed, made canonical or refused; the log has them as
// what-ifs; no counter includes them.
import { afterEach, describe, expect, test } from "bun:test";
import type { Entry } from "../../src/audit/entry.ts";
import { memoryAudit } from "../support/audit/audit.ts";
import { type AppBench, startApps } from "../support/socket/app-bench.ts";
import { askOnce } from "../support/socket/raw-http.ts";

const RULES = `version: "1"
rules:
  - {id: force, condition: '"-f" in run.flags', action: block}
  - {id: evil, condition: 'http.host == "evil.example" || "x-evil" in http.headers || http.method == "DELETE"', action: block}
  - {id: work, condition: 'target.startsWith("/workspace/")', action: allow}
  - {id: rest, condition: 'has(run.tool) || has(http.method)', action: allow, log: true}
`;

let bench: AppBench | undefined;
afterEach(async () => await bench?.stop());

async function start(kept = memoryAudit()) {
  const audit = { ...kept.audit, isAvailable: true, append: () => Promise.reject(new Error("a what-if was synced")) };
  bench = await startApps({ rules: RULES, deps: { audit } });
  const { hostSocket, deps } = bench;
  const post = async (path: string, body: unknown) => {
    const { status, body: text } = await askOnce(hostSocket, { path, body });
    return { status, ...JSON.parse(text) };
  };
  return {
    deps,
    kept,
    logged: bench.written,
    evaluate: (context: unknown) => post("/api/v1/rule/evaluate", { context }),
    test: (expression: string, context: unknown) => post("/api/v1/rule/test", { expression, context }),
    post,
  };
}

describe("POST /api/v1/rule/evaluate judges the context that the daemon would make", () => {
  const cases: readonly { note: string; context: unknown; rule: string | null }[] = [
    { note: "A1: argv alone has flags", context: { run: { tool: "git", argv: ["push", "-f"] } }, rule: "force" },
    {
      note: "A1: a cluster of argv too",
      context: { run: { tool: "git", argv: ["push", "-uf"] } },
      rule: "force",
    },
    {
      note: "A8: a flag behind -- counts",
      context: { run: { tool: "git", argv: ["commit", "-m", "--", "-f"] } },
      rule: "force",
    },
    {
      note: "A2: a target is resolved",
      context: { action_type: "file_access", target: "/workspace/../etc/shadow" },
      rule: null,
    },
    { note: "A8: a host", context: { http: { method: "GET", host: "EVIL.example." } }, rule: "evil" },
    { note: "A8: a method", context: { http: { method: "delete" } }, rule: "evil" },
    { note: "A8: a header", context: { http: { method: "GET", headers: { "X-Evil": "" } } }, rule: "evil" },
  ];
  for (const { note, context, rule } of cases) {
    test(note, async () => {
      const { evaluate } = await start();
      expect(await evaluate(context)).toMatchObject({ status: 200, data: { decision: "block", matched_rule: rule } });
    });
  }

  test("and refuses what contradicts itself, on both calls (422)", async () => {
    const asked = await start();
    const context = { run: { tool: "git", argv: ["push", "-f"], flags: [] } };
    const refused = { status: 422, success: false, error: "run.flags is not what follows from run.argv; leave it out" };
    expect(await asked.evaluate(context)).toMatchObject(refused);
    expect(await asked.test("true", context)).toMatchObject(refused);
    expect(asked.kept.kept).toEqual([]);
  });
});

describe("A5: what-ifs are on record as such", () => {
  const decided = (entry: Entry | undefined) => entry !== undefined && "decision" in entry ? entry : null;

  test("a decision: allowed, blocked, and by a rule with log", async () => {
    const { evaluate, kept, deps } = await start();
    await evaluate({ run: { tool: "x" } });
    await evaluate({ run: { tool: "x", argv: ["-f"] } });
    await evaluate({});
    expect(kept.kept.map((entry) => [entry.kind, entry.source, decided(entry)?.decision, decided(entry)?.rule]))
      .toEqual([
        ["what-if", "host", "allow", "rest"],
        ["what-if", "host", "block", "force"],
        ["what-if", "host", "block", "default-block"],
      ]);
    expect(deps.counts).toEqual({ allowed: 0, blocked: 0, refused: 0 });
  });

  test("the structured record of a rule with log says that it is a what-if", async () => {
    const { evaluate, logged } = await start();
    await evaluate({ run: { tool: "x" } });
    expect(logged.filter(({ event }) => event === "decision")).toMatchObject([
      { level: "info", fields: { rule: "rest", decision: "allow", source: "host", what_if: true } },
    ]);
  });

  test("a test of an expression, with its result or its error", async () => {
    const asked = await start();
    expect(await asked.test('"-f" in run.flags', { run: { tool: "x", argv: ["-f"] } })).toMatchObject({
      data: { result: true, error: null },
    });
    await asked.test("nothing", {});
    expect(asked.kept.kept).toMatchObject([
      { kind: "what-if", source: "host", expression: '"-f" in run.flags', result: true, error: null },
      { kind: "what-if", expression: "nothing", result: false, error: expect.stringContaining("nothing") },
    ]);
    expect(asked.deps.counts).toEqual({ allowed: 0, blocked: 0, refused: 0 });
  });
});

test("A9: a body with a duplicate member is refused on both sockets (400)", async () => {
  const { post } = await start();
  const twice = '{"context": {}, "context": {"run": {"tool": "x"}}}';
  const refused = { status: 400, error: 'invalid request: duplicate member "context"' };
  expect(await post("/api/v1/rule/evaluate", twice)).toMatchObject(refused);
  const agent = { path: "/v1/permissions/check", body: '{"action_type":"tool_exec","target":"a","t\\u0061rget":"b"}' };
  expect(await askOnce(bench?.agentSocket ?? "", agent)).toMatchObject({
    status: 400,
    body: expect.stringContaining('invalid request: duplicate member \\"target\\"'),
  });
});
