// Completion scripts, run in their shells: the suggestions at each position of a command line. Ids come from a daemon;
// without a daemon there are none.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OUTCALL } from "../../src/cli/program.ts";
import { LISTED } from "../../src/cli/complete.ts";
import { SHELLS } from "../../src/cli/completion.ts";
import { flagsOf, shownCommands } from "../../src/command/command.ts";
import { type Offer, offerArgument, offerAt, offerOf } from "../../src/command/completion.ts";
import { nextWords } from "../../src/command/find-command.ts";
import { runOutcall } from "../support/program/cli-io.ts";
import { missingProgram, requirement } from "../support/container/container.ts";
import { sourceProgram } from "../support/program/programs.ts";
import { runProgram } from "../support/program/run-program.ts";
import { jsonAnswer, type ScriptedDaemon, startDaemon } from "../support/socket/scripted-daemon.ts";

const rule = (id: string) => ({ id, file: "a.yaml", action: "allow", condition_preview: "", description: null });
const RULES = [rule("allow-git"), rule("allow:ls"), rule("b.2")];

let directory = "";
let daemon: ScriptedDaemon;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "completion-"));
  mkdirSync(join(directory, "bin"));
  mkdirSync(join(directory, "rules-here"));
  writeFileSync(join(directory, "rules-file.yaml"), "");
  writeFileSync(join(directory, "bin", "outcall"), `#!/bin/sh\nexec ${sourceProgram("outcall").join(" ")} "$@"\n`);
  chmodSync(join(directory, "bin", "outcall"), 0o755);
  for (const shell of SHELLS) {
    const { stdout, stderr, exit } = await runOutcall(["completion", shell]);
    expect({ stderr, exit }).toEqual({ stderr: "", exit: 0 });
    writeFileSync(join(directory, shell), stdout);
  }
  daemon = await startDaemon((socket) => void socket.write(jsonAnswer(200, { success: true, data: RULES })));
});
afterAll(async () => {
  await daemon.stop();
  rmSync(directory, { recursive: true });
});

// Outside of interactive completion, bash has no option to set and zsh has nothing to register.
const ASK: Readonly<Record<string, string>> = {
  bash: 'compopt() { :; }; COMP_LINE=$2; COMP_POINT=${#2}; _outcall; printf "%s\\n" "${COMPREPLY[@]}"',
  zsh: 'words=(${=2}); [[ $2 == *\\  ]] && words+=(""); ' +
    '_outcall_offers "${(@)words[2,-1]}" | while IFS= read -r line; do print -r -- "${line%%$\'\\t\'*}"; done; true',
  fish: "complete -C $argv[2] | string split -f 1 \\t",
};
const SOURCE: Readonly<Record<string, string>> = {
  bash: 'source "$1"; ',
  zsh: 'compdef() { :; }; source "$1"; ',
  fish: "source $argv[1]; ",
};

async function offers(shell: string, line: string): Promise<readonly string[]> {
  const script = `${SOURCE[shell]}${ASK[shell]}`;
  const head = shell === "zsh"
    ? ["zsh", "-fc", script, "zsh"]
    : shell === "bash"
    ? ["bash", "-c", script, "bash"]
    : [shell, "-c", script];
  const environment = { PATH: `${join(directory, "bin")}:${process.env["PATH"]}`, HOME: directory, TERM: "dumb" };
  const run = await runProgram([...head, join(directory, shell), line], { environment, directory });
  expect({ line, stderr: run.stderr }).toEqual({ line, stderr: "" });
  return run.stdout.split("\n").filter((each) => each !== "").toSorted();
}

type Case = { readonly note: string; readonly line: string; readonly offers: readonly string[] };

const top = [...nextWords(OUTCALL, []).keys()].toSorted();
const CASES: readonly Case[] = [
  { note: "the first word", line: "outcall ", offers: top },
  { note: "a word begun", line: "outcall ru", offers: top.filter((word) => word.startsWith("ru")) },
  { note: "another name of a group", line: "outcall rules sho", offers: ["show"] },
  { note: "behind a flag with its value", line: "outcall --color never bridge ", offers: ["down", "status", "up"] },
  { note: "a flag begun", line: "outcall rule test --of", offers: ["--offline"] },
  { note: "a flag's words", line: "outcall lint --format s", offers: ["sarif"] },
  { note: "an argument's words", line: "outcall completion ", offers: ["bash", "fish", "zsh"] },
  { note: "a short flag's words", line: "outcall lint -f s", offers: ["sarif"] },
  { note: "the flag of that letter of another command", line: "outcall log -f ver", offers: ["verify"] },
  { note: "what follows a command", line: "outcall log ", offers: ["show", "verify"] },
  { note: "nothing known", line: "outcall rule test --expr ", offers: [] },
];

describe.each([...SHELLS])("%s", (shell) => {
  const { label, skip } = requirement("offers", missingProgram(shell));

  describe.skipIf(skip)(label, () => {
    test.each(CASES)("$note: $line", async ({ line, offers: wanted }) => {
      expect(await offers(shell, line)).toEqual([...wanted]);
    });

    test("rule ids from the daemon that the command line names", async () => {
      const ids = RULES.map(({ id }) => id);
      expect(await offers(shell, `outcall --socket ${daemon.socketPath} rule show `)).toEqual(ids);
      expect(await offers(shell, `outcall --socket=${daemon.socketPath} rules show b`)).toEqual(["b.2"]);
    });

    test("no daemon, no ids, and no word about it", async () => {
      expect(await offers(shell, `outcall --socket ${directory}/none rule show `)).toEqual([]);
    });

    test("a value behind an equals sign", async () => {
      const [only = "", ...more] = await offers(shell, "outcall lint --format=sa");
      expect([only.replace("--format=", ""), ...more]).toEqual(["sarif"]);
    });
  });
});

test("bash: files, directories, and ids with a colon, which bash takes for the end of a word", async () => {
  expect(await offers("bash", "outcall lint rules-")).toEqual(["rules-file.yaml", "rules-here"]);
  expect(await offers("bash", "outcall rule evaluate --rules-dir rules-")).toEqual(["rules-here"]);
  expect(await offers("bash", `outcall --socket ${daemon.socketPath} rule show allow:`)).toEqual(["ls"]);
});

describe("the table", () => {
  test("every command can be completed to, but for the hidden ones", () => {
    for (const { usage, hidden } of OUTCALL.commands) {
      const [first = "", second] = usage.split(/ [<[]/)[0]?.split(" ") ?? [];
      const next = nextWords(OUTCALL, second === undefined ? [] : [first]);
      expect([usage, next.has(second ?? first)]).toEqual([usage, hidden !== true]);
    }
  });

  test("what is listed can be listed", () => {
    const offers = shownCommands(OUTCALL).flatMap((command) => [
      offerArgument(command),
      ...flagsOf(OUTCALL, command).map(offerOf),
    ]);
    const asked = offers.flatMap((offer) => typeof offer === "object" && "listed" in offer ? [offer.listed] : []);
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.filter((what) => !LISTED.includes(what))).toEqual([]);
  });
});

describe("offerAt", () => {
  const cases: readonly { readonly words: readonly string[]; readonly offer: Offer; readonly note: string }[] = [
    { note: "behind --, no flags", words: ["lint", "--", "-"], offer: "file" },
    { note: "a variadic argument goes on", words: ["lint", "a", ""], offer: "file" },
    { note: "one argument does not", words: ["rule", "show", "a", ""], offer: [] },
    { note: "a value that looks like a flag", words: ["rule", "test", "-e", "-"], offer: [] },
    { note: "a directory", words: ["rule", "evaluate", "--rules-dir", ""], offer: "directory" },
    { note: "an unknown command", words: ["nope", ""], offer: [] },
    { note: "an unknown flag", words: ["lint", "--nope", ""], offer: "file" },
    { note: "ids", words: ["rules", "show", ""], offer: { listed: "rules" } },
    { note: "D: no argument of a command that help explains", words: ["help", "rule", "show", ""], offer: [] },
  ];
  test.each([...cases])("$note: $words", ({ words, offer }) => expect(offerAt(OUTCALL, words).offer).toEqual(offer));

  test("D: help is followed by the words of commands", () => {
    expect(offerAt(OUTCALL, ["help", ""]).offer).toEqual(offerAt(OUTCALL, [""]).offer);
    expect(offerAt(OUTCALL, ["help", "rules", ""]).offer).toEqual(offerAt(OUTCALL, ["rule", ""]).offer);
    expect(offerAt(OUTCALL, ["help", "log", ""]).offer).toMatchObject([{ word: "show" }, { word: "verify" }]);
  });

  test("tells the flags that are given, and the value behind an equals sign", () => {
    const { current, given } = offerAt(OUTCALL, ["--socket", "/x", "lint", "--format=sa"]);
    expect({ current, given: [...given] }).toEqual({ current: "sa", given: [["socket", "/x"]] });
  });
});

describe("complete", () => {
  test("tells only what needs no quoting, each once", async () => {
    const odd = await startDaemon((socket) => {
      const data = ["good", "with space", "$(reboot)", "good", "\u202e", "'", "-rf"].map(rule);
      socket.write(jsonAnswer(200, { success: true, data }));
    });
    expect(await runOutcall(["complete", "--", "--socket", odd.socketPath, "rule", "show", ""]))
      .toEqual({ stdout: "good\n", stderr: "", exit: 0 });
    await odd.stop();
  });

  test("says what each word is for, and is not in the help", async () => {
    const { stdout, exit } = await runOutcall(["complete", "--", "bridge", "st"]);
    expect({ stdout, exit }).toEqual({ stdout: "status\tshow whether the bridge is up\n", exit: 0 });
    expect((await runOutcall(["--help"])).stdout).not.toContain("\n  complete ");
  });
});
