// Command table -> manual page, as man(7) describes the macros.
import type { Command, Flag, Program } from "./command.ts";
import { formatArgument, usageOf } from "./help.ts";
import { STANDARD_FLAGS } from "./normalize.ts";
import { variablesOf } from "./parse-argv.ts";

/** What a manual page says besides the table. */
export type ManOptions = {
  readonly section: 1 | 8;
  readonly version: string;
  /** Exit codes and what they mean. */
  readonly exits: readonly (readonly [code: string, meaning: string])[];
  /** Variables that are no flag's, and what they do. */
  readonly variables: readonly (readonly [name: string, what: string])[];
  readonly files: readonly (readonly [path: string, what: string])[];
  /** Other pages, for example `outcall(1)`. */
  readonly seeAlso: readonly string[];
};

/** The page's text. */
export function formatMan(program: Program, options: ManOptions): string {
  const { section, version, exits, variables, files, seeAlso } = options;
  const commands = program.commands.filter((command) => command.hidden !== true);
  const only = commands.find((command) => command.path.length === 0);
  const flags = [...(only?.flags ?? []), ...program.flags, ...STANDARD_FLAGS];
  return [
    `.TH ${program.name.toUpperCase()} ${section} "" "outcall ${version}"`,
    ".SH NAME",
    `${escape(program.name)} \\- ${escape(purposeOf(program))}`,
    ".SH SYNOPSIS",
    ...(only === undefined ? commands : [only]).flatMap((command) => synopsis(program, command)),
    ...(only === undefined ? [".SH COMMANDS", ...commands.flatMap(describeCommand)] : []),
    only === undefined ? ".SH FLAGS OF EVERY COMMAND" : ".SH FLAGS",
    ...flags.flatMap(describeFlag),
    ...(program.environment === true ? environment(program, commands) : []),
    ...pairs(program.environment === true ? "" : "ENVIRONMENT", variables),
    ...pairs("EXIT STATUS", exits),
    ...pairs("FILES", files),
    ".SH SEE ALSO",
    seeAlso.map((page) => escape(page)).join(",\n"),
    "",
  ].join("\n");
}

// The summary is a sentence of its own in help, here it goes on behind the name.
function purposeOf({ name, summary }: Program): string {
  const rest = summary.startsWith(`${name} `) ? summary.slice(name.length + 1) : summary;
  return `${rest.slice(0, 1).toLowerCase()}${rest.slice(1)}`.replace(/\.$/, "");
}

function synopsis(program: Program, command: Command): readonly string[] {
  const words = [program.name, ...command.path].join(" ");
  return [`.B ${escape(words)}`, escape(["[flags]", ...command.arguments.map(formatArgument)].join(" ")), ".br"];
}

function describeCommand(command: Command): readonly string[] {
  const flags = command.flags.length === 0 ? [] : [".RS", ...command.flags.flatMap(describeFlag), ".RE"];
  return [".TP", `.B ${escape(usageOf(command))}`, escape(command.summary), ...flags];
}

function describeFlag(flag: Flag): readonly string[] {
  const names = flag.negatable === true ? `--${flag.name}, --no-${flag.name}` : `--${flag.name}`;
  const value = flag.value === undefined ? "" : ` <${flag.value}>`;
  const choices = flag.choices === undefined ? "" : ` (${flag.choices.join(", ")})`;
  const otherwise = flag.default === undefined ? "" : `; default ${flag.default}`;
  return [".TP", `.B ${escape(names + value)}`, escape(`${flag.summary}${choices}${otherwise}`)];
}

function environment(program: Program, commands: readonly Command[]): readonly string[] {
  const flags = [...commands.flatMap((command) => command.flags), ...program.flags];
  const variables = [...new Set(flags.flatMap(variablesOf))].sort();
  const how =
    "Each flag may also be given as a variable; a flag on the command line wins. A switch is 1, 0, true or false.";
  return [".SH ENVIRONMENT", escape(how), ".PP", variables.map(escape).join(", ")];
}

// Without a heading they go on in the section before.
function pairs(heading: string, rows: readonly (readonly [string, string])[]): readonly string[] {
  if (rows.length === 0) return [];
  const start = heading === "" ? [] : [`.SH ${heading}`];
  return [...start, ...rows.flatMap(([left, right]) => [".TP", `.B ${escape(left)}`, escape(right)])];
}

// A line that begins with a dot or an apostrophe would be a command of the typesetter's.
function escape(text: string): string {
  const plain = text.replaceAll("\\", "\\e").replaceAll("-", "\\-");
  return /^[.']/.test(plain) ? `\\&${plain}` : plain;
}
