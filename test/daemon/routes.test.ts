// The routes of the two sockets: lists kept beside this test, from what the apps really answer to, with none in common.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { BridgeProbe } from "../../src/bridge/state.ts";
import { systemClock } from "../../src/core/clock.ts";
import { problem } from "../../src/core/problem.ts";
import { err } from "../../src/core/result.ts";
import { AGENT_ROUTES, createAgentApp } from "../../src/daemon/agent-app.ts";
import { createCounts } from "../../src/daemon/counts.ts";
import type { Deciding } from "../../src/daemon/decide.ts";
import { createHostApp, HOST_ROUTES } from "../../src/daemon/host-app.ts";
import { LiveRules } from "../../src/daemon/live-rules.ts";
import { findMethods } from "../../src/daemon/routes.ts";
import { loadRuleFiles } from "../../src/rule/load.ts";
import { Sessions } from "../../src/session/sessions.ts";

function apps() {
  const { set } = loadRuleFiles([]);
  if (set === null) throw new Error("no rule set");
  const quiet = () => {};
  const deciding: Deciding = {
    rules: new LiveRules({ set, loadedAt: new Date(0) }),
    bridge: new BridgeProbe(null, systemClock),
    runHook: () => Promise.resolve(err("no hooks")),
    clock: systemClock,
    counts: createCounts(),
    log: { debug: quiet, info: quiet, warning: quiet, error: quiet },
  };
  const ruleIdKey = { bytes: new Uint8Array(32) };
  const nobody = err(problem("peer.unidentified", "nobody"));
  const agent = createAgentApp({
    deciding,
    sessions: new Sessions(),
    identify: () => Promise.resolve(nobody),
    ruleIdKey,
    timeoutMs: 1,
    reportBug: quiet,
  });
  const reportStatus = () => {
    throw new Error("not asked");
  };
  return { agent, host: createHostApp({ deciding, admit: () => nobody, reportStatus, ruleIdKey, reportBug: quiet }) };
}

const golden = (name: string) => readFileSync(join(import.meta.dir, name), "utf8").trimEnd().split("\n");

test("each app has exactly the routes of its list", () => {
  const { agent, host } = apps();
  expect(agent.routes).toEqual(golden("agent-routes.txt"));
  expect(host.routes).toEqual(golden("host-routes.txt"));
  expect(agent.routes).toEqual([...AGENT_ROUTES]);
  expect(host.routes).toEqual([...HOST_ROUTES]);
});

test("the two have no path in common", () => {
  const paths = (name: string) => golden(name).map((route) => route.split(" ")[1]?.replace(/:id$/, "x") ?? "");
  for (const path of paths("agent-routes.txt")) expect(findMethods(HOST_ROUTES, path)).toEqual([]);
  for (const path of paths("host-routes.txt")) expect(findMethods(AGENT_ROUTES, path)).toEqual([]);
});

describe("findMethods", () => {
  const routes = ["GET /a/:id", "POST /a/b", "GET /c"];
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ["/a/x", ["GET"]],
    ["/a/b", ["GET", "POST"]],
    ["/c", ["GET"]],
    ["/a/", []],
    ["/a", []],
    ["/a/x/y", []],
    ["/c/", []],
    ["/C", []],
    ["/", []],
    ["", []],
    ["/:id", []],
  ];
  for (const [path, methods] of cases) test(path, () => expect(findMethods(routes, path)).toEqual(methods));
});
