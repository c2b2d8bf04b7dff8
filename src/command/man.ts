// Command table -> manual page, in the macros of man(7).
import {
  type Command,
  type Example,
  flagsOf,
  type NamedFlag,
  namedFlags,
  type Program,
  shownCommands,
  standardFlags,
} from "./command.ts";
import { nameOf } from "./find-command.ts";
import { variablesOf } from "./flag-values.ts";
import { defaultOf, nameFlag, sentenceOf, synopsisOf, usageOf } from "./help.ts";

/** The parts of a manual page that do not come from the table. */
export type ManOptions = {
  readonly section: 1 | 8;
  readonly version: string;
  /** Exit codes and their meanings. */
  readonly exits: readonly (readonly [code: string, meaning: string])[];
  /** Variables that do not belong to a flag, and their effects. */
  readonly variables: readonly (readonly [name: string, what: string])[];
  readonly files: readonly (readonly [path: string, what: string])[];
  /** Other pages, for example `outcall(1)`. */
  readonly seeAlso: readonly string[];
};

/** The page's text. */
export function formatMan(program: Program, options: ManOptions): string {
  const { section, version, exits, variables, files, seeAlso } = options;
  const commands = shownCommands(program);
  const only = commands.find((command) => command.usage === "");
  const flags = only === undefined ? [...namedFlags(program.flags), ...standardFlags()] : flagsOf(program, only);
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
    ...pairs("EXAMPLES", commands.flatMap(({ examples }): readonly Example[] => examples)),
    ".SH SEE ALSO",
    seeAlso.map((page) => escape(page)).join(",\n"),
    "",
  ].join("\n");
}

// In help the summary is a whole sentence. Here it follows the name and a dash.
function purposeOf({ name, summary }: Program): string {
  const rest = summary.startsWith(`${name} `) ? summary.slice(name.length + 1) : summary;
  return `${rest.slice(0, 1).toLowerCase()}${rest.slice(1)}`.replace(/\.$/, "");
}

function synopsis(program: Program, command: Command): readonly string[] {
  const words = command.usage === "" ? program.name : `${program.name} ${nameOf(command)}`;
  return [`.B ${escape(words)}`, escape(synopsisOf(program, command).slice(words.length + 1)), ".br"];
}

function describeCommand(command: Command): readonly string[] {
  const flags = namedFlags(command.flags);
  const described = flags.length === 0 ? [] : [".RS", ...flags.flatMap(describeFlag), ".RE"];
  const details = command.details === undefined ? [] : [escape(command.details)];
  return [".TP", `.B ${escape(usageOf(command))}`, escape(sentenceOf(command.summary)), ...details, ...described];
}

function describeFlag(flag: NamedFlag): readonly string[] {
  const choices = flag.choices === undefined ? "" : ` (${flag.choices.join(", ")})`;
  const required = flag.required === true ? "; required" : "";
  const byDefault = defaultOf(flag);
  const otherwise = byDefault === undefined ? "" : `; default ${byDefault}`;
  return [".TP", `.B ${escape(nameFlag(flag))}`, escape(`${flag.summary}${choices}${required}${otherwise}`)];
}

function environment(program: Program, commands: readonly Command[]): readonly string[] {
  const flags = [...commands.flatMap((command) => namedFlags(command.flags)), ...namedFlags(program.flags)];
  const variables = [...new Set(flags.flatMap(variablesOf))].sort();
  const how =
    "Each flag can also be set by a variable; a flag on the command line wins. A switch is 1, 0, true or false.";
  return [".SH ENVIRONMENT", escape(how), ".PP", variables.map(escape).join(", ")];
}

// Without a heading the rows belong to the section before.
function pairs(heading: string, rows: readonly (readonly [string, string])[]): readonly string[] {
  if (rows.length === 0) return [];
  const start = heading === "" ? [] : [`.SH ${heading}`];
  return [...start, ...rows.flatMap(([left, right]) => [".TP", `.B ${escape(left)}`, escape(right)])];
}

// A line that begins with a dot or an apostrophe would be a macro.
function escape(text: string): string {
  const plain = text.replaceAll("\\", "\\e").replaceAll("-", "\\-");
  return /^[.']/.test(plain) ? `\\&${plain}` : plain;
}
