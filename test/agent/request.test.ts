// outcall-agent request: requests, output and exit codes.
import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { AGENT_FORMS, setUpBench } from "../support/agent/bench.ts";
import { jsonAnswer, type Script } from "../support/socket/scripted-daemon.ts";

const ID = "rr-0123456789ab";
const STATE = { id: ID, status: "pending", reason: null };
const CHECKED_IN = { container_id: "ctr-0123456789ab", session_token: "tok-x", context_keys: [] };

function saying(status: number, body: unknown, headers: readonly string[] = []): Script {
  return (socket, { path }) => {
    const answer = path === "/v1/checkin"
      ? jsonAnswer(200, { success: true, data: CHECKED_IN })
      : jsonAnswer(status, body, headers);
    socket.write(answer);
  };
}

const data = (value: unknown) => ({ success: true, data: value });

describe.each(AGENT_FORMS)("outcall-agent request (%s)", (_form, command) => {
  const { agent, directory, start } = setUpBench(command);

  function write(content: string | Uint8Array): string {
    const path = join(directory(), "request.yaml");
    writeFileSync(path, content);
    return path;
  }

  test("S004-AS-006 submit sends the file as it is, with its token, and prints the id", async () => {
    const daemon = await start(saying(201, data(STATE)));
    const text = '\ufeffversion: "1" # é\r\nrules: []\n';
    expect(await agent(daemon, ["request", "submit", write(text)])).toMatchObject({
      code: 0,
      stdout: `${ID}\n`,
      stderr: "",
    });
    const last = daemon.received.at(-1);
    expect([last?.method, last?.path, last?.headers["authorization"]]).toEqual([
      "POST",
      "/v1/requests/rules",
      "Bearer tok-x",
    ]);
    expect(JSON.parse(last?.body ?? "")).toEqual({ rule_file: text });
  });

  test("submit - reads standard input", async () => {
    const daemon = await start(saying(201, data(STATE)));
    expect(await agent(daemon, ["request", "submit", "-"], { input: "x: é\n" })).toMatchObject({
      code: 0,
      stdout: `${ID}\n`,
    });
    expect(JSON.parse(daemon.received.at(-1)?.body ?? "")).toEqual({ rule_file: "x: é\n" });
  });

  const states: readonly (readonly [state: unknown, line: string])[] = [
    [STATE, "pending"],
    [{ ...STATE, status: "approved" }, "approved"],
    [{ ...STATE, status: "rejected" }, "rejected"],
    [{ ...STATE, status: "rejected", reason: "no \u001b[2J" }, "rejected: no \\u{1b}[2J"],
  ];
  for (const [state, line] of states) {
    test(`S004-AS-007 status prints: ${line}`, async () => {
      const daemon = await start(saying(200, data(state)));
      expect(await agent(daemon, ["request", "status", ID])).toMatchObject({
        code: 0,
        stdout: `${line}\n`,
        stderr: "",
      });
      expect(daemon.received.at(-1)).toMatchObject({ method: "GET", path: `/v1/requests/rules/${ID}` });
    });
  }

  const refusals: readonly (readonly [note: string, status: number, error: string, code: number, said: string])[] = [
    ["agent.request: what does not load", 422, "request:1:1: no\nway", 1, "request:1:1: no\\u{a}way"],
    ["an unknown id", 404, "rule request x not found", 1, "rule request x not found"],
    ["agent.denied: too many", 429, "too many", 126, "rate limited: try again in 60 seconds"],
    ["agent.unreachable: no check-in", 403, "check-in rejected", 5, "check-in rejected"],
    ["not available", 503, "not available", 5, "not available"],
  ];
  for (const [note, status, error, code, said] of refusals) {
    test(`${note}: exit ${code}`, async () => {
      const daemon = await start(saying(status, { success: false, error }, ["Retry-After: 60"]));
      expect(await agent(daemon, ["request", "status", "x"])).toMatchObject({
        code,
        stdout: "",
        stderr: `outcall-agent: ${said}\n`,
      });
    });
  }

  test("an answer that is none is no answer", async () => {
    for (const body of [data({ ...STATE, more: 1 }), data({ ...STATE, status: "approving" }), [], data(null)]) {
      const daemon = await start(saying(200, body));
      const ended = await agent(daemon, ["request", "status", ID]);
      expect([ended.code, ended.stdout]).toEqual([5, ""]);
    }
  });

  test("a file that cannot be sent is never asked about", async () => {
    const daemon = await start(saying(201, data(STATE)));
    const cases: readonly (readonly [path: string, said: string])[] = [
      [join(directory(), "missing"), 'missing": it does not exist\n'],
      [directory(), ": it is a directory\n"],
      ["/dev/zero", "is over 65536 bytes"],
      [write(Uint8Array.of(0xff)), "is not UTF-8"],
    ];
    for (const [path, said] of cases) {
      const ended = await agent(daemon, ["request", "submit", path]);
      expect([ended.code, ended.stdout]).toEqual([1, ""]);
      expect(ended.stderr).toContain(said);
    }
    expect(daemon.connections()).toBe(0);
  });

  test("usage", async () => {
    const daemon = await start(saying(201, data(STATE)));
    for (const words of [["request", "submit"], ["request", "status"], ["request", "approve", ID]]) {
      expect((await agent(daemon, words)).code).toBe(2);
    }
    expect(daemon.connections()).toBe(0);
  });
});
