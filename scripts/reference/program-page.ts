// Command table -> the reference page of a program, from what `--help` and the manual are made of too.
import { type Command, type Flag, type Program } from "../../src/command/command.ts";
import { formatArgument } from "../../src/command/help.ts";
import { STANDARD_FLAGS } from "../../src/command/normalize.ts";
import { variablesOf } from "../../src/command/parse-argv.ts";
import { SCHEMAS } from "../../src/cli/schema.ts";
import { fail } from "../failure.ts";
import type { Page } from "../man.ts";
import { anchor, block, code, GENERATED, page, table } from "./markdown.ts";
import type { Pairs, ProgramNotes } from "./program-notes.ts";

/** The page. */
export function programPage({ program, options }: Page, notes: ProgramNotes): string {
  const commands = program.commands.filter((command) => command.hidden !== true);
  const unknown = Object.keys(notes.exits).find((words) => !commands.some(({ path }) => path.join(" ") === words));
  if (unknown !== undefined) fail(`${program.name}: exits of "${unknown}", which is no command`);
  const only = commands.find(({ path }) => path.length === 0);
  const shared = [...(only?.flags ?? []), ...program.flags, ...STANDARD_FLAGS];
  return page([
    `# ${program.name}`,
    GENERATED,
    `${sentence(program.summary)} ${notes.introduction}`,
    only === undefined
      ? table(["Command", "For"], commands.map((command) => listed(command)))
      : block("text", usage(program, only)),
    `## ${only === undefined ? "Flags of every command" : "Flags"}`,
    flagTable(program, shared),
    formTable(notes),
    ...(only === undefined ? ["## Commands", ...commands.flatMap((each) => commandParts(program, each, notes))] : []),
    pairs("Environment", "Variable", [...flagVariables(program), ...options.variables]),
    pairs("Signals", "Signal", notes.signals),
    pairs("Exit codes", "Code", options.exits),
    "What leads to which code: [errors.md](errors.md).",
    pairs("Files", "Path", [...options.files, ...notes.files]),
  ]);
}

function usage(program: Program, command: Command): string {
  return [program.name, ...command.path, "[flags]", ...command.arguments.map(formatArgument)].join(" ");
}

function listed({ path, summary }: Command): readonly string[] {
  const words = path.join(" ");
  return [`[${code(words)}](#${anchor(words)})`, sentence(firstPart(summary))];
}

// The names of all schemas stand in the command's own part.
function firstPart(summary: string): string {
  return summary.startsWith("print a JSON Schema") ? "print a JSON Schema" : summary;
}

function commandParts(program: Program, command: Command, notes: ProgramNotes): readonly string[] {
  const words = command.path.join(" ");
  const schema = program.flags.some(({ name }) => name === "json") && Object.hasOwn(SCHEMAS, words.replaceAll(" ", "-"))
    ? `\`--json\`: schema by ${code(`outcall schema ${words.replaceAll(" ", "-")}`)}.`
    : "";
  const exits = notes.exits[words];
  return [
    `### ${words}`,
    block("text", usage(program, command)),
    `${sentence(command.summary)} ${schema}`,
    command.flags.length === 0 ? "" : flagTable(program, command.flags),
    exits === undefined ? "" : `Ends with ${exits}.`,
  ];
}

function flagTable(program: Program, flags: readonly Flag[]): string {
  const hasVariables = program.environment === true;
  const rows = flags.map((flag) => {
    const isStandard = STANDARD_FLAGS.includes(flag);
    const names = flag.negatable === true ? `--${flag.name}, --no-${flag.name}` : `--${flag.name}`;
    const value = flag.value === undefined ? "" : ` <${flag.value}>`;
    const choices = flag.choices === undefined ? "" : `: ${flag.choices.map(code).join(", ")}`;
    return [
      names.split(", ").map((name) => code(`${name}${value}`)).join(", "),
      flag.default === undefined ? "" : code(flag.default),
      ...(hasVariables ? [isStandard ? "" : variablesOf(flag).map(code).join(", ")] : []),
      `${sentence(flag.summary).replace(/\.$/, "")}${choices}.`,
    ];
  });
  return table(["Flag", "Default", ...(hasVariables ? ["Variable"] : []), "Meaning"], rows);
}

function formTable({ forms }: ProgramNotes): string {
  if (forms.length === 0) return "";
  return `Values:\n\n${table(["Flag", "Takes"], forms.map(({ flag, form }) => [code(`--${flag}`), form]))}`;
}

function flagVariables({ environment }: Program): Pairs {
  if (environment !== true) return [];
  const how =
    "The flag of that name (tables above); the flag on the command line wins. A switch is 1, 0, true or false.";
  return [["OUTCALL_<NAME>", how]];
}

function pairs(heading: string, left: string, rows: Pairs): string {
  if (rows.length === 0) return "";
  return `## ${heading}\n\n${table([left, "Meaning"], rows.map(([what, meaning]) => [code(what), sentence(meaning)]))}`;
}

// Help begins in lower case and has no full stop.
function sentence(text: string): string {
  const ended = /[.:]$/.test(text) ? text : `${text}.`;
  return /^[a-z]+( |,|\.|:|$)/.test(ended) && !/^outcall/.test(ended)
    ? `${ended.charAt(0).toUpperCase()}${ended.slice(1)}`
    : ended;
}
