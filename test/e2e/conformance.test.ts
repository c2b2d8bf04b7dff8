// Every conformance case of rule files through the built program: `outcall lint` for what is found, `outcall rule
// evaluate` for decisions, hooks included.
import { describe, expect, test } from "bun:test";
import { CASE_FILES, ofSeverity, readCases, type RuleCase, withRulesDirectory } from "../support/conformance.ts";
import { program } from "../support/program/programs.ts";
import { runProgram } from "../support/program/run-program.ts";

for (const file of CASE_FILES) {
  describe(file, () => {
    for (const given of readCases(file)) {
      test(`lint: ${given.note}`, () => withRulesDirectory(given, (dir) => lint(given, dir)));
      test(`rule evaluate: ${given.note}`, () => withRulesDirectory(given, (dir) => evaluate(given, dir)));
    }
  });
}

// Lint alone calls a condition that is known not to be a boolean an error.
const LINT_ERROR = "rule.not-boolean";

async function lint({ load = {}, files }: RuleCase, dir: string): Promise<void> {
  const ended = await runProgram([...program("outcall"), "lint", "--format", "json", dir]);
  expect(ended.stderr).toBe("");
  const report = JSON.parse(ended.stdout);
  expect(report).toMatchObject({
    version: 1,
    files: Object.keys(files).filter((name) => /^[^/]*\.yaml$/.test(name)).length,
  });
  const inDir = (wanted: { file?: string }): object =>
    wanted.file === undefined ? wanted : { ...wanted, file: `${dir}/${wanted.file}` };
  const errors = ofSeverity(report.findings, "error");
  expect(errors.filter(({ code }) => code !== LINT_ERROR)).toMatchObject((load.error ?? []).map(inDir));
  const warnings = [...ofSeverity(report.findings, "warning"), ...errors.filter(({ code }) => code === LINT_ERROR)];
  const wanted = (load.warning ?? []).map((warning) => expect.objectContaining(inDir(warning)));
  expect(warnings).toEqual(expect.arrayContaining(wanted));
  expect(ended.code).toBe(errors.length > 0 ? 1 : 0);
}

async function evaluate({ load = {}, requests = [] }: RuleCase, dir: string): Promise<void> {
  const input = requests.map(({ context }) => `${JSON.stringify(context)}\n`).join("");
  const words = [...program("outcall"), "rule", "evaluate", "--rules-dir", dir, "--context", "-", "--json"];
  const ended = await runProgram(words, { input });
  if (load.error !== undefined) {
    expect(ended).toMatchObject({ code: 1, stdout: "" });
    for (const { code } of load.error) expect(ended.stderr).toContain(code);
    return;
  }
  expect(ended).toMatchObject({ code: 0, stderr: "" });
  const lines = ended.stdout.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
  const wanted = requests.map(({ decision, rule, file, logged, warnings }) => ({
    version: 1,
    decision,
    matched_rule: rule,
    file,
    ...(logged === undefined ? {} : { logged }),
    ...(warnings === undefined ? {} : { warnings: Array.from({ length: warnings }, () => expect.any(String)) }),
  }));
  expect(lines).toMatchObject(wanted);
}
