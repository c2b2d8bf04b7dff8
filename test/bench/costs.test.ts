// The cost of a decision in counts that are the same on every machine. costs.json has the expected counts, so a change
// that increases one must change that file.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { conditionsOf, filesOf, REQUEST, type WorkloadKind } from "../../bench/workload.ts";
import { ask } from "../../src/agent/ask-verdict.ts";
import { finish } from "../../src/core/interruptible.ts";
import { createRuleEnvironment } from "../../src/rule/check-ahead.ts";
import { checkFile } from "../../src/rule/check-file.ts";
import { evaluateRules } from "../../src/rule/evaluate-rules.ts";
import { loadRuleFiles } from "../../src/rule/load-rules.ts";
import { ExpansionBudget } from "../../src/rule/expansion-budget.ts";
import { OPERATOR_LIMITS, parseRuleFile } from "../../src/rule/parse-rule-file.ts";
import type { RuleSet } from "../../src/rule/rule-set.ts";
import { readSimple } from "../../src/yaml/read-simple.ts";
import { startApps } from "../support/socket/app-bench.ts";

const COSTS: unknown = JSON.parse(readFileSync(`${import.meta.dir}/costs.json`, "utf8"));

test("the costs equal those in costs.json", async () => {
  const evaluations = Object.fromEntries(WORKLOADS.map(([name, kind, count]) => [name, costOf(load(kind, count))]));
  const costs: unknown = {
    evaluations,
    "loading 1,000 mixed rules": costOfLoad(),
    "a check by the shim": await costOfCheck(),
  };
  expect(costs).toEqual(COSTS);
});

const WORKLOADS: readonly (readonly [name: string, kind: WorkloadKind, count: number])[] = [
  ["10 rules by host", "host", 10],
  ["1,000 rules by host", "host", 1_000],
  ["1,000 mixed rules", "mixed", 1_000],
];

function load(kind: WorkloadKind, count: number): RuleSet {
  const { set } = loadRuleFiles(filesOf(conditionsOf(count, kind)));
  if (set === null) throw new Error("the workload does not load");
  return set;
}

function costOf(set: RuleSet) {
  const { evaluated, decision } = evaluateRules(set, REQUEST);
  return { evaluated, index: set.index?.size, decision: decision.matched_rule };
}

// How often the libraries are called for one file: the YAML library never, the CEL library once for each condition.
function costOfLoad() {
  const counts = { files: 0, simple: 0, rules: 0, parsed: 0 };
  const environment = createRuleEnvironment();
  const library = new Proxy(environment.library, {
    get: (target, name) => {
      if (name !== "parse") return Reflect.get(target, name);
      return (text: string) => {
        counts.parsed++;
        return target.parse(text);
      };
    },
  });
  for (const { name, text } of filesOf(conditionsOf(1_000, "mixed"))) {
    counts.files++;
    if (readSimple(name, text, OPERATOR_LIMITS) !== null) counts.simple++;
    const { document } = parseRuleFile(name, text, OPERATOR_LIMITS);
    if (document === null) throw new Error("the workload is no rule file");
    counts.rules += document.rules.length;
    finish(checkFile(document, { ...environment, library }, new ExpansionBudget(Infinity)));
  }
  return counts;
}

// Counts the messages between the shim and a real app.
async function costOfCheck() {
  const rules = `version: "1"\nrules:\n  - {id: echo, condition: 'run.path == "/bin/echo"', action: allow}\n`;
  const apps = await startApps({ rules });
  const path = `${apps.agentSocket}.relay`;
  const counts = { connections: 0, asked: 0, answered: 0, requests: 0 };
  const relay = createServer((from) => {
    counts.connections++;
    const to = connect(apps.agentSocket);
    from.on("data", (chunk: Buffer) => {
      counts.asked += chunk.length;
      counts.requests += chunk.toString("latin1").split("POST /v1/").length - 1;
      to.write(chunk);
    });
    to.on("data", (chunk: Buffer) => {
      counts.answered += chunk.length;
      from.write(chunk);
    });
    from.on("close", () => to.destroy());
    to.on("close", () => from.destroy());
  });
  await new Promise<void>((resolve) => relay.listen(path, resolve));
  const action = { type: "tool_exec", target: "/bin/echo", metadata: { argv: ["hello"], cwd: "/" } } as const;
  const judged = await ask({ socketPath: path, timeoutMs: 10_000 }, action);
  await new Promise<void>((resolve) => relay.close(() => resolve()));
  await apps.stop();
  if (!judged.ok || !judged.value.verdict.allowed) throw new Error("the check is not allowed");
  return { ...counts, decisions: apps.deps.counts.allowed };
}
