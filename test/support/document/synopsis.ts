// Checks the lines of a synopsis against the command tables: the program, the command and the flags must exist.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { AGENT_PROGRAM } from "../../../src/agent/program.ts";
import { OUTCALL } from "../../../src/cli/program.ts";
import { flagsOf, type Program } from "../../../src/command/command.ts";
import { findCommand } from "../../../src/command/find-command.ts";
import { spellingsOf } from "../../../src/command/suggest.ts";
import { OUTCALLD } from "../../../src/daemon/program.ts";
import { ROOT } from "../container/container.ts";

const PROGRAMS: ReadonlyMap<string, Program> = new Map(
  [OUTCALL, OUTCALLD, AGENT_PROGRAM].map((program) => [program.name, program]),
);

/** The error in a line, or null. A line that starts with spaces continues the line before. */
export function synopsisFault(line: string): string | null {
  if (/^ /.test(line) || line === "") return null;
  // A comment in the line follows two spaces.
  const [usage = ""] = line.split(/ {2,}/);
  const [name = "", ...words] = usage.split(" ");
  if (name.startsWith("./")) return existsSync(join(ROOT, name)) ? null : `${name}: no such file`;
  const program = PROGRAMS.get(name);
  if (program === undefined) return `${usage}: no program of ours`;
  const command = findCommand(program, words.filter((word) => /^[a-z]/.test(word)))?.command;
  if (command === undefined) return `${usage}: no such command`;
  const known = flagsOf(program, command).flatMap(spellingsOf);
  const unknown = (usage.match(/--[a-z][a-z-]*/g) ?? []).filter((flag) => !known.includes(flag));
  return unknown.length === 0 ? null : `${usage}: no flag ${unknown.join(", ")}`;
}
