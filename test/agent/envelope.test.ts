// outcall-agent envelope write: requests, output and exit codes.
import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { AGENT_FORMS, setUpBench } from "../support/agent/bench.ts";
import { jsonAnswer, type Script } from "../support/socket/scripted-daemon.ts";

const CHECKED_IN = { container_id: "ctr-0123456789ab", session_token: "tok-x", context_keys: [] };
const SUMMARY = {
  session: "ctr-0123456789ab",
  outcome: "failed",
  passed: 3,
  failed: 2,
  skipped: 1,
  total: 6,
  failures: ["write tests", "no \u001b[2J\nmore"],
};

function saying(status: number, body: unknown, headers: readonly string[] = []): Script {
  return (socket, { path }) => {
    const checkin = jsonAnswer(200, { success: true, data: CHECKED_IN });
    socket.write(path === "/v1/checkin" ? checkin : jsonAnswer(status, body, headers));
  };
}

describe.each(AGENT_FORMS)("outcall-agent envelope write (%s)", (_form, command) => {
  const { agent, directory, start } = setUpBench(command);

  test("sends the file as it is, with its token, and prints the summary, a line for each of the operator's notes", async () => {
    const daemon = await start(saying(201, { success: true, data: SUMMARY }));
    const path = join(directory(), "envelope.yaml");
    const text = '\ufefffacts: {a: "é"} # as it is\r\n';
    writeFileSync(path, text);
    expect(await agent(daemon, ["envelope", "write", path])).toMatchObject({
      code: 0,
      stdout:
        "outcome: failed\n3 passed, 2 failed, 1 skipped, 6 in all\nfailed: write tests\nfailed: no \\u{1b}[2J\\u{a}more\n",
      stderr: "",
    });
    const last = daemon.received.at(-1);
    expect([last?.method, last?.path, last?.headers["authorization"]]).toEqual([
      "POST",
      "/v1/envelopes",
      "Bearer tok-x",
    ]);
    expect(JSON.parse(last?.body ?? "")).toEqual({ facts: text });
  });

  test("- reads standard input", async () => {
    const daemon = await start(saying(201, { success: true, data: { ...SUMMARY, outcome: "verified", failures: [] } }));
    const { stdout, code } = await agent(daemon, ["envelope", "write", "-"], { input: "facts: {a: 1}\n" });
    expect({ stdout, code }).toEqual({
      stdout: "outcome: verified\n3 passed, 2 failed, 1 skipped, 6 in all\n",
      code: 0,
    });
    expect(JSON.parse(daemon.received.at(-1)?.body ?? "")).toEqual({ facts: "facts: {a: 1}\n" });
  });

  const refusals: readonly (readonly [note: string, status: number, error: string, code: number, said: string])[] = [
    [
      "what is no envelope",
      422,
      "the envelope is refused: line 1: x\ny",
      1,
      "the envelope is refused: line 1: x\\u{a}y",
    ],
    ["too many", 429, "rate limit exceeded", 126, "rate limited: try again in 60 seconds"],
    ["no room to keep it", 503, "the envelope cannot be kept", 5, "the envelope cannot be kept"],
    ["no session", 401, "invalid or missing session token", 5, "invalid or missing session token"],
  ];
  for (const [note, status, error, code, said] of refusals) {
    test(`refused: ${note}`, async () => {
      const daemon = await start(saying(status, { success: false, error }, status === 429 ? ["retry-after: 60"] : []));
      const done = await agent(daemon, ["envelope", "write", "-"], { input: "x" });
      expect(done).toMatchObject({ code, stdout: "", stderr: `outcall-agent: ${said}\n` });
    });
  }

  const noSummaries: readonly (readonly [note: string, data: unknown])[] = [
    ["nothing", null],
    ["an outcome that is none", { ...SUMMARY, outcome: "fine" }],
    ["a member too many", { ...SUMMARY, more: 1 }],
    ["a count that is none", { ...SUMMARY, passed: -1 }],
    ["failures that are no texts", { ...SUMMARY, failures: [1] }],
  ];
  for (const [note, data] of noSummaries) {
    test(`not understood: ${note}`, async () => {
      const daemon = await start(saying(201, { success: true, data }));
      const done = await agent(daemon, ["envelope", "write", "-"], { input: "x" });
      expect(done).toMatchObject({ code: 5, stdout: "", stderr: expect.stringContaining("is not understood") });
    });
  }

  test("asks nothing where there is nothing to send", async () => {
    const daemon = await start(saying(201, { success: true, data: SUMMARY }));
    const path = join(directory(), "large.yaml");
    writeFileSync(path, "x".repeat(65_537));
    expect((await agent(daemon, ["envelope", "write", path])).stderr).toContain("is over 65536 bytes");
    expect((await agent(daemon, ["envelope", "write", join(directory(), "nope")])).code).toBe(1);
    expect((await agent(daemon, ["envelope", "write"])).code).toBe(2);
    expect(await agent(daemon, ["envelope"])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("envelope write <file>"),
    });
    expect(daemon.received).toEqual([]);
  });
});
