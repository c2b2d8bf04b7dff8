// outcall-agent as a program, from source and built, with a daemon that is scripted: what it asks, says, becomes and exits with.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { VERSION } from "../../src/core/version.ts";
import { programForms } from "../support/programs.ts";
import { type Ended, PLAIN_ENVIRONMENT, type RunOptions, runProgram } from "../support/run-program.ts";
import {
  answering,
  CHECKED_IN,
  honest,
  jsonAnswer,
  type Script,
  type ScriptedDaemon,
  startDaemon,
  textAnswer,
} from "../support/scripted-daemon.ts";

const ALLOWED = { allowed: true, matched_rule: "rule-0123456789ab", reason: null };
const DENIED = { allowed: false, matched_rule: null, reason: "no rule allows that" };
const CHECK = ["check", "--type", "network_call", "--target", "https://example.com"];

describe.each(programForms("outcall-agent").map((each) => [each.form, each.command] as const))(
  "outcall-agent (%s)",
  (_form, command) => {
    let directory = "";
    const running: ScriptedDaemon[] = [];

    beforeEach(() => {
      directory = realpathSync(mkdtempSync(join(tmpdir(), "outcall-agent-")));
    });

    afterEach(async () => {
      for (const daemon of running.splice(0)) await daemon.stop();
      rmSync(directory, { recursive: true, force: true });
    });

    async function start(script: Script): Promise<ScriptedDaemon> {
      const daemon = await startDaemon(script);
      running.push(daemon);
      return daemon;
    }

    function agent(daemon: ScriptedDaemon, words: readonly string[], options?: RunOptions): Promise<Ended> {
      return runProgram([...command, "--agent-socket", daemon.socketPath, ...words], options);
    }

    /** An executable script of the test's own. */
    function script(path: string, text: string): string {
      writeFileSync(path, `#!/bin/sh\n${text}\n`);
      chmodSync(path, 0o755);
      return path;
    }

    /** What would be there, had anything been run. */
    function marker(): { readonly words: readonly string[]; readonly isThere: () => boolean } {
      const path = join(directory, "marker");
      return { words: ["touch", path], isThere: () => existsSync(path) };
    }

    const asked = (daemon: ScriptedDaemon): unknown => JSON.parse(daemon.received.at(-1)?.body ?? "");

    describe("exec", () => {
      test("checks in, asks over the same connection, and prints nothing of its own", async () => {
        const daemon = await start(honest(ALLOWED));
        const ended = await agent(daemon, ["exec", "--", "sh", "-c", "echo out; echo err >&2; exit 7"], { directory });
        expect(ended).toMatchObject({ code: 7, stdout: "out\n", stderr: "err\n" });
        expect(daemon.received.map(({ connection, method, path }) => [connection, method, path])).toEqual([
          [1, "POST", "/v1/checkin"],
          [1, "POST", "/v1/permissions/check"],
        ]);
        expect(daemon.received[1]?.headers["authorization"]).toBe(`Bearer ${CHECKED_IN.session_token}`);
        expect(asked(daemon)).toEqual({
          action_type: "tool_exec",
          target: realpathSync("/bin") === "/usr/bin" ? "/usr/bin/sh" : "/bin/sh",
          metadata: { argv: ["-c", "echo out; echo err >&2; exit 7"], cwd: directory },
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

      test("leaves environment, directory and input alone, and keeps the pid", async () => {
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
        const ended = await agent(daemon, ["exec", "sh", "-c", text], { directory, input: "in\n" });
        expect(ended.stdout).toBe(`${ended.pid}\n${directory}\nin\n`);
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
        mkdirSync(join(directory, "bin"));
        mkdirSync(join(directory, "deep/er"), { recursive: true });
        symlinkSync(join(directory, "deep/er"), join(directory, "link"));
        const tool = script(join(directory, "bin", "tool"), "echo tool");
        const upper = script(join(directory, "deep", "tool"), "echo deep");
        const cases: readonly [name: string, path: string, target: string][] = [
          ["tool", join(directory, "bin"), tool],
          ["tool", "bin", tool],
          ["tool", `/nowhere:${directory}:bin`, tool],
          ["bin/tool", "/nowhere", tool],
          ["./bin//tool", "/nowhere", tool],
          ["link/../tool", "/nowhere", upper],
          [tool, "/nowhere", tool],
        ];
        for (const [name, path, target] of cases) {
          const ended = await agent(daemon, ["exec", name], { directory, environment: { PATH: path } });
          expect(ended).toMatchObject({ code: 0, stderr: "" });
          expect(asked(daemon)).toMatchObject({ target });
        }
      });

      test("asks nothing about a program that is not there", async () => {
        const daemon = await start(honest(ALLOWED));
        writeFileSync(join(directory, "plain"), "x");
        const cases: readonly [name: string, message: string][] = [
          ["no-such", 'cannot find program "no-such" in PATH'],
          ["plain", 'cannot find program "plain" in PATH'],
          ["", 'cannot find program "" in PATH'],
          ["./plain", 'cannot run "./plain": it is no executable file'],
          ["./", 'cannot run "./": it is no executable file'],
          ["/no/../such", 'cannot run "/no/../such": it is no executable file'],
        ];
        for (const [name, message] of cases) {
          const ended = await agent(daemon, ["exec", name], { directory, environment: { PATH: directory } });
          expect(ended).toMatchObject({ code: 126, stdout: "", stderr: `outcall-agent: ${message}\n` });
        }
        const unset = await agent(daemon, ["exec", "ls"], { environment: {} });
        expect(unset).toMatchObject({ code: 126, stderr: 'outcall-agent: cannot find program "ls" in PATH\n' });
        expect(daemon.received).toEqual([]);
      });

      test("says why an allowed program cannot be run", async () => {
        const daemon = await start(honest(ALLOWED));
        const path = join(directory, "tool");
        writeFileSync(path, "#!/no/such/interpreter\n");
        chmodSync(path, 0o755);
        const ended = await agent(daemon, ["exec", path]);
        expect(ended).toMatchObject({ code: 126, stdout: "", stderr: `outcall-agent: cannot run "${path}": ENOENT\n` });
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

      test("refuses what it cannot pass on exactly, and asks nothing", async () => {
        const daemon = await start(honest(ALLOWED));
        const cases: readonly [line: string, message: string][] = [
          [
            'exec "$@" exec echo "$(printf "\\377")"',
            'argument "\ufffd" cannot be passed on exactly: it is not valid UTF-8',
          ],
          [
            'exec "$@" check --target "$(printf "\\377")"',
            'argument "\ufffd" cannot be passed on exactly: it is not valid UTF-8',
          ],
          [
            'A="$(printf "secret\\377")"; export A; exec "$@" exec echo',
            'the environment cannot be passed on exactly: "A" is not valid UTF-8',
          ],
          [
            'd="$(printf "d\\377")"; mkdir "$d"; cd "$d"; unset PWD OLDPWD; exec "$@" exec echo',
            "the working directory cannot be passed on exactly: its path is not valid UTF-8",
          ],
        ];
        for (const [line, message] of cases) {
          const words = ["sh", "-c", line, "sh", ...command, "--agent-socket", daemon.socketPath];
          const ended = await runProgram(words, { directory });
          expect(ended).toMatchObject({ code: 126, stdout: "", stderr: `outcall-agent: ${message}\n` });
        }
        expect(daemon.received).toEqual([]);
      });
    });

    describe("shell", () => {
      test("asks about the line and becomes sh -c", async () => {
        const daemon = await start(honest(ALLOWED));
        const line = "printf '%s|' \"$0\" $#; echo é; exit 9";
        expect(await agent(daemon, ["shell", line], { directory })).toMatchObject({
          code: 9,
          stdout: "sh|0|é\n",
          stderr: "",
        });
        expect(asked(daemon)).toEqual({ action_type: "shell_exec", target: line, metadata: { cwd: directory } });
      });

      test("runs nothing when denied", async () => {
        const daemon = await start(honest(DENIED));
        const { words, isThere } = marker();
        const ended = await agent(daemon, ["shell", words.join(" ")]);
        expect(ended).toMatchObject({ code: 126, stdout: "", stderr: "outcall-agent: denied: no rule allows that\n" });
        expect(isThere()).toBe(false);
      });
    });

    describe("check", () => {
      test("prints the verdict and exits 0 or 1", async () => {
        const allowing = await start(honest(ALLOWED));
        const denying = await start(honest(DENIED));
        expect(await agent(allowing, CHECK)).toMatchObject({ code: 0, stdout: "allowed\n", stderr: "" });
        expect(await agent(allowing, [...CHECK, "--json"])).toMatchObject({
          code: 0,
          stdout: `${JSON.stringify(ALLOWED)}\n`,
          stderr: "",
        });
        expect(await agent(denying, CHECK)).toMatchObject({
          code: 1,
          stdout: "denied: no rule allows that\n",
          stderr: "outcall-agent: denied: no rule allows that\n",
        });
        const environment = { ...PLAIN_ENVIRONMENT, OUTCALL_VERDICT: "json" };
        expect(await agent(denying, [...CHECK, "--json"], { environment })).toMatchObject({
          code: 1,
          stdout: `${JSON.stringify(DENIED)}\n`,
          stderr: `${JSON.stringify(DENIED)}\n`,
        });
      });

      test("sends type, target and metadata as given", async () => {
        const daemon = await start(honest(ALLOWED));
        const meta = ["a=1", "b=x=y", "c=", "list=1", "list=2", "argv=push", "__proto__=p", "é=é"];
        await agent(daemon, [...CHECK, ...meta.flatMap((each) => ["--meta", each])]);
        expect(daemon.received.at(-1)?.body).toBe(
          '{"action_type":"network_call","target":"https://example.com","metadata":' +
            '{"a":"1","b":"x=y","c":"","list":["1","2"],"argv":["push"],"__proto__":"p","é":"é"}}',
        );
      });

      test("fails when the verdict cannot be written", async () => {
        const daemon = await start(honest(ALLOWED));
        const words = [...command, "--agent-socket", daemon.socketPath, ...CHECK];
        const ended = await runProgram(["sh", "-c", '"$@" > /dev/full', "sh", ...words]);
        expect(ended).toMatchObject({ code: 5, stderr: "outcall-agent: standard output cannot be written\n" });
      });
    });

    test("checkin prints the container's id and never the token", async () => {
      const daemon = await start(honest(ALLOWED));
      expect(await agent(daemon, ["checkin"])).toMatchObject({ code: 0, stdout: "ctr-0123456789ab\n", stderr: "" });
      expect(daemon.received.map((each) => [each.path, each.body])).toEqual([["/v1/checkin", "{}"]]);
    });

    test("--help and --version go to standard output and need no daemon", async () => {
      const help = await runProgram([...command, "--help"]);
      expect(help).toMatchObject({ code: 0, stderr: "" });
      expect(help.stdout).toContain("exec <program> [args ...]");
      const version = await runProgram([...command, "--version"]);
      expect(version).toMatchObject({ code: 0, stdout: `outcall-agent ${VERSION}\n`, stderr: "" });
    });

    const usage: readonly [
      words: readonly string[],
      message: string,
      environment: Readonly<Record<string, string>>,
    ][] = [
      [[], "no command given (see outcall-agent --help)", {}],
      [["exce", "ls"], 'unknown command "exce" (did you mean "exec"?)', {}],
      [["exec"], "exec: missing <program>", {}],
      [["exec", "--what", "ls"], 'unknown flag "--what"', {}],
      [["--agent-sock=/x", "exec", "ls"], 'unknown flag "--agent-sock" (did you mean "--agent-socket"?)', {}],
      [["exec", "--agent-socket", "", "ls"], "--agent-socket is a path, not empty", {}],
      [["shell"], "shell: missing <line>", {}],
      [["shell", "a", "b"], 'shell: unexpected argument "b"', {}],
      [["check", "--type", "tool_exec"], "check: missing --target", {}],
      [["check", "--target", "x"], "check: missing --type", {}],
      [
        ["check", "--type", "tool-exec", "--target", "x"],
        '--type is one of tool_exec, network_call, file_access, shell_exec, not "tool-exec" (did you mean "tool_exec"?)',
        {},
      ],
      [[...CHECK, "--meta", "x"], '--meta is key=value, not "x"', {}],
      [[...CHECK, "--meta", "=x"], '--meta is key=value, not "=x"', {}],
      [["checkin"], 'OUTCALL_TIMEOUT_SECS is whole seconds from 1 to 300, not "301"', { OUTCALL_TIMEOUT_SECS: "301" }],
      [["exec", "ls"], 'OUTCALL_VERDICT is json or absent, not "yaml"', { OUTCALL_VERDICT: "yaml" }],
    ];
    test.each(usage)("refuses %j with exit 2", async (words, message, environment) => {
      const ended = await runProgram([...command, ...words], { environment: { ...PLAIN_ENVIRONMENT, ...environment } });
      expect(ended).toMatchObject({ code: 2, stdout: "", stderr: `outcall-agent: ${message}\n` });
    });

    describe("fails closed", () => {
      test("when there is no socket", async () => {
        const path = join(directory, "none.sock");
        const { words, isThere } = marker();
        for (const rest of [["exec", ...words], ["shell", words.join(" ")], CHECK, ["checkin"]]) {
          const ended = await runProgram([...command, "--agent-socket", path, ...rest]);
          expect(ended).toMatchObject({
            code: 5,
            stdout: "",
            stderr: `outcall-agent: agent socket not found at ${path} -- is outcalld running?\n`,
          });
        }
        expect(isThere()).toBe(false);
      });

      test("when nobody listens", async () => {
        const path = join(directory, "file");
        writeFileSync(path, "");
        const ended = await runProgram([...command, "--agent-socket", path, "exec", "ls"]);
        expect(ended).toMatchObject({
          code: 5,
          stdout: "",
          stderr: `outcall-agent: cannot connect to outcalld at ${path} -- is it running?\n`,
        });
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
          jsonAnswer(403, { success: false, error: "check-in rejected: peer does not belong to a known container" }),
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
          "outcalld's answer is not understood: its session token is none",
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

    test("is heeded by no variable of the host programs", async () => {
      const daemon = await start(honest(ALLOWED));
      const environment = {
        ...PLAIN_ENVIRONMENT,
        OUTCALL_AGENT_SOCKET: "/nowhere",
        OUTCALL_SOCKET: "/nowhere",
        OUTCALL_TYPE: "x",
        OUTCALL_JSON: "1",
        OUTCALL_HELP: "1",
      };
      expect(await agent(daemon, CHECK, { environment })).toMatchObject({ code: 0, stdout: "allowed\n", stderr: "" });
    });
  },
);
