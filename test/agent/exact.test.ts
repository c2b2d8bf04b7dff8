// Arguments that cannot be passed on unchanged are refused before the daemon is asked.
import { describe, expect, test } from "bun:test";
import { findPath, parseEnvironment } from "../../src/agent/exact.ts";
import { saysNoLinker } from "../../src/agent/linker.ts";
import { AGENT_FORMS, ALLOWED, setUpBench } from "../support/agent/bench.ts";
import { runProgram } from "../support/program/run-program.ts";
import { honest } from "../support/socket/scripted-daemon.ts";

describe("parseEnvironment", () => {
  test("keeps every variable as it is", () => {
    const entries = ["A=", "B=b=c", "__proto__=p", "7=seven", "é=\n", " =x"];
    const parsed = parseEnvironment(entries.map((entry) => Buffer.from(entry)));
    expect(parsed.ok ? Object.entries(parsed.value).sort() : parsed).toEqual([
      [" ", "x"],
      ["7", "seven"],
      ["A", ""],
      ["B", "b=c"],
      ["__proto__", "p"],
      ["é", "\n"],
    ]);
  });

  const inexact: readonly [note: string, entries: readonly string[], why: string][] = [
    ["a name twice", ["A=1", "B=2", "A=1"], '"A" is in it twice'],
    ["no equals sign", ["A=1", "B"], '"B" is not a variable'],
    ["no name", ["=secret"], '"" is not a variable'],
    ["a value that is not UTF-8", ["A=secret\xff"], '"A" is not valid UTF-8'],
    ["a name that is not UTF-8", ["\xff=secret"], '"\ufffd" is not valid UTF-8'],
    ["a lone surrogate in bytes", ["A=\xed\xa0\x80"], '"A" is not valid UTF-8'],
  ];
  test.each(inexact)("refuses %s, and never tells a value", (_note, entries, why) => {
    const message = `the environment cannot be passed on exactly: ${why}`;
    expect(parseEnvironment(entries.map((entry) => Buffer.from(entry, "latin1")))).toMatchObject({
      ok: false,
      error: { code: "agent.program", message },
    });
  });
});

describe("findPath", () => {
  const cases: readonly [note: string, entries: readonly string[], path: string | undefined][] = [
    ["none", ["XPATH=/x", "PATHX=/x", "PATH", "path=/x"], undefined],
    ["empty", ["PATH="], ""],
    ["among others that are no text", ["A=\xff", "nothing", "PATH=/a:/b=c", "\xff=x"], "/a:/b=c"],
    ["the first of two", ["PATH=/a", "PATH=/b"], "/a"],
  ];
  test.each(cases)("%s", (_note, entries, path) => {
    expect(findPath(entries.map((entry) => Buffer.from(entry, "latin1")))).toEqual({ ok: true, value: path });
  });

  test("refuses one that is not UTF-8", () => {
    const message = 'the environment cannot be passed on exactly: "PATH" is not valid UTF-8';
    expect(findPath([Buffer.from("PATH=/\xff", "latin1")])).toMatchObject({ ok: false, error: { message } });
  });
});

describe("saysNoLinker", () => {
  const vector = (...words: readonly bigint[]) => new Uint8Array(new BigUint64Array(words).buffer);
  const cases: readonly [note: string, vector: Uint8Array, says: boolean][] = [
    ["a linker that is nowhere", vector(6n, 4096n, 7n, 0n, 0n, 0n), true],
    ["a linker", vector(6n, 4096n, 7n, 0x7f00_0000_0000n, 0n, 0n), false],
    ["nothing of a linker", vector(6n, 7n, 0n, 0n), false],
    ["a vector that is cut", vector(6n, 4096n, 7n), false],
    ["nothing", vector(), false],
  ];
  test.each(cases)("%s", (_note, given, says) => {
    expect(saysNoLinker(given)).toBe(says);
  });
});

describe.each(AGENT_FORMS)("outcall-agent (%s)", (form, command) => {
  const { directory, start } = setUpBench(command);

  // The static build passes the bytes on unchanged (shim-steering.test.ts).
  if (form === "source") {
    test("refuses an environment that it cannot pass on exactly, and asks nothing", async () => {
      const daemon = await start(honest(ALLOWED));
      const line = 'A="$(printf "secret\\377")"; export A; exec "$@" exec echo';
      const words = ["sh", "-c", line, "sh", ...command, "--agent-socket", daemon.socketPath];
      const message = 'the environment cannot be passed on exactly: "A" is not valid UTF-8';
      expect(await runProgram(words)).toMatchObject({ code: 126, stdout: "", stderr: `outcall-agent: ${message}\n` });
      expect(daemon.received).toEqual([]);
    });
  }

  test("refuses arguments that it cannot pass on exactly, without asking the daemon", async () => {
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
        'PATH="$PATH:/$(printf "\\377")"; exec "$@" exec echo',
        'the environment cannot be passed on exactly: "PATH" is not valid UTF-8',
      ],
      [
        'd="$(printf "d\\377")"; mkdir "$d"; cd "$d"; unset PWD OLDPWD; exec "$@" exec echo',
        "the working directory cannot be passed on exactly: its path is not valid UTF-8",
      ],
    ];
    for (const [line, message] of cases) {
      const words = ["sh", "-c", line, "sh", ...command, "--agent-socket", daemon.socketPath];
      const ended = await runProgram(words, { directory: directory() });
      expect(ended).toMatchObject({ code: 126, stdout: "", stderr: `outcall-agent: ${message}\n` });
    }
    expect(daemon.received).toEqual([]);
  });
});
