// The command line of outcall-agent: help, version, usage errors, and variables that it ignores.
import { describe, expect, test } from "bun:test";
import { VERSION } from "../../src/core/version.ts";
import { AGENT_FORMS, ALLOWED, CHECK, setUpBench } from "../support/agent/bench.ts";
import { PLAIN_ENVIRONMENT, runProgram } from "../support/program/run-program.ts";
import { honest } from "../support/socket/scripted-daemon.ts";

describe.each(AGENT_FORMS)("outcall-agent (%s)", (_form, command) => {
  const { agent, start } = setUpBench(command);

  test("--help and --version go to standard output and need no daemon", async () => {
    const help = await runProgram([...command, "--help"]);
    expect(help).toMatchObject({ code: 0, stderr: "" });
    expect(help.stdout).toContain("exec <program> [args ...]");
    for (const name of ["OUTCALL_TIMEOUT_SECS", "OUTCALL_VERDICT", "126", "--agent-socket"]) {
      expect(help.stdout).toContain(name);
    }
    const shell = await runProgram([...command, "shell", "--help"]);
    expect(shell).toMatchObject({ code: 0, stderr: "" });
    expect(shell.stdout).toContain("Usage:\n  outcall-agent shell [flags] <line>\n");
    expect(shell.stdout).not.toContain("OUTCALL_TIMEOUT_SECS");
    const version = await runProgram([...command, "--version"]);
    expect(version).toMatchObject({ code: 0, stdout: `outcall-agent ${VERSION}\n`, stderr: "" });
  });

  const usage: readonly [
    words: readonly string[],
    message: string,
    environment: Readonly<Record<string, string>>,
  ][] = [
    [["exce", "ls"], 'unknown command "exce" (did you mean "outcall-agent exec"?)', {}],
    [["exec"], "exec: missing <program>", {}],
    [["exec", "--what", "ls"], 'unknown flag "--what"', {}],
    [["--agent-sock=/x", "exec", "ls"], 'unknown flag "--agent-sock" (did you mean "--agent-socket"?)', {}],
    [["exec", "--agent-socket", "", "ls"], "--agent-socket is empty", {}],
    [["shell"], "shell: missing <line>", {}],
    [["shell", "a", "b"], 'shell: unexpected argument "b"', {}],
    [["check", "--type", "tool_exec"], "check: missing --target <target>", {}],
    [["check", "--target", "x"], "check: missing --type <type>", {}],
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

  test("heeds no variable of the host programs", async () => {
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
});
