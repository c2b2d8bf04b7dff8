// Completion scripts in the shells that they are for: what each offers at each place of a command line, with ids from a
// daemon, and nothing where there is none.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CLI_COMMANDS, OUTCALL } from "../../src/cli/program.ts";
import { LISTED } from "../../src/cli/complete.ts";
import { SHELLS } from "../../src/cli/completion.ts";
import { completionPlaces, offerOf } from "../../src/command/completion.ts";
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

// Outside of a command line that is being typed, bash has no option to set and zsh nothing to register.
const ASK: Readonly<Record<string, string>> = {
  bash: 'compopt() { :; }; COMP_LINE=$2; COMP_POINT=${#2}; _outcall; printf "%s\\n" "${COMPREPLY[@]}"',
  zsh: 'words=(${=2}); [[ $2 == *\\  ]] && words+=(""); _outcall_walk "${(@)words[2,-2]}"; current=$words[-1]; ' +
    "if [[ $current == --*=* ]]; then _outcall_flag=${current%%=*}; current=${current#*=}; fi; " +
    '_outcall_offers "$current" | while IFS= read -r line; do [[ $line == $current* || $line == :* ]] && print -r -- $line; done; true',
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

const top = completionPlaces(OUTCALL)[0]?.next.map(({ word }) => word).toSorted() ?? [];
const CASES: readonly Case[] = [
  { note: "the first word", line: "outcall ", offers: top },
  { note: "a word begun", line: "outcall ru", offers: top.filter((word) => word.startsWith("ru")) },
  { note: "another name of a group", line: "outcall rules sho", offers: ["show"] },
  { note: "behind a flag with its value", line: "outcall --color never bridge ", offers: ["down", "status", "up"] },
  { note: "a flag begun", line: "outcall rule test --of", offers: ["--offline"] },
  { note: "a flag's words", line: "outcall lint --format s", offers: ["sarif"] },
  { note: "an argument's words", line: "outcall completion ", offers: ["bash", "fish", "zsh"] },
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
  const places = completionPlaces(OUTCALL);

  test("every command has a place, but for the hidden ones", () => {
    const paths = new Set(places.map(({ path }) => path.join(" ")));
    for (const { command } of CLI_COMMANDS) expect(paths.has(command.path.join(" "))).toBe(command.hidden !== true);
  });

  test("what is listed can be listed", () => {
    const asked = places.flatMap(({ argument, flags }) => [argument, ...flags.map(offerOf)]).flatMap((offer) => {
      return offer !== null && typeof offer === "object" && "listed" in offer ? [offer.listed] : [];
    });
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.filter((what) => !LISTED.includes(what))).toEqual([]);
  });

  test("a flag takes a value in every command or in none, since completion finds its way by that", () => {
    const kinds = new Map<string, boolean>();
    for (const { name, value } of places.flatMap(({ flags }) => flags)) {
      expect(kinds.get(name) ?? value !== undefined).toBe(value !== undefined);
      kinds.set(name, value !== undefined);
    }
  });
});

describe("complete", () => {
  test("tells only what needs no quoting, each once", async () => {
    const odd = await startDaemon((socket) => {
      const data = ["good", "with space", "$(reboot)", "good", "\u202e", "'"].map(rule);
      socket.write(jsonAnswer(200, { success: true, data }));
    });
    expect(await runOutcall(["complete", "rules", "--socket", odd.socketPath]))
      .toEqual({ stdout: "good\n", stderr: "", exit: 0 });
    await odd.stop();
  });

  test("is not in the help, and knows what it lists", async () => {
    expect((await runOutcall(["--help"])).stdout).not.toContain("\n  complete ");
    const { stderr, exit } = await runOutcall(["complete", "rule"]);
    expect({ stderr, exit }).toEqual({
      stderr: 'Error: nothing is listed as "rule"\nHint: did you mean "rules"?\n',
      exit: 2,
    });
  });
});
