// Ten thousand rules: loaded from a directory, listed, shown and evaluated, each of them counted.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { detailRule, summarizeRule } from "../../src/rule/describe-rule.ts";
import { evaluateRules } from "../../src/rule/evaluate-rules.ts";
import { withoutIndex } from "../../src/rule/rule-set.ts";
import { type Loaded, loadRules } from "../../src/rule/load-rules.ts";
import { WORKLOAD_CONTEXT, workloadFiles } from "../support/generate/workload.ts";

const COUNT = 10_000;

describe(`${COUNT} rules`, () => {
  let dir = "";
  let loaded: Loaded | undefined;

  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), "many-"));
    for (const { name, text } of workloadFiles(COUNT)) writeFileSync(join(dir, name), text, { mode: 0o644 });
    loaded = loadRules({ dir, trust: "owner" });
  });

  afterAll(() => rmSync(dir, { recursive: true }));

  test("load without a word", () => {
    expect({ files: loaded?.files, rules: loaded?.rules, findings: loaded?.findings.length })
      .toEqual({ files: 10, rules: COUNT, findings: 0 });
  });

  test("are listed in order, and each is shown", () => {
    const rules = loaded?.set?.rules ?? [];
    expect(rules.map((rule) => summarizeRule(rule).id)).toEqual(Array.from({ length: COUNT }, (_, at) => `r${at}`));
    expect(rules.map((rule) => detailRule(rule)).filter(({ file, line }) => file === "007.yaml" && line === 3)).toEqual(
      [
        expect.objectContaining({ id: "r7000", condition: 'network.hostname == "host-7000.example.com"' }),
      ],
    );
  });

  test("are asked one after the other, down to the last", () => {
    if (loaded?.set === null || loaded?.set === undefined) throw new Error("the set does not load");
    // With the index, only the rule that can match is evaluated; without it, every rule.
    for (const [set, evaluated] of [[loaded.set, 1], [withoutIndex(loaded.set), COUNT]] as const) {
      expect(evaluateRules(set, WORKLOAD_CONTEXT)).toMatchObject({
        decision: { decision: "allow", matched_rule: `r${COUNT - 1}`, file: "009.yaml", logged: false },
        evaluated,
        warnings: [],
      });
    }
    expect(evaluateRules(loaded.set, {}).decision.decision).toBe("block");
  });
});
