// Refusals in the log: the details for the operator, the level, and the limit per minute.
import { describe, expect, test } from "bun:test";
import type { Container } from "../../src/container/container.ts";
import { lookupUnavailable } from "../../src/container/unavailable.ts";
import { problem, type ProblemCode } from "../../src/core/problem.ts";
import type { Log, LogFields } from "../../src/log/logger.ts";
import { LOGGED_ONE_BY_ONE, RefusalLog } from "../../src/log/refusal-log.ts";
import { rejectPeer } from "../../src/peer/rejection.ts";
import { memoryAudit } from "../support/audit/audit.ts";

type Written = { readonly level: string; readonly event: string; readonly fields: LogFields };

function keeping(): { log: Log; written: Written[] } {
  const written: Written[] = [];
  const write = (level: string) => (event: string, fields: LogFields) => void written.push({ level, event, fields });
  return {
    log: { debug: write("debug"), info: write("info"), warning: write("warning"), error: write("error") },
    written,
  };
}

const container = (id: string): Container => {
  return {
    id,
    shortId: "ctr-1",
    name: `name-${id}`,
    image: "",
    labels: {},
    ownLabels: {},
    instance: id,
    source: "docker",
  };
};
const BAD = problem("daemon.invalid-request", "bad");
// Longer than any test runs.
const LONG = 1_000_000;

describe("the level", () => {
  const cases: readonly (readonly [ProblemCode, string])[] = [
    ["daemon.invalid-request", "info"],
    ["daemon.not-found", "info"],
    ["daemon.method", "info"],
    ["daemon.too-large", "info"],
    ["daemon.media-type", "info"],
    ["daemon.unprocessable", "info"],
    ["session.bad-token", "warning"],
    ["session.full", "warning"],
    ["container.unknown", "warning"],
    ["container.unavailable", "warning"],
    ["daemon.forbidden", "warning"],
    ["daemon.bridge-down", "warning"],
    ["daemon.internal", "warning"],
    ["peer.unidentified", "warning"],
  ];
  for (const [code, level] of cases) {
    test(`${code}: ${level}`, () => {
      const { log, written } = keeping();
      new RefusalLog(log, memoryAudit().audit, LONG).note("agent.check", problem(code, "m"), undefined);
      expect(written).toMatchObject([{ level, event: "agent.check.refused", fields: { code, reason: "m" } }]);
    });
  }
});

test("the log has details that the peer does not see: pid, reason and the cause of a failed look-up, escaped", () => {
  const { log, written } = keeping();
  const refusals = new RefusalLog(log, memoryAudit().audit, LONG);
  refusals.note("agent.checkin", rejectPeer(42, "process \u001bhas ended"), undefined);
  refusals.note("agent.checkin", lookupUnavailable("engine", new Error("ECONNREFUSED\n")), container("a"));
  refusals.note(
    "host.request",
    problem("daemon.forbidden", "no", { cause: { pid: 7, uid: 8, detail: "d", x: 1 } }),
    undefined,
  );
  expect(written.map(({ fields }) => fields)).toMatchObject([
    { pid: 42, detail: "process \\u{1b}has ended", seed: "CheckinRejected" },
    { container: "a", name: "name-a", detail: "engine: ECONNREFUSED\\u{a}" },
    { pid: 7, uid: 8, detail: "d" },
  ]);
  expect(written[2]?.fields).not.toHaveProperty("x");
});

test("refusals are logged one by one up to the limit, then one line has the count of the rest", async () => {
  const { log, written } = keeping();
  const refusals = new RefusalLog(log, memoryAudit().audit, 20);
  for (let count = 0; count < LOGGED_ONE_BY_ONE + 5; count++) refusals.note("agent.check", BAD, container("a"));
  expect(written).toHaveLength(LOGGED_ONE_BY_ONE);
  while (written.length === LOGGED_ONE_BY_ONE) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(written.at(-1)).toMatchObject({ event: "agent.check.refused", fields: { container: "a", more: 5 } });
  refusals.note("agent.check", BAD, container("a"));
  expect(written).toHaveLength(LOGGED_ONE_BY_ONE + 2);
});

test("containers and kinds are counted separately", () => {
  const { log, written } = keeping();
  const refusals = new RefusalLog(log, memoryAudit().audit, LONG);
  for (let count = 0; count < 3 * LOGGED_ONE_BY_ONE; count++) {
    refusals.note("agent.check", BAD, container("a"));
    refusals.note("agent.check", BAD, container("b"));
    refusals.note("agent.checkin", BAD, container("a"));
    refusals.note("agent.check", problem("session.bad-token", "m"), container("a"));
    refusals.note("agent.check", BAD, undefined);
    refusals.noteMisuse("agent.token-misuse", container("a"));
  }
  expect(written).toHaveLength(6 * LOGGED_ONE_BY_ONE);
});

test("logged refusals are recorded too, with the count of the rest", async () => {
  const { log } = keeping();
  const { audit, kept } = memoryAudit();
  const refusals = new RefusalLog(log, audit, 20);
  for (let count = 0; count < LOGGED_ONE_BY_ONE + 5; count++) {
    refusals.note("agent.check", BAD, container("a"), { path: "/x" });
    await refusals.noteMisuse("agent.token-misuse", container("a"));
  }
  refusals.note("host.request", BAD, undefined);
  while (kept.length < 2 * LOGGED_ONE_BY_ONE + 3) await new Promise((resolve) => setTimeout(resolve, 5));
  const whose = { id: "a", name: "name-a" };
  expect(kept[0]).toMatchObject({
    kind: "refusal",
    source: "agent",
    container: whose,
    reason: "bad",
    detail: { event: "agent.check.refused", code: "daemon.invalid-request", status: 400, path: "/x" },
  });
  expect(kept.filter(({ source }) => source === "host")).toMatchObject([{ container: { id: null, name: null } }]);
  expect(kept.slice(-2)).toMatchObject([
    { kind: "refusal", container: whose, detail: { more: 5 } },
    { kind: "misuse", container: whose, detail: { more: 5 } },
  ]);
});
