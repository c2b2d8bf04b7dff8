// What cannot be passed on exactly is refused before anything is asked.
import { describe, expect, test } from "bun:test";
import { parseEnvironment } from "../../src/agent/exact.ts";
import { AGENT_FORMS, ALLOWED, setUpBench } from "../support/agent-bench.ts";
import { runProgram } from "../support/run-program.ts";
import { honest } from "../support/scripted-daemon.ts";

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
    ["no equals sign", ["A=1", "B"], '"B" is no variable'],
    ["no name", ["=secret"], '"" is no variable'],
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

describe.each(AGENT_FORMS)("outcall-agent (%s)", (_form, command) => {
  const { directory, start } = setUpBench(command);

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
      const ended = await runProgram(words, { directory: directory() });
      expect(ended).toMatchObject({ code: 126, stdout: "", stderr: `outcall-agent: ${message}\n` });
    }
    expect(daemon.received).toEqual([]);
  });
});
