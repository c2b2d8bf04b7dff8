// The commands about the bridge and containers, run against a fake daemon.
import { afterEach, describe, expect, test } from "bun:test";
import { against, data, expectSchema, stopDaemons } from "../support/program/against.ts";

afterEach(stopDaemons);

describe("bridge", () => {
  test.each([
    ["status", "GET /api/v1/bridge", { name: "outcall0", state: "missing" }, 'Bridge "outcall0" is missing.\n'],
    ["up", "POST /api/v1/bridge/up", { name: "outcall0", state: "up" }, 'Bridge "outcall0" is up.\n'],
    ["down", "POST /api/v1/bridge/down", { name: "outcall0", state: "down" }, 'Bridge "outcall0" is down.\n'],
  ])("%s asks %s", async (word, asked, answer, printed) => {
    const { stdout, exit, received } = await against([data(answer)], ["bridge", word]);
    expect({ stdout, exit }).toEqual({ stdout: printed, exit: 0 });
    expect(received.map(({ method, path }) => `${method} ${path}`)).toEqual([asked]);
    const json = (await against([data(answer)], ["bridge", word, "--json"])).stdout;
    expect(JSON.parse(json)).toEqual({ version: 1, bridge: answer });
    expectSchema(`bridge-${word}`, json);
  });
});

describe("container list", () => {
  const CONTAINERS = [
    { id: "f".repeat(64), name: "agent-1", image: "agents/one:3", since: "2026-11-21T10:00:00.000Z" },
    { id: "ns-4026532201-77", name: "ctr-00ff00ff00ff", image: "", since: "2026-11-21T10:00:01.000Z" },
  ];

  test("prints a table", async () => {
    const { stdout, exit } = await against([data(CONTAINERS)], ["container", "list"]);
    expect({ stdout, exit }).toEqual({
      stdout: `ID${" ".repeat(64)}NAME              IMAGE         SINCE
${"f".repeat(64)}  agent-1           agents/one:3  2026-11-21T10:00:00.000Z
ns-4026532201-77${" ".repeat(50)}ctr-00ff00ff00ff  -             2026-11-21T10:00:01.000Z
`,
      exit: 0,
    });
  });

  test("prints JSON that fits its schema", async () => {
    const { stdout } = await against([data(CONTAINERS)], ["container", "list", "--json"]);
    expect(JSON.parse(stdout)).toEqual({ version: 1, containers: CONTAINERS });
    expectSchema("container-list", stdout);
  });
});

test("the error tells a member of the operators' group that it may only read, and any other user who may connect", async () => {
  const answer = (code: string) => [[403, { success: false, error: "not for you", code }]] as const;
  const show = async (code: string) => (await against(answer(code), ["rule", "reload"])).stderr;
  expect(await show("daemon.read-only")).toBe("Error: not for you\n");
  expect(await show("daemon.forbidden")).toStartWith("Error: not for you\nHint: only root, the daemon's user and ");
});
