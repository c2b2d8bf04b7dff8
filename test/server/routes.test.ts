// The routes of both sockets: the expected lists are compared with the routes of the real apps, which have none in
// common.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { AGENT_ROUTES } from "../../src/api/agent-routes.ts";
import { HOST_ROUTES } from "../../src/api/host-routes.ts";
import { namesOf } from "../../src/wire/route.ts";
import { findMethods } from "../../src/server/routes.ts";
import { startApps } from "../support/socket/app-bench.ts";

const golden = (name: string) => readFileSync(join(import.meta.dir, name), "utf8").trimEnd().split("\n");

test("each app has exactly the routes of its list", async () => {
  const { agent, host, stop } = await startApps();
  expect(agent.routes).toEqual(golden("agent-routes.txt"));
  expect(host.routes).toEqual(golden("host-routes.txt"));
  expect(agent.routes).toEqual(namesOf(AGENT_ROUTES));
  expect(host.routes).toEqual(namesOf(HOST_ROUTES));
  await stop();
});

test("the two have no path in common", () => {
  const paths = (name: string) => golden(name).map((route) => route.split(" ")[1]?.replace(/:id$/, "x") ?? "");
  for (const path of paths("agent-routes.txt")) expect(findMethods(namesOf(HOST_ROUTES), path)).toEqual([]);
  for (const path of paths("host-routes.txt")) expect(findMethods(namesOf(AGENT_ROUTES), path)).toEqual([]);
});

describe("findMethods", () => {
  const routes = ["GET /a/:id", "POST /a/b", "GET /c"] as const;
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
