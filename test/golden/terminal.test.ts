// Output that depends on a real terminal: `script` gives the programs a pseudo-terminal, and `stty` sets its width.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { cellWidth } from "../../src/core/cell-width.ts";
import { decisionEntry, StateDir, TestAppender } from "../support/audit/audit-log.ts";
import { missingProgram, requirement } from "../support/container/container.ts";
import { sourceProgram } from "../support/program/programs.ts";

// Each run starts a program, which takes seconds on a busy machine.
setDefaultTimeout(120_000);

const { label, skip } = requirement("a terminal", missingProgram("script"), missingProgram("stty"));
const dist = process.env["OUTCALL_TEST_DIST"];
const outcall = dist === undefined ? sourceProgram("outcall") : [resolve(dist, "outcall")];
const state = new StateDir();
const RECORDS = 21;

beforeAll(async () => {
  const log = await TestAppender.open(state);
  const context = { action_type: "tool_exec", run: { tool: "git", argv: ["日本語".repeat(20)] } };
  await log.append(...Array.from({ length: RECORDS }, () => decisionEntry({ context })));
  log.close();
});
afterAll(() => state[Symbol.dispose]());

/** The output on a terminal of the given width, as lines. */
function linesAt(columns: number, words: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const command = [...outcall, ...words].map((word) => `'${word}'`).join(" ");
  const env = { PATH: process.env["PATH"], TERM: "xterm", ...environment };
  const ran = spawnSync("script", ["-qec", `stty cols ${columns}; ${command}`, "/dev/null"], { encoding: "utf8", env });
  expect(ran.status).toBe(0);
  return ran.stdout.replaceAll("\r\n", "\n").trimEnd().split("\n");
}

const LOG = ["log", "--state-dir", state.dir];

test.skipIf(skip)(`D: the log fits the width of a terminal, wide characters counted (${label})`, () => {
  for (const columns of [60, 80, 120]) {
    const lines = linesAt(columns, LOG, { NO_COLOR: "1" });
    expect(lines).toHaveLength(1 + 1 + 20);
    expect(lines[0]).toBe("older records are not shown: -n all");
    for (const line of lines) expect({ line, fits: cellWidth(line) <= columns }).toEqual({ line, fits: true });
    expect(lines.at(-1)).toEndWith("…");
    expect(columns - cellWidth(lines.at(-1) ?? "")).toBeLessThanOrEqual(1);
  }
  expect(linesAt(200, LOG, { NO_COLOR: "1" }).at(-1)).toEndWith("日本語");
});

test.skipIf(skip)(`D: a terminal has colour unless NO_COLOR or --color says otherwise (${label})`, () => {
  const green = "\u001b[32mallow\u001b[0m";
  expect(linesAt(80, LOG).at(-1)).toContain(green);
  expect(linesAt(80, LOG, { NO_COLOR: "1" }).join("")).not.toContain("\u001b");
  expect(linesAt(80, [...LOG, "--color", "never"]).join("")).not.toContain("\u001b");
  expect(linesAt(80, [...LOG, "--color", "always"], { NO_COLOR: "1" }).at(-1)).toContain(green);
});

test("D: a pipe gets every record, whole and without colour", () => {
  const [program = "", ...words] = [...outcall, ...LOG];
  const lines = spawnSync(program, words, { encoding: "utf8" }).stdout.trimEnd().split("\n");
  expect(lines).toHaveLength(1 + RECORDS);
  for (const line of lines.slice(1)) expect(line).toEndWith("日本語".repeat(20));
});
