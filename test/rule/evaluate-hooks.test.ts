// The input of hooks, the use of their output, and the effect of a failed hook.
import { describe, expect, test } from "bun:test";
import type { Context } from "../../src/core/context.ts";
import type { JsonObject } from "../../src/core/json.ts";
import { evaluateWithHooks } from "../../src/rule/evaluate-rules.ts";
import { by, hooks, setOf, warned } from "../support/rule/texts.ts";

describe("hooks", () => {
  test("get the context and the output of earlier hooks", async () => {
    const context: Context = { run: { tool: "git", context: { a: "agent" } }, target: "t" };
    const seen: unknown[] = [];
    const set = setOf(["true", "enrich"], ["enriched.a == 1", "enrich"], [
      "enriched.b == 2 && run.context.a == 1",
      "allow",
    ]);
    const evaluation = await evaluateWithHooks(set, context, hooks({ "h0.sh": { a: 1 }, "h1.sh": { b: 2 } }, seen));
    expect([by(evaluation), warned(evaluation)]).toEqual(["allow by r2", []]);
    expect(seen).toEqual([
      ["h0.sh", { run: { tool: "git", context: { a: "agent" } }, target: "t", enriched: {} }],
      ["h1.sh", { run: { tool: "git", context: { a: 1 } }, target: "t", enriched: { a: 1 } }],
    ]);
    expect(evaluation.hooks.map(({ id }) => id)).toEqual(["r0", "r1"]);
    // The original context does not change.
    expect(context).toEqual({ run: { tool: "git", context: { a: "agent" } }, target: "t" });
  });

  const merges:
    readonly (readonly [note: string, context: Context, outputs: Record<string, JsonObject>, condition: string])[] = [
      ["a hook wins over metadata", { run: { context: { k: 1 } } }, { "h0.sh": { k: 2 } }, "run.context.k == 2"],
      [
        "what it does not name stays",
        { run: { context: { k: 1 } } },
        { "h0.sh": { j: 2 } },
        "run.context.k == 1 && run.context.j == 2",
      ],
      [
        "a later one wins over an earlier",
        { run: {} },
        { "h0.sh": { k: 1 }, "h1.sh": { k: 2 } },
        "enriched.k == 2 && run.context.k == 2",
      ],
      [
        "by top-level key alone",
        {},
        { "h0.sh": { k: { a: 1 } }, "h1.sh": { k: { b: 2 } } },
        "!has(enriched.k.a) && enriched.k.b == 2",
      ],
      [
        "without run, enriched alone",
        { dns: {} },
        { "h0.sh": { k: 1 } },
        'enriched.k == 1 && !has(run.context) && dns.query == ""',
      ],
      ["the request's own words stay", { run: { context: { target: "t" } }, target: "t" }, {
        "h0.sh": { target: "x", action_type: "x" },
      }, 'run.context.target == "t" && target == "t" && !("target" in enriched)'],
      ["keys of JavaScript's own", { run: {} }, {
        "h0.sh": JSON.parse('{"__proto__": {"admin": true}, "constructor": 1}'),
      }, '"__proto__" in enriched && !("admin" in enriched) && run.context.constructor == 1'],
      [
        "numbers are ints or doubles",
        {},
        { "h0.sh": { n: 3, d: 2.5 } },
        "enriched.n + 1 == 4 && enriched.d + 0.5 == 3.0",
      ],
    ];
  for (const [note, context, outputs, condition] of merges) {
    test(note, async () => {
      const set = setOf(["true", "enrich"], ['"h1.sh" in ["h1.sh"]', "enrich"], [condition, "allow"]);
      const evaluation = await evaluateWithHooks(set, context, hooks({ "h1.sh": {}, ...outputs }));
      expect([by(evaluation), warned(evaluation)]).toEqual(["allow by r2", []]);
    });
  }

  test("after one that failed, enriched and run.context cannot be evaluated, whatever is asked of them", async () => {
    const context: Context = { run: { tool: "x", context: { ok: true } }, metadata: { ok: true } };
    const reads = [
      "enriched.ok == true",
      "run.context.ok == true",
      "has(enriched.ok)",
      '"ok" in enriched',
      "has(run.context)",
      "has(run.context.ok)",
      '!("no" in run.context)',
      "size(enriched) == 0",
      "enriched == enriched",
      "run.context.all(k, true)",
    ];
    for (const condition of reads) {
      for (const [action, outcome] of [["allow", "block by null"], ["block", "block by r2"]] as const) {
        const set = setOf(["true", "enrich"], ["true", "enrich"], [condition, action]);
        // A later hook that succeeds does not change the result.
        const evaluation = await evaluateWithHooks(set, context, hooks({ "h0.sh": "status 1", "h1.sh": { ok: true } }));
        expect(by(evaluation), condition).toBe(outcome);
        expect(warned(evaluation)).toEqual([
          "a.yaml r0: hook failed: status 1",
          "a.yaml r2: condition cannot be evaluated: a hook failed",
        ]);
        expect(evaluation.enriched).toBe("failed");
      }
    }
    const metadata = setOf(["true", "enrich"], ["metadata.ok == true && run.tool == 'x'", "allow"]);
    expect(by(await evaluateWithHooks(metadata, context, hooks({})))).toBe("allow by r1");
  });

  test("a rule that decides before keeps them from running", async () => {
    const seen: unknown[] = [];
    const set = setOf(["true", "block"], ["true", "enrich"]);
    await evaluateWithHooks(set, {}, hooks({}, seen));
    expect(seen).toEqual([]);
  });

  test("given up while one runs: a block by no rule, whatever it prints", async () => {
    const controller = new AbortController();
    const set = setOf(["true", "enrich"], ["true", "allow"]);
    const evaluation = await evaluateWithHooks(set, {}, {
      turn: { requester: "test", signal: controller.signal },
      runHook: () => {
        controller.abort();
        return Promise.resolve({ ok: true, value: { fine: true } });
      },
    });
    expect([by(evaluation), evaluation.warnings.length]).toEqual(["block by null", 1]);
  });
});
