// outcall-agent check, checkin and shell: requests, output and exit codes.
import { describe, expect, test } from "bun:test";
import { AGENT_FORMS, ALLOWED, asked, CHECK, DENIED, setUpBench } from "../support/agent/bench.ts";
import { PLAIN_ENVIRONMENT, runProgram } from "../support/program/run-program.ts";
import { answering, honest, jsonAnswer } from "../support/socket/scripted-daemon.ts";

describe.each(AGENT_FORMS)("outcall-agent (%s)", (_form, command) => {
  const { agent, directory, marker, start } = setUpBench(command);

  describe("shell", () => {
    test("asks about the line and becomes sh -c", async () => {
      const daemon = await start(honest(ALLOWED));
      const line = "printf '%s|' \"$0\" $#; echo é; exit 9";
      expect(await agent(daemon, ["shell", line], { directory: directory() })).toMatchObject({
        code: 9,
        stdout: "sh|0|é\n",
        stderr: "",
      });
      expect(asked(daemon)).toEqual({ action_type: "shell_exec", target: line, metadata: { cwd: directory() } });
    });

    const lines: readonly [line: string, argv: string][] = [
      ["cat /proc/$$/cmdline #", "sh\0-c\0cat /proc/$$/cmdline #\0"],
      ["-x; cat /proc/$$/cmdline", "sh\0-c\0--\0-x; cat /proc/$$/cmdline\0"],
      ["+x; cat /proc/$$/cmdline", "sh\0-c\0--\0+x; cat /proc/$$/cmdline\0"],
      ["-- ; cat /proc/$$/cmdline", "sh\0-c\0--\0-- ; cat /proc/$$/cmdline\0"],
      [" -x; cat /proc/$$/cmdline", "sh\0-c\0 -x; cat /proc/$$/cmdline\0"],
    ];
    test.each(lines)("runs a line as a line, whatever it begins with: %p", async (line, argv) => {
      const daemon = await start(honest(ALLOWED));
      const ended = await agent(daemon, ["shell", "--", line]);
      expect(ended).toMatchObject({ code: 0, stdout: argv });
      expect(asked(daemon)).toMatchObject({ action_type: "shell_exec", target: line });
    });

    test("asks nothing when a line that begins with a dash has no -- before it", async () => {
      const daemon = await start(honest(ALLOWED));
      const ended = await agent(daemon, ["shell", "-x"]);
      expect(ended).toMatchObject({ code: 2, stdout: "", stderr: 'outcall-agent: unknown flag "-x"\n' });
      expect(daemon.received).toEqual([]);
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
        stdout: `${JSON.stringify({ version: 1, ...ALLOWED })}\n`,
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
        stdout: `${JSON.stringify({ version: 1, ...DENIED })}\n`,
        stderr: `${JSON.stringify(DENIED)}\n`,
      });
    });

    const records: readonly [header: string, shown: boolean][] = [
      ["Outcall-Record: rec-0123456789ab", true],
      ["Outcall-Record: rec-0123456789AB", false],
      ["Outcall-Record: rec-0123456789ab rec-0123456789ab", false],
      ["Outcall-Record: 17", false],
    ];
    test.each(records)("says how to ask for a rule where the denial has a record: %p", async (header, shown) => {
      const denying = await start(
        answering((socket) => socket.write(jsonAnswer(200, { success: true, data: DENIED }, [header]))),
      );
      const first = "outcall-agent: denied: no rule allows that\n";
      const second = "outcall-agent: record rec-0123456789ab; to ask for a rule: outcall-agent request submit <file>\n";
      const stderr = shown ? first + second : first;
      expect(await agent(denying, CHECK)).toMatchObject({ code: 1, stderr });
      expect(await agent(denying, ["exec", "true"])).toMatchObject({ code: 126, stdout: "", stderr });
      const environment = { ...PLAIN_ENVIRONMENT, OUTCALL_VERDICT: "json" };
      expect(await agent(denying, CHECK, { environment })).toMatchObject({ stderr: `${JSON.stringify(DENIED)}\n` });
    }, 30_000);

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
});
