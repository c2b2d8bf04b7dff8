// The command tables: each command in the help has examples that parse as this command, and no letter stands for two
// flags.
import { describe, expect, test } from "bun:test";
import { AGENT_PROGRAM } from "../../src/agent/program.ts";
import { OUTCALL } from "../../src/cli/program.ts";
import { flagsOf, type Program } from "../../src/command/command.ts";
import { nameOf } from "../../src/command/find-command.ts";
import { formatHelp } from "../../src/command/help.ts";
import { parseArgv } from "../../src/command/parse-argv.ts";
import { OUTCALLD } from "../../src/daemon/program.ts";
import { configOf } from "../../src/daemon/config.ts";
import { splitWords } from "../golden/script.ts";

const PROGRAMS: readonly Program[] = [OUTCALL, OUTCALLD, AGENT_PROGRAM];

describe.each(PROGRAMS.map((program) => ({ program, name: program.name })))("$name", ({ program }) => {
  const commands = program.commands.map((command) => ({ command, name: nameOf(command) }));
  const shown = commands.filter(({ command }) => command.hidden !== true);

  test.each(shown)("D: $name: the examples of the help run this command", ({ command, name }) => {
    expect(command.examples.length).toBeGreaterThan(0);
    const help = formatHelp(program, name);
    for (const [line, what] of command.examples) {
      expect(help).toContain(`  ${line}\n      ${what}\n`);
      const [first, ...words] = splitWords(line);
      expect(first).toBe(program.name);
      const plan = parseArgv(program, words, {});
      expect({ line, plan }).toMatchObject({ plan: { ok: true, value: { kind: "run", name } } });
    }
  });

  test.each(commands)("$name: each letter stands for one flag", ({ command }) => {
    const letters = flagsOf(program, command).flatMap(({ short }) => short ?? []);
    expect(new Set(letters).size).toBe(letters.length);
    expect(letters.filter((letter) => !/^[a-z]$/.test(letter))).toEqual([]);
  });

  test("a summary fits a line of the list of commands, and is no sentence yet", () => {
    for (const { command } of shown) {
      expect([command.summary, command.summary.length <= 74]).toEqual([command.summary, true]);
      expect(command.summary).toMatch(/^[a-z].*[^.]$|^$/);
      expect(command.details ?? "Whole.").toMatch(/^[A-Z].*[a-z.]$/);
    }
  });

  test("every synonym leads to a command, and is none itself", () => {
    for (const [word, name] of Object.entries(program.synonyms ?? {})) {
      expect([word, commands.some((each) => each.name === name)]).toEqual([word, true]);
      expect([word, commands.some((each) => each.name === word)]).toEqual([word, false]);
    }
  });
});

test("the examples of outcalld are configurations", () => {
  for (const [line] of OUTCALLD.commands.flatMap(({ examples }) => examples)) {
    const plan = parseArgv(OUTCALLD, splitWords(line).slice(1), {});
    expect(plan.ok && plan.value.kind === "run" && configOf(plan.value).ok).toBe(true);
  }
});
