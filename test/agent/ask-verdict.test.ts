// The shim fails closed: if the daemon's answer is missing, malformed or wrong, the shim exits with 5, prints one line,
// and runs nothing.
import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { AGENT_FORMS, ALLOWED, CHECK, setUpBench } from "../support/agent/bench.ts";
import { PLAIN_ENVIRONMENT, runProgram } from "../support/program/run-program.ts";
import { answering, CHECKED_IN, jsonAnswer, type Script, textAnswer } from "../support/socket/scripted-daemon.ts";

describe.each(AGENT_FORMS)("outcall-agent (%s)", (_form, command) => {
  const { agent, directory, marker, start } = setUpBench(command);

  describe("fails closed", () => {
    test("when there is no socket", async () => {
      const path = join(directory(), "none.sock");
      const { words, isThere } = marker();
      for (
        const rest of [["exec", ...words], ["exec", "/no/such/program"], ["shell", words.join(" ")], CHECK, ["checkin"]]
      ) {
        const ended = await runProgram([...command, "--agent-socket", path, ...rest]);
        expect(ended).toMatchObject({
          code: 5,
          stdout: "",
          stderr: `outcall-agent: agent socket not found at ${path} -- is outcalld running?\n`,
        });
      }
      expect(isThere()).toBe(false);
    });

    test("when no process listens", async () => {
      const path = join(directory(), "file");
      writeFileSync(path, "");
      const ended = await runProgram([...command, "--agent-socket", path, "exec", "ls"]);
      expect(ended).toMatchObject({
        code: 5,
        stdout: "",
        stderr: `outcall-agent: cannot connect to outcalld at ${path} -- is it running?\n`,
      });
    });

    test("when the path of the socket is longer than any", async () => {
      const path = `/${"x".repeat(107)}`;
      const ended = await runProgram([...command, "--agent-socket", path, "exec", "ls"]);
      const where = `outcalld at ${path} -- is it running?`;
      const hint = "(the path of a socket has at most 107 bytes)";
      expect(ended).toMatchObject({
        code: 5,
        stdout: "",
        stderr: `outcall-agent: cannot connect to ${where} ${hint}\n`,
      });
      const longest = await runProgram([...command, "--agent-socket", path.slice(1), "exec", "ls"]);
      expect(longest.stderr).toBe(
        `outcall-agent: agent socket not found at ${path.slice(1)} -- is outcalld running?\n`,
      );
    });

    const lies: readonly [note: string, check: Script][] = [
      ["kills itself in the middle of the request", (s) => s.destroy()],
      ["closes in the middle of the answer", (s) => s.end("HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n{")],
      [
        "cuts an allow behind its last brace",
        (s) =>
          s.end(`HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n${JSON.stringify({ success: true, data: ALLOWED })}`),
      ],
      ["answers with HTML", (s) => s.write(textAnswer(200, "<html>allowed</html>"))],
      ["answers with a megabyte", (s) => {
        s.write(jsonAnswer(200, { success: true, data: { ...ALLOWED, reason: "x".repeat(1_000_000) } }));
      }],
      ["answers with an allow over the limit", (s) => {
        s.write(textAnswer(200, JSON.stringify({ success: true, data: ALLOWED }).padEnd(65_537)));
      }],
      ["answers an allow under 403", (s) => s.write(jsonAnswer(403, { success: true, data: ALLOWED }))],
      ["answers an allow under 201", (s) => s.write(jsonAnswer(201, { success: true, data: ALLOWED }))],
      ["answers an allow in a failure", (s) => s.write(jsonAnswer(200, { success: false, data: ALLOWED }))],
      ["answers without envelope", (s) => s.write(jsonAnswer(200, ALLOWED))],
      ["answers a list", (s) => s.write(jsonAnswer(200, [ALLOWED]))],
      ["refuses with an error", (s) => s.write(jsonAnswer(422, { success: false, error: "unknown\naction" }))],
      ["refuses the token", (s) => s.write(jsonAnswer(401, { success: false, error: "invalid session token" }))],
      ...[
        "true",
        1,
        null,
        {},
        [],
        undefined,
      ].map((allowed): [string, Script] => [
        `gives ${JSON.stringify(allowed)} for allowed`,
        (s) => s.write(jsonAnswer(200, { success: true, data: { ...ALLOWED, allowed } })),
      ]),
      ["adds a member", (s) => s.write(jsonAnswer(200, { success: true, data: { ...ALLOWED, more: 1 } }))],
      [
        "leaves a member out",
        (s) => s.write(jsonAnswer(200, { success: true, data: { allowed: true, reason: null } })),
      ],
      [
        "gives a number as reason",
        (s) => s.write(jsonAnswer(200, { success: true, data: { ...ALLOWED, reason: 1 } })),
      ],
    ];
    test.each(lies)("when the daemon %s", async (_note, check) => {
      const daemon = await start(answering(check));
      const { words, isThere } = marker();
      const ended = await agent(daemon, ["exec", ...words]);
      expect(ended).toMatchObject({ code: 5, stdout: "" });
      expect(ended.stderr).toMatch(/^outcall-agent: [^\n]+\n$/);
      expect(ended.stderr).not.toContain("tok-");
      expect(daemon.received.map((each) => each.path)).toEqual(["/v1/checkin", "/v1/permissions/check"]);
      expect(isThere()).toBe(false);
    });

    const checkins: readonly [note: string, answer: string, message: string][] = [
      [
        "rejects the check-in",
        jsonAnswer(403, {
          success: false,
          error: "check-in rejected: peer does not belong to a known container",
          code: "container.unknown",
        }),
        "check-in rejected: peer does not belong to a known container",
      ],
      [
        "gives no token",
        jsonAnswer(200, { success: true, data: { ...CHECKED_IN, session_token: undefined } }),
        'outcalld\'s answer is not understood: data: missing member "session_token"',
      ],
      [
        "gives a token with a line break",
        jsonAnswer(200, { success: true, data: { ...CHECKED_IN, session_token: "a\r\nX: y" } }),
        "outcalld's answer is not understood: its session token is malformed",
      ],
      [
        "checks in under 201",
        jsonAnswer(201, { success: true, data: CHECKED_IN }),
        "outcalld's answer is not understood: status 201",
      ],
      [
        "answers the check-in with a verdict",
        jsonAnswer(200, { success: true, data: ALLOWED }),
        'outcalld\'s answer is not understood: data: missing member "container_id"',
      ],
    ];
    test.each(checkins)("when the daemon %s, and asks nothing", async (_note, answer, message) => {
      const daemon = await start((socket) => socket.write(answer));
      const ended = await agent(daemon, ["exec", "echo", "x"]);
      expect(ended).toMatchObject({ code: 5, stdout: "", stderr: `outcall-agent: ${message}\n` });
      expect(daemon.received.map((each) => each.path)).toEqual(["/v1/checkin"]);
    });

    test("when the daemon drips, within the time of OUTCALL_TIMEOUT_SECS for all calls together", async () => {
      const daemon = await start((socket, received) => {
        socket.write("HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\n");
        const timer = setInterval(() => socket.write(" "), 10);
        socket.on("close", () => clearInterval(timer));
        return received;
      });
      const environment = { ...PLAIN_ENVIRONMENT, OUTCALL_TIMEOUT_SECS: "1" };
      const ended = await agent(daemon, ["exec", "echo", "x"], { environment });
      expect(ended).toMatchObject({
        code: 5,
        stdout: "",
        stderr: `outcall-agent: outcalld at ${daemon.socketPath} did not answer in time\n`,
      });
    });

    const limits: readonly [headers: readonly string[], message: string][] = [
      [["Retry-After: 7"], "rate limited: try again in 7 seconds"],
      [["Retry-After: 1"], "rate limited: try again in 1 second"],
      [["Retry-After: soon"], "rate limited: try again later"],
      [[], "rate limited: try again later"],
    ];
    test.each(limits)("when the rate is over the limit (%j), with exit 126", async (headers, message) => {
      const limited = jsonAnswer(429, { success: false, error: "rate limited" }, headers);
      const daemon = await start(answering((socket) => socket.write(limited)));
      const { words, isThere } = marker();
      const ended = await agent(daemon, ["exec", ...words]);
      expect(ended).toMatchObject({ code: 126, stdout: "", stderr: `outcall-agent: ${message}\n` });
      expect(isThere()).toBe(false);
    });
  });
});
