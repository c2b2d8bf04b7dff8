// Command table -> the text of `--help`.
import type { Argument, Command, Flag, Program } from "./command.ts";
import { STANDARD_FLAGS } from "./normalize.ts";

/** The help of a program, or of one of its commands. */
export function formatHelp(program: Program, command: Command | null): string {
  const only = program.commands.find((each) => each.path.length === 0);
  const shown = command ?? only ?? null;
  if (shown === null) return formatProgram(program);
  const words = [program.name, ...shown.path].join(" ");
  const usage = [words, "[flags]", ...shown.arguments.map(formatArgument)].join(" ");
  const flags = [...shown.flags, ...program.flags, ...STANDARD_FLAGS];
  const summary = shown.path.length === 0 ? program.summary : shown.summary;
  return `${summary}\n\nUsage:\n  ${usage}\n\nFlags:\n${formatFlags(flags)}${formatVariables(program)}`;
}

function formatProgram(program: Program): string {
  const shown = program.commands.filter((command) => command.hidden !== true);
  const rows = shown.map((command) => [usageOf(command), command.summary] as const);
  const flags = [...program.flags, ...STANDARD_FLAGS];
  return `${program.summary}\n\nUsage:\n  ${program.name} <command> [flags]\n\nCommands:\n${formatRows(rows)}\n` +
    `Flags of every command:\n${formatFlags(flags)}${formatVariables(program)}`;
}

/** A command with its arguments, as help and manual name it. */
export function usageOf(command: Command): string {
  return [...command.path, ...command.arguments.map(formatArgument)].join(" ");
}

/** An argument as help and manual name it. */
export function formatArgument(argument: Argument): string {
  const name = argument.variadic === true ? `${argument.name} ...` : argument.name;
  return argument.required ? `<${name}>` : `[${name}]`;
}

function formatFlags(flags: readonly Flag[]): string {
  return formatRows(flags.map((flag) => {
    const name = flag.negatable === true ? `--${flag.name}, --no-${flag.name}` : `--${flag.name}`;
    const choices = flag.choices === undefined ? "" : ` (${flag.choices.join(", ")})`;
    const otherwise = flag.default === undefined ? "" : ` [default: ${flag.default}]`;
    return [
      flag.value === undefined ? name : `${name} <${flag.value}>`,
      `${flag.summary}${choices}${otherwise}`,
    ] as const;
  }));
}

function formatVariables(program: Program): string {
  if (program.environment !== true) return "";
  return "\nEach flag may also be given as a variable, for example OUTCALL_SOCKET for --socket; a flag wins.\n";
}

function formatRows(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}\n`).join("");
}
