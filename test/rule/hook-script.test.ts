// Hook scripts as they lie when rules load: what others could change is an error, what is not there a warning.
import { afterAll, expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Place } from "../../src/core/span.ts";
import { loadRules } from "../../src/rule/load.ts";

const dirs: string[] = [];
afterAll(() => dirs.forEach((dir) => rmSync(dir, { recursive: true })));

type Case = {
  readonly note: string;
  readonly script: string;
  readonly make: (path: string) => void;
  readonly code: string | null;
};

const write = (mode: number) => (path: string) => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "#!/bin/sh\n");
  chmodSync(path, mode);
};

const CASES: readonly Case[] = [
  { note: "as it should be", script: "h.sh", make: write(0o755), code: null },
  { note: "in a directory", script: "hooks/h.sh", make: write(0o700), code: null },
  { note: "missing", script: "h.sh", make: () => {}, code: "rule.hook-missing" },
  { note: "not executable", script: "h.sh", make: write(0o644), code: "rule.hook-missing" },
  { note: "a directory", script: "h", make: (path) => mkdirSync(path), code: "rule.hook-missing" },
  { note: "group may write", script: "h.sh", make: write(0o775), code: "rule.hook-unsafe" },
  { note: "others may write", script: "h.sh", make: write(0o757), code: "rule.hook-unsafe" },
  {
    note: "others may write its directory",
    script: "hooks/h.sh",
    make: (path) => {
      write(0o755)(path);
      chmodSync(dirname(path), 0o777);
    },
    code: "rule.hook-unsafe",
  },
  { note: "a symbolic link", script: "h.sh", make: (path) => symlinkSync("/bin/true", path), code: "rule.hook-unsafe" },
  { note: "absolute", script: "/bin/true", make: () => {}, code: "rule.hook-unsafe" },
  { note: "leaves the directory", script: "../h.sh", make: () => {}, code: "rule.hook-unsafe" },
  { note: "an empty part", script: "hooks//h.sh", make: () => {}, code: "rule.hook-unsafe" },
];

test.each(CASES)("$note: $code", ({ script, make, code }) => {
  const dir = mkdtempSync(join(tmpdir(), "outcall-hook-script-"));
  dirs.push(dir);
  writeFileSync(
    join(dir, "a.yaml"),
    `version: "1"\nrules: [{id: r, condition: run.tool == "x", action: enrich, enrich: {script: ${script}, timeout_ms: 100}}]\n`,
    { mode: 0o644 },
  );
  make(join(dir, script));
  const findings: readonly {
    readonly code: string;
    readonly severity: string;
    readonly place: Place;
    readonly rule?: string;
  }[] = loadRules({ dir, trust: "owner" }).findings;
  const hooks = findings.filter((finding) => finding.code.startsWith("rule.hook"));
  expect(hooks.map((finding) => finding.code)).toEqual(code === null ? [] : [code]);
  for (const { severity, place, rule } of hooks) {
    expect({ severity, line: place.line, rule }).toEqual({
      severity: code === "rule.hook-unsafe" ? "error" : "warning",
      line: 2,
      rule: "r",
    });
  }
});
