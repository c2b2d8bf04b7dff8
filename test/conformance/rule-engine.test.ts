// Every conformance case of rule files by the engine, with real directories and scripts.
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { HookRunner } from "../../src/hook/runner.ts";
import { evaluateWithHooks } from "../../src/rule/evaluate-rules.ts";
import { type Loaded, loadRules } from "../../src/rule/load-rules.ts";
import {
  CASE_FILES,
  type FoundPlace,
  ofSeverity,
  readCases,
  type RuleCase,
  withRulesDirectory,
} from "../support/conformance.ts";
import { completed } from "../support/plain/complete-context.ts";

for (const file of CASE_FILES) {
  describe(file, () => {
    for (const given of readCases(file)) {
      test(given.note, () => withRulesDirectory(given, (dir) => run(given, dir)));
    }
  });
}

async function run({ load = {}, requests = [] }: RuleCase, dir: string): Promise<void> {
  const loaded = loadRules({ dir, trust: "owner" });
  const found = findingsOf(loaded);
  const errors = load.error ?? [];
  // Only the findings of the case may occur.
  expect(ofSeverity(found, "error")).toMatchObject(errors);
  expect(loaded.set === null).toBe(errors.length > 0);
  const warned = (load.warning ?? []).map((warning) => expect.objectContaining(warning));
  expect(ofSeverity(found, "warning")).toEqual(expect.arrayContaining(warned));
  if (loaded.set === null) return;
  const hooks = new HookRunner(dir);
  const turn = { requester: "test", signal: new AbortController().signal };
  for (const { context, decision, rule, file, logged, warnings } of requests) {
    const evaluation = await evaluateWithHooks(loaded.set, completed(context), {
      runHook: (...run) => hooks.run(...run),
      turn,
    });
    const { decision: by } = evaluation;
    expect({ context, decision: by.decision, rule: by.matched_rule, file: by.file })
      .toEqual({ context, decision, rule, file });
    if (logged !== undefined) expect({ context, logged: by.logged }).toEqual({ context, logged });
    if (warnings !== undefined) expect(evaluation.warnings).toHaveLength(warnings);
  }
  await hooks.close();
}

function findingsOf(loaded: Loaded): readonly FoundPlace[] {
  return loaded.findings.map(({ code, severity, place, rule }) => ({
    code,
    severity,
    file: place.file,
    line: place.line,
    column: place.column,
    rule: rule ?? null,
  }));
}

test("the specification's cases are as they were given", () => {
  const given = process.env["OUTCALL_CONFORMANCE"] ?? join(import.meta.dir, "../../../shared/conformance");
  const original = join(given, "rule-engine.yaml");
  // A clone without the specification next to it has nothing to compare with.
  const text = existsSync(original) ? readFileSync(original, "utf8") : null;
  const copy = readFileSync(join(import.meta.dir, "rule-engine.yaml"), "utf8");
  expect(text ?? copy).toBe(copy);
  expect(readCases("rule-engine.yaml").length).toBeGreaterThanOrEqual(40);
});
