// Every conformance case of rule files with the built program: `outcall lint` for findings, `outcall rule evaluate` for
// decisions, including hooks.
import { describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import {
  CASE_FILES,
  type FoundPlace,
  ofSeverity,
  readCases,
  type RuleCase,
  withRulesDirectory,
  writeRulesDirectory,
} from "../support/conformance.ts";
import { program } from "../support/program/programs.ts";
import { runProgram } from "../support/program/run-program.ts";

for (const file of CASE_FILES) {
  const cases = readCases(file);
  describe(file, () => {
    // One run of the program for all directories of a file; each is a rule set of its own.
    test("lint", async () => {
      const dirs = cases.map(writeRulesDirectory);
      try {
        await lint(cases, dirs);
      } finally {
        for (const dir of dirs) rmSync(dir, { recursive: true });
      }
    });
    for (const given of cases) {
      test(`rule evaluate: ${given.note}`, () => withRulesDirectory(given, (dir) => evaluate(given, dir)));
    }
  });
}

// Only lint reports a non-boolean condition as an error.
const LINT_ERROR = "rule.not-boolean";

async function lint(cases: readonly RuleCase[], dirs: readonly string[]): Promise<void> {
  const ended = await runProgram([...program("outcall"), "lint", "--format", "json", ...dirs]);
  expect(ended.stderr).toBe("");
  const report = JSON.parse(ended.stdout);
  const names = cases.flatMap(({ files }) => Object.keys(files));
  expect(report).toMatchObject({ version: 1, files: names.filter((name) => /^[^/]*\.yaml$/.test(name)).length });
  expect(ended.code).toBe(ofSeverity(report.findings, "error").length > 0 ? 1 : 0);
  for (const [at, given] of cases.entries()) {
    const dir = dirs[at] ?? "";
    const found = report.findings.filter((each: FoundPlace) => each.file === dir || each.file.startsWith(`${dir}/`));
    expect({ note: given.note, fault: lintFault(given, dir, found) }).toEqual({ note: given.note, fault: null });
  }
}

// The difference from the case, or null.
function lintFault({ load = {} }: RuleCase, dir: string, found: readonly FoundPlace[]): unknown {
  const inDir = (wanted: { file?: string }): object =>
    wanted.file === undefined ? wanted : { ...wanted, file: `${dir}/${wanted.file}` };
  const errors = ofSeverity(found, "error");
  const warnings = [...ofSeverity(found, "warning"), ...errors.filter(({ code }) => code === LINT_ERROR)];
  try {
    expect(errors.filter(({ code }) => code !== LINT_ERROR)).toMatchObject((load.error ?? []).map(inDir));
    const wanted = (load.warning ?? []).map((warning) => expect.objectContaining(inDir(warning)));
    expect(warnings).toEqual(expect.arrayContaining(wanted));
    return null;
  } catch (cause) {
    return cause instanceof Error ? cause.message : cause;
  }
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
