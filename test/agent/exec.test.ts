// outcall-agent exec: its request, the program that it becomes, and that it runs nothing without permission.
import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AGENT_FORMS, ALLOWED, asked, DENIED, setUpBench } from "../support/agent/bench.ts";
import { PLAIN_ENVIRONMENT } from "../support/program/run-program.ts";
import { CHECKED_IN, honest } from "../support/socket/scripted-daemon.ts";

/** Writes an executable script for the test. */
function script(path: string, text: string): string {
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
  return path;
}

describe.each(AGENT_FORMS)("outcall-agent (%s)", (_form, command) => {
  const { agent, directory, marker, start } = setUpBench(command);

  describe("exec", () => {
    test("checks in, asks over the same connection, and prints nothing of its own", async () => {
      const daemon = await start(honest(ALLOWED));
      const ended = await agent(daemon, ["exec", "--", "sh", "-c", "echo out; echo err >&2; exit 7"], {
        directory: directory(),
      });
      expect(ended).toMatchObject({ code: 7, stdout: "out\n", stderr: "err\n" });
      expect(daemon.received.map(({ connection, method, path }) => [connection, method, path])).toEqual([
        [1, "POST", "/v1/checkin"],
        [1, "POST", "/v1/permissions/check"],
      ]);
      expect(daemon.received[1]?.headers["authorization"]).toBe(`Bearer ${CHECKED_IN.session_token}`);
      expect(asked(daemon)).toEqual({
        action_type: "tool_exec",
        target: realpathSync("/bin") === "/usr/bin" ? "/usr/bin/sh" : "/bin/sh",
        metadata: { argv: ["-c", "echo out; echo err >&2; exit 7"], cwd: directory() },
      });
    });

    const vectors: readonly [note: string, args: readonly string[]][] = [
      ["empty ones", ["", "a", ""]],
      ["newlines, tabs and quotes", ["a\nb", "\t", "'\"`$(x)\\"]],
      ["dashes, the shim's own flags too", ["--", "-x", "--help", "--agent-socket", "/nowhere", "--version", "-"]],
      ["non-ASCII, also the sign for what cannot be decoded", ["é", "日本", "🙂", "\ufffd", "\ufeff", "\u202e"]],
      ["numbers and what looks like an assignment", ["007", "1e3", "A=b", "=x", "no-x"]],
      ["one of 32 KiB", ["x".repeat(32 * 1024)]],
      ["many", Array.from({ length: 1000 }, (_, index) => `${index}`)],
    ];
    test.each(vectors)("passes arguments on exactly: %s", async (_note, args) => {
      const daemon = await start(honest(ALLOWED));
      const ended = await agent(daemon, ["exec", "sh", "-c", "cat /proc/$$/cmdline", "sh", ...args]);
      expect(ended.stderr).toBe("");
      expect(ended.stdout.split("\0").slice(4, -1)).toEqual([...args]);
      expect(asked(daemon)).toMatchObject({ metadata: { argv: ["-c", "cat /proc/$$/cmdline", "sh", ...args] } });
    });

    test("gives the program its name as the caller gave it", async () => {
      const daemon = await start(honest(ALLOWED));
      const inPath = await agent(daemon, ["exec", "cat", "/proc/self/cmdline"]);
      const path = await agent(daemon, ["exec", "/bin/../bin/cat", "/proc/self/cmdline"]);
      expect(inPath.stdout).toBe("cat\0/proc/self/cmdline\0");
      expect(path.stdout).toBe("/bin/../bin/cat\0/proc/self/cmdline\0");
    });

    test("leaves environment, directory() and input alone, and keeps the pid", async () => {
      const daemon = await start(honest(ALLOWED));
      const environment = {
        ...PLAIN_ENVIRONMENT,
        EMPTY: "",
        LINES: "a\nb=c",
        "odd name": "é",
        "7": "seven",
        TZ: "Asia/Tokyo",
        OUTCALL_SOCKET: "/x",
        OUTCALL_AGENT_SOCKET: "/x",
        OUTCALL_TIMEOUT_SECS: "300",
        BUN_INSTALL: "/x",
        HTTP_PROXY: "http://127.0.0.1:1",
      };
      const words = ["exec", "cat", "/proc/self/environ"];
      const variables = (await agent(daemon, words, { environment })).stdout.split("\0").slice(0, -1);
      expect(variables.sort()).toEqual(Object.entries(environment).map(([name, value]) => `${name}=${value}`).sort());
      const text = "echo $$; pwd; cat";
      const ended = await agent(daemon, ["exec", "sh", "-c", text], { directory: directory(), input: "in\n" });
      expect(ended.stdout).toBe(`${ended.pid}\n${directory()}\nin\n`);
    });

    test("leaves signals as they are by default", async () => {
      const daemon = await start(honest(ALLOWED));
      const ended = await agent(daemon, ["exec", "grep", "-E", "^Sig(Blk|Ign)", "/proc/self/status"]);
      expect(ended.stdout).toBe("SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n");
      expect(await agent(daemon, ["exec", "sh", "-c", "kill -TERM $$"])).toMatchObject({
        code: null,
        signal: "SIGTERM",
      });
    });

    test("finds the program, and asks about its absolute path", async () => {
      const daemon = await start(honest(ALLOWED));
      mkdirSync(join(directory(), "bin"));
      mkdirSync(join(directory(), "deep/er"), { recursive: true });
      symlinkSync(join(directory(), "deep/er"), join(directory(), "link"));
      const tool = script(join(directory(), "bin", "tool"), "echo tool");
      const upper = script(join(directory(), "deep", "tool"), "echo deep");
      const cases: readonly [name: string, path: string, target: string][] = [
        ["tool", join(directory(), "bin"), tool],
        ["tool", "bin", tool],
        ["tool", `/nowhere:${directory()}:bin`, tool],
        ["bin/tool", "/nowhere", tool],
        ["./bin//tool", "/nowhere", tool],
        ["link/../tool", "/nowhere", upper],
        [tool, "/nowhere", tool],
      ];
      for (const [name, path, target] of cases) {
        const ended = await agent(daemon, ["exec", name], { directory: directory(), environment: { PATH: path } });
        expect(ended).toMatchObject({ code: 0, stderr: "" });
        expect(asked(daemon)).toMatchObject({ target });
      }
    });

    test("asks nothing about a program that is not there", async () => {
      const daemon = await start(honest(ALLOWED));
      writeFileSync(join(directory(), "plain"), "x");
      const cases: readonly [name: string, message: string][] = [
        ["no-such", 'cannot find program "no-such" in PATH'],
        ["plain", 'cannot find program "plain" in PATH'],
        ["", 'cannot find program "" in PATH'],
        ["./plain", 'cannot run "./plain": it is not an executable file'],
        ["./", 'cannot run "./": it is not an executable file'],
        ["./none", 'cannot run "./none": there is no such file'],
        ["/no/../such", 'cannot run "/no/../such": there is no such file'],
      ];
      for (const [name, message] of cases) {
        const ended = await agent(daemon, ["exec", name], {
          directory: directory(),
          environment: { PATH: directory() },
        });
        expect(ended).toMatchObject({ code: 126, stdout: "", stderr: `outcall-agent: ${message}\n` });
      }
      const unset = await agent(daemon, ["exec", "ls"], { environment: {} });
      expect(unset).toMatchObject({ code: 126, stderr: 'outcall-agent: cannot find program "ls" in PATH\n' });
      expect(new Set(daemon.received.map((each) => each.path))).toEqual(new Set(["/v1/checkin"]));
    });

    test("says why an allowed program cannot be run", async () => {
      const daemon = await start(honest(ALLOWED));
      const path = join(directory(), "tool");
      const cases: readonly [text: string, message: string][] = [
        ["#!/no/such/interpreter\n", "its interpreter or dynamic linker does not exist"],
        ["echo x\n", "it is neither a program for this machine nor a script that begins with #!"],
        [`#!${directory()}\n`, "permission denied"],
        ["", "it is neither a program for this machine nor a script that begins with #!"],
      ];
      for (const [text, message] of cases) {
        writeFileSync(path, text);
        chmodSync(path, 0o755);
        const ended = await agent(daemon, ["exec", path]);
        expect(ended).toMatchObject({
          code: 126,
          stdout: "",
          stderr: `outcall-agent: cannot run "${path}": ${message}\n`,
        });
      }
    });

    test("runs nothing when denied, and says why in one line", async () => {
      const daemon = await start(honest({ ...DENIED, reason: "no\n\u001b[31mway\u202e" }));
      const { words, isThere } = marker();
      const text = await agent(daemon, ["exec", ...words]);
      expect(text).toMatchObject({ code: 126, stdout: "" });
      expect(text.stderr).toBe("outcall-agent: denied: no\\u{a}\\u{1b}[31mway\\u{202e}\n");
      const environment = { ...PLAIN_ENVIRONMENT, OUTCALL_VERDICT: "json" };
      const json = await agent(daemon, ["exec", ...words], { environment });
      expect(json).toMatchObject({ code: 126, stdout: "" });
      expect(json.stderr).toBe(
        '{"allowed":false,"matched_rule":null,"reason":"no\\n\\u001b[31mway\\u202e"}\n',
      );
      expect(isThere()).toBe(false);
    });
  });
});
