// The log records of decisions: the level from the rule's own `log`, the hooks that matched, and the slowest rule if it
// was slow.
import { expect, test } from "bun:test";
import type { Log, LogFields } from "../../src/log/logger.ts";
import { EVALUATION_BUDGET_MS, recordDecision } from "../../src/decision/record-decision.ts";
import { evaluateRules } from "../../src/rule/evaluate-rules.ts";
import { loadRuleFiles } from "../../src/rule/load-rules.ts";

const TEXT = `version: "1"
rules:
  - {id: look, condition: run.tool == "git", action: enrich, log: true, enrich: {script: a.sh, timeout_ms: 100}}
  - {id: costly, condition: 'run.args.exists(a, a == "x" || a == "y" || a == "z")', action: block}
  - {id: loud, condition: run.tool == "rm", action: block, log: true}
  - {id: broken, condition: 'run.tool == "b" && metadata.gone == 1', action: block}
  - {id: quiet, condition: run.tool == "ls", action: allow}
`;

function recordsOf(tool: string, durationMs = 1, hooksMs = 0): readonly Record<string, unknown>[] {
  const { set } = loadRuleFiles([{ name: "a.yaml", text: TEXT }]);
  if (set === null) throw new Error("the rules load");
  const records: Record<string, unknown>[] = [];
  const write = (level: string) => (event: string, fields: LogFields) => void records.push({ level, event, ...fields });
  const log: Log = { debug: write("debug"), info: write("info"), warning: write("warning"), error: write("error") };
  const context = { run: { tool, args: ["a", "b", "c"] }, metadata: {} };
  const evaluation = evaluateRules(set, context);
  recordDecision(log, { requester: { source: "host" }, set, context, evaluation, durationMs, hooksMs });
  return records;
}

test("a logged block is an info record with rule, file, decision and context (FR-020)", () => {
  const [record, ...more] = recordsOf("rm");
  expect(more).toEqual([]);
  expect(record).toMatchObject({ level: "info", event: "decision", rule: "loud", file: "a.yaml", decision: "block" });
  expect(String(record?.["context"])).toContain("run.tool=rm");
});

test("any other decision is a debug record, the default block under its own name (FR-029)", () => {
  expect(recordsOf("ls")).toMatchObject([{ level: "debug", rule: "quiet", decision: "allow" }]);
  expect(recordsOf("other")).toMatchObject([{ level: "debug", rule: "default-block", decision: "block", file: null }]);
});

test("a logged enrich rule that matched has a record of its own, a failed hook a warning", () => {
  expect(recordsOf("git")).toMatchObject([
    { level: "warning", event: "rule.unevaluable", rule: "look" },
    { level: "info", event: "decision", rule: "look", decision: "enrich" },
    { level: "debug", event: "decision", rule: "default-block" },
  ]);
});

test("what cannot be evaluated is a warning that names rule, file and cause (EC-012)", () => {
  const [warning] = recordsOf("b");
  expect(warning).toMatchObject({
    level: "warning",
    rule: "broken",
    file: "a.yaml",
    message: expect.stringContaining("gone"),
  });
});

test("an evaluation over its budget names the rule that took the most, hooks not counted (FR-031)", () => {
  expect(recordsOf("ls", EVALUATION_BUDGET_MS).map(({ event }) => event)).toEqual(["decision"]);
  expect(recordsOf("ls", EVALUATION_BUDGET_MS + 1).at(-1)).toMatchObject({
    level: "warning",
    event: "decision.slow",
    slowest_rule: "costly",
  });
  expect(recordsOf("ls", EVALUATION_BUDGET_MS + 1, 2).map(({ event }) => event)).toEqual(["decision"]);
});
