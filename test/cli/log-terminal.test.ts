// `outcall log` on a terminal, and `outcall log show`.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cellWidth } from "../../src/core/cell-width.ts";
import { shortTime } from "../../src/cli/log-text.ts";
import { decisionEntry, eventEntry, StateDir, TestAppender } from "../support/audit/audit-log.ts";
import { writeShownLog } from "../support/audit/shown-log.ts";
import { type Run, runOutcall } from "../support/program/cli-io.ts";

let state: StateDir;

beforeAll(async () => {
  state = await writeShownLog();
});
afterAll(() => state[Symbol.dispose]());

const run = (...argv: readonly string[]): Promise<Run> => runOutcall(["log", ...argv, "--state-dir", state.dir]);

describe("D: on a terminal", () => {
  const show = (columns: number, ...argv: readonly string[]) =>
    runOutcall(["log", ...argv, "--state-dir", state.dir], {
      isTerminal: true,
      columns,
      environment: { NO_COLOR: "1" },
    });

  test.each([48, 60, 80, 120, 200])("no line is wider than a terminal of %d columns", async (columns) => {
    for (const line of (await show(columns)).stdout.split("\n")) {
      expect({ line, fits: cellWidth(line) <= columns }).toEqual({ line, fits: true });
    }
  });

  test("the last column gives way first, with an ellipsis", async () => {
    const { stdout } = await show(80, "--lines", "1", "--decision", "block");
    expect(stdout.split("\n").at(-2)).toMatch(
      /^4 {3}\d\d-\d\d \d\d:00:03 {2}block {2}web {8}default-block {2}network_call GET h\/x\?<quer…$/,
    );
  });

  test("the last 20, all of them when asked, and that older ones are not shown", async () => {
    using long = new StateDir();
    const log = await TestAppender.open(long);
    await log.append(...Array.from({ length: 21 }, () => decisionEntry()));
    log.close();
    const lines = async (...argv: readonly string[]) => {
      const { stdout } = await runOutcall(["log", "--state-dir", long.dir, ...argv], { isTerminal: true });
      return stdout.trimEnd().split("\n");
    };
    const last = await lines("--color", "never");
    expect(last).toHaveLength(22);
    expect(last[0]).toBe("older records are not shown: -n all");
    expect(last[2]).toStartWith("2 ");
    expect(await lines("--lines", "all")).toHaveLength(22);
    expect(await lines("--since", "1h")).toHaveLength(22);
    expect((await lines("--json")).map((line) => JSON.parse(line).seq)).toEqual(
      Array.from({ length: 20 }, (_, index) => index + 2),
    );
    const piped = await runOutcall(["log", "--state-dir", long.dir]);
    expect(piped.stdout.trimEnd().split("\n")).toHaveLength(22);
  });

  test("colours show the decision; NO_COLOR and --color turn them off and on", async () => {
    const argv = ["log", "--state-dir", state.dir];
    const [red, green] = ["\u001b[1;31mblock\u001b[0m", "\u001b[32mallow\u001b[0m"];
    const colored = (await runOutcall(argv, { isTerminal: true })).stdout;
    for (const part of [red, green]) expect(colored).toContain(part);
    expect((await runOutcall(argv, { isTerminal: true, environment: { NO_COLOR: "1" } })).stdout).not.toContain(
      "\u001b",
    );
    expect((await runOutcall([...argv, "--color", "never"], { isTerminal: true })).stdout).not.toContain("\u001b");
    expect((await runOutcall(argv)).stdout).not.toContain("\u001b");
    expect((await runOutcall([...argv, "--color", "always"])).stdout).toContain(red);
  });
});

describe("D: log show", () => {
  test("one record whole", async () => {
    const { stdout, stderr, exit } = await run("show", "3");
    expect({ stderr, exit }).toEqual({ stderr: "", exit: 0 });
    expect(stdout.replace(/ \(\d+ \w+ ago\)\n/, "\n")).toStartWith(`Record:          3
Time:            2026-11-21T10:00:02.500Z
What:            block
Container:       ctr-0123456789ab (ns-4026532180-77)
Rule:            no-push of b.yaml
Reason:          ask \\u{1b}[31mfirst
Request:         shell_exec git push | x (ask \\u{1b}[31mfirst)
`);
    for (
      const part of [
        "Rule set:",
        "Milliseconds:",
        'Context:         {\n                   "action_type": "shell_exec",',
        "Hash:",
      ]
    ) {
      expect(stdout).toContain(part);
    }
  });

  test("an event", async () => {
    const { stdout } = await run("show", "9");
    expect(stdout).toContain("What:           misuse\nContainer:      web (abab");
    expect(stdout).toContain('Detail:         {\n                  "event": "agent.token-misuse",');
  });

  test("--json: as outcall log prints it", async () => {
    const line = (await run("--json")).stdout.split("\n")[2] ?? "";
    expect(await run("show", "3", "--json")).toEqual({ exit: 0, stdout: `${line}\n`, stderr: "" });
  });

  test("no such record: exit 1, and which there are", async () => {
    expect(await run("show", "10")).toEqual({
      exit: 1,
      stdout: "",
      stderr: "Error: no record 10: the log holds records from 1 to 9\n",
    });
  });
});

test("shortTime: without the day today, without the year this year", () => {
  const now = new Date(2026, 10, 22, 3, 4, 5);
  expect(shortTime(new Date(2026, 10, 22, 0, 0, 9), now)).toBe("00:00:09");
  expect(shortTime(new Date(2026, 10, 21, 23, 59, 59), now)).toBe("11-21 23:59:59");
  expect(shortTime(new Date(2025, 11, 31, 1, 2, 3), now)).toBe("2025-12-31 01:02:03");
});

test("D: a reload that failed is said so", async () => {
  using broken = new StateDir();
  const log = await TestAppender.open(broken);
  await log.append(
    eventEntry("reload", { container: { id: null, name: null }, reason: "a.yaml:1: bad", detail: { cause: "watch" } }),
    eventEntry("reload", { container: { id: null, name: null }, detail: { cause: "signal" } }),
  );
  log.close();
  const { stdout } = await runOutcall(["log", "--state-dir", broken.dir, "--color", "always"]);
  expect(stdout).toMatch(/\u001b\[1;31mreload\u001b\[0m {6}daemon {12}- {21}failed: a\.yaml:1: bad cause=watch\n/);
  expect(stdout).toMatch(/ {2}reload {6}daemon {12}- {21}cause=signal\n$/);
});
