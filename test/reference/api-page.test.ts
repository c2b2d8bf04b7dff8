// Runs what api.md shows: the command and every example.
import { afterEach, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { REFERENCE } from "../../scripts/reference.ts";
import { routesOf } from "../../scripts/reference/route.ts";
import { missingProgram, requirement } from "../support/container/container.ts";
import { faultsOf } from "../support/document/openapi.ts";
import { runProgram } from "../support/program/run-program.ts";
import { AGENT, type Driver, HOST, nameOf, startDriver } from "./drive.ts";
import { reportOf } from "./status-report.ts";

const page = readFileSync(join(REFERENCE, "api.md"), "utf8");

let driver: Driver | undefined;
afterEach(async () => {
  await driver?.stop();
  driver = undefined;
});

const curl = requirement("curl", missingProgram("curl"));

describe.skipIf(curl.skip)(curl.label, () => {
  test("the command of the page prints an answer as the document says", async () => {
    driver = await startDriver({ report: reportOf });
    const [, command = ""] = /```sh\n(curl .*)\n```/.exec(page) ?? [];
    const words = command.split(" ").map((word) => word === HOST.reference.socket ? driver?.sockets.host ?? "" : word);
    expect(words).toContain(driver.sockets.host);
    const { code, stdout } = await runProgram(words);
    expect(code).toBe(0);
    const responses = HOST.document.paths["/api/v1/status"]?.["get"]?.responses;
    const schema = responses?.["200"]?.content["application/json"].schema;
    expect(faultsOf(HOST.document, schema ?? {}, JSON.parse(stdout))).toEqual([]);
  });
});

test.each([AGENT, HOST])("each route of the $name socket has its request and its answer on the page", (driven) => {
  for (const route of routesOf(driven.reference)) {
    const start = page.indexOf(`\n### ${nameOf(route)}\n`);
    const part = page.slice(start, page.indexOf("\n### ", start + 1));
    const [, head = "", body = ""] = /```http\n(.*?)(?:\n\n(.*?))?\n```/s.exec(part) ?? [];
    const example = route.entry.path?.example ?? "";
    expect(head.split("\n")[0]).toBe(nameOf(route).replace(/\{\w+\}/, example));
    expect(body === "" ? undefined : JSON.parse(body)).toEqual(route.entry.body?.example);
    const [, answer = ""] = /```json\n(.*?)\n```/s.exec(part) ?? [];
    expect(JSON.parse(answer)).toEqual({ success: true, data: route.entry.answer.example });
  }
});
