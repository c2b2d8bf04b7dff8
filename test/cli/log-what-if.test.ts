// `outcall log` and what-ifs, which are shown only with `--what-if`; and the raw target of an agent, which is only in
// the record.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { Validator } from "@cfworker/json-schema";
import { recordId } from "../../src/audit/record-id.ts";
import { SCHEMAS } from "../../src/cli/schema.ts";
import { blockEntry, decisionEntry, StateDir, TestAppender } from "../support/audit/audit-log.ts";
import { type Run, runOutcall } from "../support/program/cli-io.ts";

const state = new StateDir();
const HOST = { source: "host", container: { id: null, name: null } } as const;
const context = { run: { tool: "git", path: "git", argv: ["push"] }, metadata: { a: "planted" } };

beforeAll(async () => {
  const log = await TestAppender.open(state);
  await log.append(
    blockEntry({ ...HOST, kind: "what-if", context }),
    {
      ...HOST,
      kind: "what-if",
      at: new Date("2026-11-21T10:00:01Z"),
      expression: 'metadata.token == "planted"',
      result: false,
      error: "no such key",
      digest: "d".repeat(64),
      durationMs: 1,
      context,
    },
    {
      ...HOST,
      kind: "what-if",
      at: new Date("2026-11-21T10:00:01Z"),
      expression: 'run.tool == "git"',
      result: true,
      error: null,
      digest: "d".repeat(64),
      durationMs: 1,
      context,
    },
    decisionEntry({
      rawTarget: "https://u:planted@H/?q=planted",
      context: { ...context, action_type: "network_call" },
    }),
  );
  log.close();
});
afterAll(() => state[Symbol.dispose]());

const run = (...argv: readonly string[]): Promise<Run> => runOutcall(["log", ...argv, "--state-dir", state.dir]);
const linesOf = ({ stdout }: Run) => stdout.trimEnd().split("\n").map((line) => JSON.parse(line));

test("A5: no view shows what-ifs without --what-if", async () => {
  expect(linesOf(await run("--json")).map(({ seq }) => seq)).toEqual([4]);
  expect(linesOf(await run("--json", "--what-if")).map(({ seq, kind }) => [seq, kind])).toEqual([
    [1, "what-if"],
    [2, "what-if"],
    [3, "what-if"],
    [4, "decision"],
  ]);
  expect((await run("--json", "--decision", "block")).stdout).toBe("");
  const { stdout } = await run("--what-if");
  expect(stdout).toMatch(/what-if +host +default-block +block: git push\n/);
  expect(stdout).toMatch(/what-if +host +- +<text 27 bytes> is false \(no such key\), for git push\n/);
  expect(stdout).toMatch(/what-if +host +- +run\.tool == "git" is true, for git push\n/);
});

test("A2, A5: records are as the published schema says, and hold no secrets", async () => {
  const ended = await run("--json", "--what-if");
  const validator = new Validator(JSON.parse(JSON.stringify(SCHEMAS["log"])), "7");
  for (const line of linesOf(ended)) {
    expect({ line, errors: validator.validate(line).errors }).toEqual({ line, errors: [] });
    expect(line.audit).toBe(false);
  }
  expect(linesOf(ended)[3]).toMatchObject({ raw_target: "https://<user info 9 bytes>@H/?<query 9 bytes>" });
  expect(ended.stdout).not.toContain("planted");
});

test("D: a record is found by the id that the agent was given", async () => {
  using denied = new StateDir();
  const key = new Uint8Array(32).fill(3);
  writeFileSync(join(denied.dir, "rule-id.key"), key, { mode: 0o600 });
  const log = await TestAppender.open(denied);
  await log.append(blockEntry(), blockEntry());
  log.close();
  const show = (id: string, ...more: readonly string[]) =>
    runOutcall(["log", "show", id, ...more, "--state-dir", denied.dir]);
  expect(JSON.parse((await show(recordId(key, 2), "--json")).stdout)).toMatchObject({ seq: 2 });
  expect(await show("rec-0123456789ab")).toEqual({
    exit: 1,
    stdout: "",
    stderr: 'Error: no record "rec-0123456789ab" in the decision log\n',
  });
});
