// Tries the claims of the program and error pages: forms of flag values, exit codes of the shim.
import { describe, expect, test } from "bun:test";
import { AGENT_SOCKET } from "../../scripts/reference/sockets.ts";
import { PROGRAM_NOTES } from "../../scripts/reference/program-notes.ts";
import { programPage } from "../../scripts/reference/program-page.ts";
import { routesOf } from "../../scripts/reference/route.ts";
import { problemsOf } from "../../src/wire/route.ts";
import { PAGES } from "../../scripts/man.ts";
import { describeRefused } from "../../src/agent/ask-verdict.ts";
import { parseArgv } from "../../src/command/parse-argv.ts";
import { meaningOf, type ProblemCode } from "../../src/core/problem.ts";
import { configOf } from "../../src/daemon/config.ts";
import { OUTCALLD } from "../../src/daemon/program.ts";

function isTaken(flag: string, value: string): boolean {
  const plan = parseArgv(OUTCALLD, [`--${flag}=${value}`], {});
  // The message must be about the value, not about an unknown flag.
  if (!plan.ok && plan.error.message.startsWith(`--${flag} `)) return false;
  if (!plan.ok || plan.value.kind !== "run") throw new Error(`--${flag} is not read`);
  return configOf(plan.value).ok;
}

describe("outcalld takes and refuses the values of", () => {
  test.each([...PROGRAM_NOTES["outcalld"].forms])("--$flag", ({ flag, taken, refused }) => {
    expect(taken.filter((value) => !isTaken(flag, value))).toEqual([]);
    expect(refused.filter((value) => isTaken(flag, value))).toEqual([]);
    expect(taken.length * refused.length).toBeGreaterThan(0);
  });
});

test("the exit codes of the table are those of the shim, for what a check-in and a check may be refused with", () => {
  const routes = routesOf(AGENT_SOCKET).filter(({ path }) =>
    path === "/v1/checkin" || path === "/v1/permissions/check"
  );
  const codes = new Set(routes.flatMap(({ entry }) => problemsOf(AGENT_SOCKET.problems, entry)));
  expect(codes.size).toBeGreaterThan(10);
  for (const code of codes) {
    const { status, exit } = meaningOf(code);
    const refused = describeRefused({ kind: "refused", status, error: "no" });
    expect([code, meaningOf(refused.code).exit]).toEqual([code, exit]);
  }
});

test("a denial in place of an evaluation is a denial for the shim", () => {
  const codes: readonly ProblemCode[] = ["daemon.evaluation-timeout", "audit.unavailable"];
  for (const code of codes) expect(meaningOf(code).exit).toBe(meaningOf("agent.denied").exit);
});

test("exits of a command that is none are no page", () => {
  const [page] = PAGES;
  if (page === undefined) throw new Error("no page");
  const notes = { ...PROGRAM_NOTES["outcalld"], exits: { "rule lst": "1" } };
  expect(() => programPage(page, notes)).toThrow('exits of "rule lst", which is no command');
});
