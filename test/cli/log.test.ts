// `outcall log` and `outcall log verify` in this process, on the files of a log: output, permissions and exit codes.
import { rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Validator } from "@cfworker/json-schema";
import { SCHEMAS } from "../../src/cli/schema.ts";
import { PAGE_RECORDS } from "../../src/audit/read.ts";
import { blockEntry, decisionEntry, StateDir, TestAppender } from "../support/audit/audit-log.ts";
import { NS, writeShownLog } from "../support/audit/shown-log.ts";
import { type Run, runOutcall } from "../support/program/cli-io.ts";

let state: StateDir;

beforeAll(async () => {
  state = await writeShownLog();
});
afterAll(() => state[Symbol.dispose]());

const run = (...argv: readonly string[]): Promise<Run> => runOutcall(["log", ...argv, "--state-dir", state.dir]);
const seqsOf = ({ stdout }: Run): readonly number[] =>
  stdout.trimEnd().split("\n").filter((line) => line !== "").map((line) => JSON.parse(line).seq);

test("a line for each record, oldest first, nothing of it for the terminal to obey", async () => {
  expect(await run()).toEqual({
    exit: 0,
    stderr: "",
    stdout: `NO      TIME                      WHAT        CONTAINER         RULE                  REQUEST
1       2026-11-21T10:00:00.000Z  start       daemon            -                     version=0.1.0 rules=3
2       2026-11-21T10:00:01.000Z  allow       web               allow-git             tool_exec git push
3       2026-11-21T10:00:02.500Z  block       ctr-0123456789ab  no-push               shell_exec git push | x (ask \\u{1b}[31mfirst)
4       2026-11-21T10:00:03.000Z  block       web               default-block         network_call GET h/x?<query 1 bytes>
5       2026-11-21T10:00:04.000Z  allow       host              allow-git             1.2.3.4:22
6       2026-11-21T10:00:05.000Z  allow       web               allow-git             dns A q.example [1 error]
7       2026-11-21T10:00:06.000Z  allow       web               allow-git             docker i:1 run x
8       2026-11-21T10:00:07.000Z  allow       web               allow-git             file_access /etc/passwd
9       2026-11-21T10:00:08.000Z  misuse      web               -                     event=agent.token-misuse status=401
`,
  });
});

test("--json: a line for each record, as the published schema says", async () => {
  const { stdout, exit } = await run("--json");
  expect(exit).toBe(0);
  const validator = new Validator(JSON.parse(JSON.stringify(SCHEMAS["log"])), "7");
  const lines = stdout.trimEnd().split("\n").map((line) => JSON.parse(line));
  expect(lines).toHaveLength(9);
  for (const line of lines) expect({ line, errors: validator.validate(line).errors }).toEqual({ line, errors: [] });
  expect(lines[2]).toMatchObject({
    version: 1,
    seq: 3,
    time: "2026-11-21T10:00:02.500Z",
    kind: "decision",
    audit: true,
    source: "agent",
    container: NS.container.id,
    name: NS.container.name,
    decision: "block",
    rule: "no-push",
    file: "b.yaml",
    previous: lines[1].hash,
  });
  expect(lines[8]).toMatchObject({ kind: "misuse", detail: { event: "agent.token-misuse" } });
  expect(stdout).not.toContain("\u001b");
});

const filters: readonly (readonly [argv: readonly string[], seqs: readonly number[]])[] = [
  [["--decision", "block"], [3, 4]],
  [["--decision=allow"], [2, 5, 6, 7, 8]],
  [["--rule", "no-push"], [3]],
  [["--rule", "default-block"], [4]],
  [["--container", "web"], [2, 4, 6, 7, 8, 9]],
  [["--container", "ab".repeat(32)], [2, 4, 6, 7, 8, 9]],
  [["--container", "abababababab"], [2, 4, 6, 7, 8, 9]],
  [["--container", "ctr-abababababab"], [2, 4, 6, 7, 8, 9]],
  [["--container", "ns-4026532180-77"], [3]],
  [["--container", "ctr-0123456789ab"], [3]],
  [["--since", "2026-11-21T10:00:03Z"], [4, 5, 6, 7, 8, 9]],
  [["--since", "2026-11-21T11:00:06+01:00"], [7, 8, 9]],
  [["--since", "2026-11-21T10:00"], [1, 2, 3, 4, 5, 6, 7, 8, 9]],
  [["--since", "2026-11-22"], []],
  [["--until", "2026-11-21T10:00:02.5Z"], [1, 2]],
  [["--until", "2026-11-21T10:00:02.501Z", "--since", "2026-11-21T10:00:01Z"], [2, 3]],
  [["--until", "2026-11-21"], []],
  [["--lines", "2"], [8, 9]],
  [["--lines", "2", "--decision", "block"], [3, 4]],
  [["--lines", "3", "--decision", "block"], [3, 4]],
  [["--lines", "1", "--until", "2026-11-21T10:00:02.5Z"], [2]],
  [["--lines", "9"], [1, 2, 3, 4, 5, 6, 7, 8, 9]],
  [["--lines", "1000000"], [1, 2, 3, 4, 5, 6, 7, 8, 9]],
  [["--lines", "all"], [1, 2, 3, 4, 5, 6, 7, 8, 9]],
  [["--lines", "0"], []],
  [["--rule", "default-block", "--since", "2026-11-22"], []],
  [["--since", "999999w"], [1, 2, 3, 4, 5, 6, 7, 8, 9]],
  [["--since", "2026-11-21T10:00:03Z", "--decision", "allow", "--container", "web"], [6, 7, 8]],
];
for (const [argv, seqs] of filters) {
  test(argv.join(" "), async () => expect(seqsOf(await run("--json", ...argv))).toEqual(seqs));
}

const usage: readonly (readonly [argv: readonly string[], message: string])[] = [
  [["--since", "yesterday"], '--since is an age such as 10m, 1h or 2d, or a time in ISO 8601, not "yesterday"'],
  [["--since", "2026-13-01"], "--since is an age"],
  [["--since", "2026-02-30"], "--since is an age"],
  [["--since", "2026-02-29T10:00"], "--since is an age"],
  [["--until", "tomorrow"], '--until is an age such as 10m, 1h or 2d, or a time in ISO 8601, not "tomorrow"'],
  [["--until", "1h", "--since", "1h"], "--since is not before --until"],
  [["--until", "1h", "--follow"], "--follow and --until exclude each other"],
  [["--lines", "few"], '--lines is a number up to 1000000, or all, not "few"'],
  [["--lines", "1000001"], "--lines is a number up to 1000000"],
  [["--lines", "-1"], "--lines"],
  [["show", "first"], 'log show: a record is named by its number or by its id rec-..., not "first"'],
  [["show", "0"], "log show: a record is named by its number"],
  [["--decision", "blocked"], "--decision"],
  [["--folow"], "--folow"],
  [["verify", "more"], 'log verify: unexpected argument "more"'],
  [["more"], 'log: unexpected argument "more"'],
];
for (const [argv, message] of usage) {
  test(`exit 2: log ${argv.join(" ")}`, async () => {
    const ended = await run(...argv);
    expect(ended).toMatchObject({ exit: 2, stdout: "" });
    expect(ended.stderr).toStartWith("Error: ");
    expect(ended.stderr).toContain(message);
  });
}

const unknown: readonly (readonly [argv: readonly string[], message: string, hint?: string])[] = [
  [["--container", "wbe"], 'container "wbe"', 'did you mean "web"?'],
  [["--container", "ababababab"], 'container "ababababab"'],
  [["--container", "*"], 'container "*"'],
  [["--rule", "no-psuh"], 'rule "no-psuh"', 'did you mean "no-push"?'],
];
for (const [argv, message, hint] of unknown) {
  test(`D: exit 1: log ${argv.join(" ")}, a name that was never seen`, async () => {
    expect(await run(...argv)).toEqual({
      exit: 1,
      stdout: "",
      stderr: `Error: ${message} is neither in the decision log nor known to the daemon\n${
        hint === undefined ? "" : `Hint: ${hint}\n`
      }`,
    });
  });
}

test("D: a known name without a record in the range: no records, exit 0", async () => {
  const empty = await run("--container", "web", "--since", "2026-11-22");
  expect(empty).toEqual({ exit: 0, stdout: "no records\n", stderr: "" });
  expect(await run("--container", "web", "--since", "2026-11-22", "--json")).toEqual({ ...empty, stdout: "" });
});

test("pages follow one another", async () => {
  using long = new StateDir();
  const log = await TestAppender.open(long);
  const count = 2 * PAGE_RECORDS + 1;
  await log.append(...Array.from({ length: count }, () => decisionEntry()));
  log.close();
  const seqs = seqsOf(await runOutcall(["log", "--json", "--state-dir", long.dir]));
  expect(seqs).toEqual(Array.from({ length: count }, (_, index) => index + 1));
});

describe("log verify", () => {
  test("whole: exit 0", async () => {
    expect(await run("verify")).toEqual({
      exit: 0,
      stdout: "whole: 9 records up to number 9, 0 removed by age or size\n",
      stderr: "",
    });
    const { stdout } = await run("verify", "--json");
    expect(JSON.parse(stdout)).toEqual({ version: 1, whole: true, records: 9, removed: 0, last: 9, broken: null });
  });

  async function broken(change: (copy: StateDir) => void, message: string, seq: number | null): Promise<void> {
    using copy = new StateDir();
    const log = await TestAppender.open(copy);
    await log.append(blockEntry(), blockEntry(), blockEntry());
    log.close();
    change(copy);
    const argv = ["log", "verify", "--state-dir", copy.dir];
    const text = await runOutcall(argv);
    expect(text).toMatchObject({ exit: 1, stdout: "" });
    expect(text.stderr).toStartWith("Error: ");
    expect(text.stderr).toContain(message);
    const json = await runOutcall([...argv, "--json"]);
    expect(json.exit).toBe(1);
    expect(JSON.parse(json.stderr)).toMatchObject({ version: 1, error: { message: expect.stringContaining(message) } });
    const output = JSON.parse(json.stdout);
    expect(new Validator(JSON.parse(JSON.stringify(SCHEMAS["log-verify"])), "7").validate(output).errors).toEqual([]);
    expect(output).toMatchObject({
      version: 1,
      whole: false,
      broken: { seq, message: expect.stringContaining(message) },
    });
  }

  test("a changed record: exit 1, and it is named", async () => {
    await broken((copy) => copy.change("UPDATE record SET rule = 'x' WHERE seq = 2"), "record 2 is changed", 2);
  });

  test("no head file: exit 1", async () => {
    await broken((copy) => rmSync(copy.paths.head), 'decisions.head" is missing', null);
  });

  test("no log: exit 1, and where to look", async () => {
    const hint = "name the daemon's state directory with --state-dir; only root and the daemon's user can read it";
    const argv = ["log", "verify", "--state-dir", "/nonexistent"];
    const stderr = `Error: no decision log in "/nonexistent"\nHint: ${hint}\n`;
    expect(await runOutcall(argv)).toEqual({ exit: 1, stdout: "", stderr });
    const json = await runOutcall([...argv, "--json"]);
    expect({ ...json, stderr: JSON.parse(json.stderr) }).toEqual({
      exit: 1,
      stdout: "",
      stderr: { version: 1, error: { code: "audit.store", message: 'no decision log in "/nonexistent"', hint } },
    });
  });

  test("progress on a terminal alone", async () => {
    using long = new StateDir();
    const log = await TestAppender.open(long);
    await log.append(...Array.from({ length: 1_000 }, () => decisionEntry()));
    log.close();
    const argv = ["log", "verify", "--state-dir", long.dir];
    const clear = "\r\u001b[K";
    expect((await runOutcall(argv, { isTerminal: true })).stderr).toBe(`${clear}1000 records are whole so far${clear}`);
    expect((await runOutcall(argv)).stderr).toBe("");
  });
});

test("a daemon that is named and does not answer is an error, not another log", async () => {
  expect(await runOutcall(["log", "--socket", "/nonexistent/host.sock"])).toMatchObject({
    exit: 1,
    stdout: "",
    stderr: expect.stringContaining(
      "Error: cannot connect to outcalld at /nonexistent/host.sock -- is it running?\nHint: name the state directory with --state-dir",
    ),
  });
});

test("records that others wrote are not shown as ours", async () => {
  using copy = new StateDir();
  const log = await TestAppender.open(copy);
  await log.append(blockEntry(), blockEntry());
  log.close();
  copy.change("UPDATE record SET body = 'no JSON' WHERE seq = 2");
  const ended = await runOutcall(["log", "--json", "--state-dir", copy.dir]);
  expect(ended.exit).toBe(1);
  expect(JSON.parse(ended.stderr).error).toEqual({
    code: "audit.broken",
    message: "record 2 is changed",
    hint: "outcall log verify checks all of it",
  });
  expect(seqsOf(ended)).toEqual([1]);
});
