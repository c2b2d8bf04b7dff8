// Command table -> the reference page of a program. `--help` and the manual pages come from the same table.
import {
  type Command,
  flagsOf,
  type NamedFlag,
  namedFlags,
  type Program,
  shownCommands,
  STANDARD_FLAGS,
  standardFlags,
} from "../../src/command/command.ts";
import { nameOf } from "../../src/command/find-command.ts";
import { variablesOf } from "../../src/command/flag-values.ts";
import { defaultOf, synopsisOf } from "../../src/command/help.ts";
import { spellingsOf } from "../../src/command/suggest.ts";
import { SCHEMAS } from "../../src/cli/schema.ts";
import { fail } from "../failure.ts";
import type { Page } from "../man.ts";
import { anchor, block, code, GENERATED, page, table } from "./markdown.ts";
import type { Pairs, ProgramNotes } from "./program-notes.ts";

/** The page. */
export function programPage({ program, options }: Page, notes: ProgramNotes): string {
  const commands = shownCommands(program);
  const unknown = Object.keys(notes.exits).find((words) => !commands.some((command) => nameOf(command) === words));
  if (unknown !== undefined) fail(`${program.name}: exits of "${unknown}", which is no command`);
  const only = commands.find((command) => command.usage === "");
  const shared = only === undefined ? [...namedFlags(program.flags), ...standardFlags()] : flagsOf(program, only);
  return page([
    `# ${program.name}`,
    GENERATED,
    `${sentence(program.summary)} ${notes.introduction}`,
    only === undefined
      ? table(["Command", "Purpose"], commands.map((command) => listed(command)))
      : block("text", synopsisOf(program, only)),
    `## ${only === undefined ? "Flags of every command" : "Flags"}`,
    flagTable(program, shared),
    formTable(notes),
    ...(only === undefined ? ["## Commands", ...commands.flatMap((each) => commandParts(program, each, notes))] : []),
    pairs("Environment", "Variable", [...flagVariables(program), ...options.variables]),
    pairs("Signals", "Signal", notes.signals),
    pairs("Exit codes", "Code", options.exits),
    "[errors.md](errors.md) lists the exit code of each error.",
    pairs("Files", "Path", [...options.files, ...notes.files]),
  ]);
}

function listed(command: Command): readonly string[] {
  const words = nameOf(command);
  return [`[${code(words)}](#${anchor(words)})`, sentence(command.summary)];
}

function commandParts(program: Program, command: Command, notes: ProgramNotes): readonly string[] {
  const words = nameOf(command);
  const schema = Object.hasOwn(program.flags, "json") && Object.hasOwn(SCHEMAS, words.replaceAll(" ", "-"))
    ? `${code(`outcall schema ${words.replaceAll(" ", "-")}`)} prints the JSON Schema of the \`--json\` output.`
    : "";
  const exits = notes.exits[words];
  return [
    `### ${words}`,
    block("text", synopsisOf(program, command)),
    `${sentence(command.summary)} ${command.details ?? ""} ${schema}`.trim().replaceAll("  ", " "),
    Object.keys(command.flags).length === 0 ? "" : flagTable(program, namedFlags(command.flags)),
    exits === undefined ? "" : `Exit code: ${exits}.`,
    examplesOf(command),
  ];
}

function examplesOf({ examples }: Command): string {
  return examples.map(([line, what]) => `- ${code(line)}: ${what}`).join("\n");
}

function flagTable(program: Program, flags: readonly NamedFlag[]): string {
  const hasVariables = program.environment === true;
  const rows = flags.map((flag) => {
    const isStandard = Object.hasOwn(STANDARD_FLAGS, flag.name);
    const value = flag.value === undefined ? "" : ` <${flag.value}>`;
    const choices = flag.choices === undefined ? "" : `: ${flag.choices.map(code).join(", ")}`;
    return [
      spellingsOf(flag).toReversed().map((name) => code(`${name}${value}`)).join(", "),
      defaultCell(flag),
      ...(hasVariables ? [isStandard ? "" : variablesOf(flag).map(code).join(", ")] : []),
      `${sentence(flag.summary).replace(/\.$/, "")}${choices}.`,
    ];
  });
  return table(["Flag", "Default", ...(hasVariables ? ["Variable"] : []), "Meaning"], rows);
}

function defaultCell(flag: NamedFlag): string {
  if (flag.required === true) return "required";
  if (flag.otherwise !== undefined) return flag.otherwise;
  const byDefault = defaultOf(flag);
  return byDefault === undefined ? "" : code(byDefault);
}

function formTable({ forms }: ProgramNotes): string {
  if (forms.length === 0) return "";
  return `Forms of the values:\n\n${
    table(["Flag", "Value"], forms.map(({ flag, form }) => [code(`--${flag}`), form]))
  }`;
}

function flagVariables({ environment }: Program): Pairs {
  if (environment !== true) return [];
  const how =
    "Sets the flag of this name (see the tables above). A flag on the command line takes precedence. A flag without a value takes 1, 0, true or false.";
  return [["OUTCALL_<NAME>", how]];
}

function pairs(heading: string, left: string, rows: Pairs): string {
  if (rows.length === 0) return "";
  return `## ${heading}\n\n${table([left, "Meaning"], rows.map(([what, meaning]) => [code(what), sentence(meaning)]))}`;
}

// Help texts start in lower case and have no full stop; sentences of the page do.
function sentence(text: string): string {
  const ended = /[.:]$/.test(text) ? text : `${text}.`;
  return /^[a-z]+( |,|\.|:|$)/.test(ended) && !/^outcall/.test(ended)
    ? `${ended.charAt(0).toUpperCase()}${ended.slice(1)}`
    : ended;
}
