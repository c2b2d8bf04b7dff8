// Every conformance case of the rule engine, through the built command: lint for what loads, evaluate for what is decided.
import { describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ownCases, removeCase, sharedCases, writeCase } from "../support/conformance.ts";
import { program } from "../support/programs.ts";

function outcall(args: readonly string[], input = "") {
  const [command = "", ...rest] = program("outcall");
  return spawnSync(command, [...rest, ...args], { encoding: "utf8", input });
}

describe("cases through the built command", () => {
  test.each([...sharedCases(), ...ownCases()].map((each) => ({ note: each.note, each })))("$note", ({ each }) => {
    const dir = writeCase(each);
    try {
      const linted = JSON.parse(outcall(["lint", "--format", "json", dir]).stdout);
      for (const severity of ["error", "warning"] as const) {
        for (const { file, ...wanted } of each.load?.[severity] ?? []) {
          // For lint a condition that cannot be a boolean is an error.
          const as = wanted.code === "rule.not-boolean" ? "error" : severity;
          const finding = { ...wanted, severity: as, file: join(dir, file) };
          expect(linted.findings).toContainEqual(expect.objectContaining(finding));
        }
      }
      const requests = each.requests ?? [];
      if (requests.length === 0) return;
      const input = requests.map(({ context }) => `${JSON.stringify(context)}\n`).join("");
      const done = outcall(["rule", "evaluate", "--rules-dir", dir, "--context", "-", "--json"], input);
      expect(done.status).toBe(0);
      const decisions = done.stdout.trimEnd().split("\n").map((line) => JSON.parse(line));
      expect(decisions).toMatchObject(
        requests.map(({ decision, rule, file }) => ({ decision, matched_rule: rule, file })),
      );
    } finally {
      removeCase(dir);
    }
  });
});
