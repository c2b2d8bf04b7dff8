// Command table -> the text of `--help`, of the program, a group such as `rule`, or one command.
import { type Command, type Example, type NamedFlag, namedFlags, type Program, standardFlags } from "./command.ts";
import { type Argument, argumentsOf, nameOf, nextWords } from "./find-command.ts";

/** The help of the command or group of this name, or of the program where it is empty. */
export function formatHelp(program: Program, topic: string): string {
  const command = program.commands.find((each) => nameOf(each) === topic);
  const words = topic === "" ? [] : topic.split(" ");
  const below = [...nextWords(program, words).values()].flat();
  return command === undefined ? formatGroup(program, topic, below) : formatCommand(program, command, below);
}

function formatCommand(program: Program, command: Command, below: readonly Command[]): string {
  const isOnly = command.usage === "";
  return sections([
    ["", `${isOnly ? program.summary : sentenceOf(command.summary)}\n`],
    ["", command.details === undefined ? "" : wrap(command.details)],
    ["Usage", `  ${synopsisOf(program, command)}\n`],
    ["More commands", formatCommands(below)],
    ["Examples", formatExamples(command.examples)],
    ["Flags", formatFlags([...namedFlags(command.flags), ...(isOnly ? standardFlags(command) : [])])],
    ["Flags of every command", isOnly ? "" : formatFlags([...namedFlags(program.flags), ...standardFlags(command)])],
    ["", formatVariables(program)],
  ]);
}

function formatGroup(program: Program, topic: string, commands: readonly Command[]): string {
  const name = topic === "" ? program.name : `${program.name} ${topic}`;
  return sections([
    ["", topic === "" ? `${program.summary}\n` : ""],
    ["Usage", `  ${name} <command> [flags]\n`],
    ["Commands", formatCommands(commands)],
    ["Flags of every command", formatFlags([...namedFlags(program.flags), ...standardFlags()])],
    ["", formatVariables(program)],
    ["", `"${program.name} help <command>" shows the flags of a command, and examples.\n`],
  ]);
}

/** A summary as a sentence. */
export function sentenceOf(summary: string): string {
  return `${summary.slice(0, 1).toUpperCase()}${summary.slice(1)}.`;
}

/** The width of a line of help, as of a manual page. */
const WIDTH = 80;

function wrap(text: string): string {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const line = lines.at(-1);
    if (line === undefined || line.length + 1 + word.length > WIDTH) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines.map((line) => `${line}\n`).join("");
}

function sections(all: readonly (readonly [heading: string, body: string])[]): string {
  const filled = all.filter(([, body]) => body !== "");
  return filled.map(([heading, body]) => heading === "" ? body : `${heading}:\n${body}`).join("\n");
}

/** A whole command line of a command, as help and manual show it. */
export function synopsisOf(program: Program, command: Command): string {
  const words = command.usage === "" ? [] : [nameOf(command)];
  return [program.name, ...words, "[flags]", ...argumentsOf(command).map(formatArgument)].join(" ");
}

/** A command with its arguments, as help and manual name it. */
export function usageOf(command: Command): string {
  return [nameOf(command), ...argumentsOf(command).map(formatArgument)].join(" ");
}

function formatArgument({ name, required, variadic }: Argument): string {
  const shown = variadic ? `${name} ...` : name;
  return required ? `<${shown}>` : `[${shown}]`;
}

/** The spellings of a flag with its value, as help and manual name it: `-f, --format <format>`. */
export function nameFlag({ name, short, negatable, value }: NamedFlag): string {
  const spellings = [...(short === undefined ? [] : [`-${short}`]), `--${name}`];
  const all = negatable === true ? [...spellings, `--no-${name}`] : spellings;
  return value === undefined ? all.join(", ") : `${all.join(", ")} <${value}>`;
}

/** The default of a flag as help and manual show it; undefined where it has none. */
export function defaultOf(flag: NamedFlag): string | undefined {
  return flag.default === true ? "on" : flag.default ?? flag.otherwise;
}

function formatCommands(commands: readonly Command[]): string {
  return formatRows(commands.map((command) => [usageOf(command), command.summary]));
}

function formatExamples(examples: readonly Example[]): string {
  return examples.map(([line, what]) => `  ${line}\n      ${what}\n`).join("");
}

function formatFlags(flags: readonly NamedFlag[]): string {
  // Flags without a short form stand below the long names of those with one.
  const indent = flags.some(({ short }) => short !== undefined) ? "    " : "";
  return formatRows(flags.map((flag) => {
    const choices = flag.choices === undefined ? "" : ` (${flag.choices.join(", ")})`;
    const required = flag.required === true ? " [required]" : "";
    const otherwise = defaultOf(flag);
    const byDefault = otherwise === undefined ? "" : ` [default: ${otherwise}]`;
    const name = flag.short === undefined ? `${indent}${nameFlag(flag)}` : nameFlag(flag);
    return [name, `${flag.summary}${choices}${required}${byDefault}`];
  }));
}

function formatVariables(program: Program): string {
  if (program.environment !== true) return "";
  return "Each flag can also be set by a variable, for example OUTCALL_SOCKET for --socket. A flag wins.\n";
}

function formatRows(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(0, ...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}\n`).join("");
}
