// Every conformance case of the rule engine, through the engine: a real directory, real hooks.
import { describe, expect, test } from "bun:test";
import type { Context } from "../../src/core/context.ts";
import type { Severity } from "../../src/core/finding.ts";
import { HookRunner } from "../../src/hook/runner.ts";
import { evaluateWithHooks } from "../../src/rule/evaluate.ts";
import { type Loaded, loadRules } from "../../src/rule/load.ts";
import { completeContext, ContextSchema } from "../../src/wire/context.ts";
import { decode } from "../../src/wire/decode.ts";
import {
  type ConformanceCase,
  ownCases,
  removeCase,
  sharedCases,
  type WantedFinding,
  writeCase,
} from "../support/conformance.ts";

for (const [from, cases] of [["the specification", sharedCases()], ["the project", ownCases()]] as const) {
  describe(`cases of ${from}`, () => {
    test("there are some", () => expect(cases.length).toBeGreaterThanOrEqual(40));

    test.each(cases.map((each) => ({ note: each.note, each })))("$note", async ({ each }) => {
      const dir = writeCase(each);
      try {
        const loaded = loadRules({ dir, trust: "owner" });
        for (const severity of ["error", "warning"] as const) {
          expectFindings(loaded, severity, each.load?.[severity] ?? []);
        }
        if (each.load?.error === undefined) expect(withSeverity(loaded, "error")).toEqual([]);
        else expect(loaded.set).toBeNull();
        await expectDecisions(loaded, each, dir);
      } finally {
        removeCase(dir);
      }
    });
  });
}

function withSeverity({ findings }: Loaded, severity: Severity): readonly WantedFinding[] {
  return findings.filter((finding) => finding.severity === severity)
    .map(({ code, place }) => ({ code, file: place.file, line: place.line }));
}

function expectFindings(loaded: Loaded, severity: Severity, wanted: readonly WantedFinding[]): void {
  const found = withSeverity(loaded, severity);
  for (const finding of wanted) expect(found).toContainEqual(expect.objectContaining(finding));
  // No error but those that the case names.
  if (severity === "error") expect(found.length).toBe(wanted.length);
}

async function expectDecisions({ set }: Loaded, each: ConformanceCase, dir: string): Promise<void> {
  const hooks = new HookRunner(dir);
  const turn = { asker: "test", signal: new AbortController().signal };
  for (const { context, decision, rule, file } of each.requests ?? []) {
    if (set === null) throw new Error("the set does not load");
    const decoded = decode(ContextSchema, context);
    if (!decoded.ok) throw new Error(decoded.error.message);
    const complete: Context = completeContext(decoded.value);
    const evaluation = await evaluateWithHooks(set, complete, { runHook: (...run) => hooks.run(...run), turn });
    expect(evaluation.decision).toMatchObject({ decision, matched_rule: rule, file });
  }
  await hooks.close();
}
