// The child process that runs the program under Deno, which cannot replace its own process.
import { afterEach, describe, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { denoProgram } from "../support/program/programs.ts";
import { PLAIN_ENVIRONMENT, runProgram } from "../support/program/run-program.ts";
import { answering, honest, type ScriptedDaemon, startDaemon } from "../support/socket/scripted-daemon.ts";

const running: ScriptedDaemon[] = [];

afterEach(async () => {
  for (const daemon of running.splice(0)) await daemon.stop();
});

async function agent(allowed: boolean): Promise<readonly string[]> {
  const daemon = await startDaemon(honest({ allowed, matched_rule: null, reason: allowed ? null : "no" }));
  running.push(daemon);
  return [...denoProgram("outcall-agent"), "--agent-socket", daemon.socketPath];
}

describe("outcall-agent (deno)", () => {
  test("gives argument vector, environment, input and exit code", async () => {
    const words = [...await agent(true), "exec", "sh", "-c", "cat; cat /proc/$$/cmdline; exit 7", "nm", "", "a\nb"];
    const ended = await runProgram(words, { input: "in\n" });
    expect(ended).toMatchObject({ code: 7, stderr: "" });
    expect(ended.stdout).toBe("in\nsh\0-c\0cat; cat /proc/$$/cmdline; exit 7\0nm\0\0a\nb\0");
    const environment = { ...PLAIN_ENVIRONMENT, A: "b=c", EMPTY: "" };
    const printed = await runProgram([...await agent(true), "exec", "cat", "/proc/self/environ"], { environment });
    expect(printed.stdout.split("\0").slice(0, -1).sort()).toEqual([
      "A=b=c",
      "EMPTY=",
      `PATH=${PLAIN_ENVIRONMENT.PATH}`,
    ]);
  });

  test("ends with the number of the signal that ended the program", async () => {
    expect((await runProgram([...await agent(true), "exec", "sh", "-c", "kill -TERM $$"])).code).toBe(143);
  });

  test("passes a signal on and waits for what the program makes of it", async () => {
    const text = "trap 'echo got; exit 4' TERM; echo ready; while read -r line; do :; done; echo end";
    const [file = "", ...words] = [...await agent(true), "exec", "sh", "-c", text];
    const child = spawn(file, words, { env: PLAIN_ENVIRONMENT, stdio: ["pipe", "pipe", "inherit"] });
    let said = "";
    child.stdout.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      if (said === "ready\n") child.kill("SIGTERM");
    });
    const code = await new Promise((resolve) => child.on("close", resolve));
    expect({ code, said }).toEqual({ code: 4, said: "ready\ngot\n" });
  });

  test("asks only once, even if the connection of the check-in ends during the request", async () => {
    const daemon = await startDaemon(answering((socket) => socket.destroy()));
    running.push(daemon);
    const words = [...denoProgram("outcall-agent"), "--agent-socket", daemon.socketPath, "exec", "echo", "x"];
    expect(await runProgram(words)).toMatchObject({ code: 5, stdout: "" });
    expect(daemon.received.map(({ connection, path }) => ({ connection, path }))).toEqual([
      { connection: 1, path: "/v1/checkin" },
      { connection: 1, path: "/v1/permissions/check" },
    ]);
  });

  test("runs nothing when denied", async () => {
    const ended = await runProgram([...await agent(false), "exec", "echo", "x"]);
    expect(ended).toMatchObject({ code: 126, stdout: "", stderr: "outcall-agent: denied: no\n" });
  });
});
