// Writes an example's rule files to a temporary directory, analyses them, and removes the directory.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Finding } from "../../src/core/finding.ts";
import type { Problem } from "../../src/core/problem.ts";
import type { Result } from "../../src/core/result.ts";
import type { LintReport } from "../../src/report/lint-report.ts";
import { fail } from "../failure.ts";
import type { Example } from "./rule-findings.ts";

/** The findings of an example; its directory is shown as rules.d in messages. */
export function lintExample(
  example: Example,
  analyse: (dir: string) => Result<LintReport, Problem>,
): readonly Finding[] {
  const parent = mkdtempSync(join(tmpdir(), "outcall-reference-"));
  const dir = join(parent, "rules.d");
  try {
    lay(dir, example);
    const report = analyse(dir);
    if (!report.ok) return fail(report.error.message);
    return report.value.findings.map((each) => ({ ...each, message: each.message.replaceAll(dir, "rules.d") }));
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}

function lay(dir: string, { files = {}, links = {}, scripts = [] }: Example): void {
  mkdirSync(dir, { mode: 0o755 });
  for (const [name, content] of Object.entries(files)) writeFileSync(join(dir, name), content);
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(dir, name));
  for (const name of scripts) {
    writeFileSync(join(dir, name), "#!/bin/sh\n");
    chmodSync(join(dir, name), 0o755);
  }
}
