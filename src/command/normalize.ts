// argv -> the command it names, its flags as pairs, its arguments. cac's own reading would take `--context -` for a switch,
// turn `007` into 7 and pass over unknown words (platform notes), so the words are told apart here, strictly, before cac.
import { didYouMean } from "../core/nearest.ts";
import { type Problem, problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import type { Command, Flag, Program } from "./command.ts";

/** A flag as given: its text, or the state of a switch. */
export type GivenFlag = { readonly flag: Flag; readonly value: string | boolean };

/** A command line taken apart. */
export type Normalized = {
  readonly command: Command;
  readonly flags: readonly GivenFlag[];
  readonly arguments: readonly string[];
};

/** The flags that every program has. */
export const STANDARD_FLAGS: readonly Flag[] = [
  { name: "help", summary: "print this help" },
  { name: "version", summary: "print the version" },
];

/** Takes a command line apart; every word must be known, every value must be there. */
export function normalize(program: Program, argv: readonly string[]): Result<Normalized, Problem> {
  const found = findCommand(program, argv);
  if (!found.ok) return found;
  const { command, rest } = found.value;
  const known = flagsOf(program, command);
  const flags: GivenFlag[] = [];
  const positionals: string[] = [];
  const words = [...rest];
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === "--") {
      positionals.push(...words);
      break;
    }
    if (word === "-h" || (word.startsWith("--") && word.length > 2)) {
      const given = takeFlag(word === "-h" ? "--help" : word, words, known);
      if (!given.ok) return given;
      flags.push(given.value);
      continue;
    }
    if (word.startsWith("-") && word !== "-") return err(unknownFlag(word, known));
    positionals.push(word);
    if (command.raw !== true) continue;
    positionals.push(...words);
    break;
  }
  return ok({ command, flags, arguments: positionals });
}

/** All flags that a command takes. */
export function flagsOf(program: Program, command: Command): readonly Flag[] {
  return [...command.flags, ...program.flags, ...STANDARD_FLAGS];
}

/** A word of the command, and where it stands. */
type Word = { readonly text: string; readonly at: number };

type Found = { readonly command: Command; readonly rest: readonly string[] };

// Program flags may stand before the command's words and between them, so the words are found by passing over them. Of two
// commands whose words are there, as `log` and `log verify`, it is the longer one.
function findCommand(program: Program, argv: readonly string[]): Result<Found, Problem> {
  const whole = program.commands.find((command) => command.path.length === 0);
  if (whole !== undefined) return ok({ command: whole, rest: argv });
  const words: Word[] = [];
  const known = [...program.flags, ...STANDARD_FLAGS];
  let found: Found | undefined;
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] ?? "";
    if (word === "--") break;
    if (!word.startsWith("-")) {
      words.push({ text: words.length === 0 ? (program.aliases?.[word] ?? word) : word, at });
      const path = words.map((each) => each.text);
      const command = program.commands.find((each) => sameWords(each.path, path));
      if (command !== undefined) {
        const used = new Set(words.map((each) => each.at));
        found = { command, rest: argv.filter((_, index) => !used.has(index)) };
      }
      if (!program.commands.some((each) => beginsWith(each, path))) break;
      if (command !== undefined && !program.commands.some((each) => each !== command && beginsWith(each, path))) break;
      continue;
    }
    const flag = known.find((each) => `--${each.name}` === word);
    // A flag of the command itself: what follows is its value or an argument.
    if (found !== undefined && !known.some((each) => `--${each.name}` === word.split("=")[0])) break;
    if (flag?.value !== undefined) at++;
  }
  if (found !== undefined) return ok(found);
  if (argv.some((word) => word === "--help" || word === "-h")) return ok({ command: ROOT, rest: ["--help"] });
  if (argv.includes("--version")) return ok({ command: ROOT, rest: ["--version"] });
  return err(wrongStart(program, words, argv));
}

/** Stands for the program itself where help or the version was asked for and no command. */
export const ROOT: Command = { path: [], summary: "", arguments: [], flags: [] };

function beginsWith({ path }: Command, words: readonly string[]): boolean {
  return sameWords(path.slice(0, words.length), words);
}

function sameWords(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((word, index) => word === b[index]);
}

function wrongStart(program: Program, words: readonly Word[], argv: readonly string[]): Problem {
  const known = [...program.flags, ...STANDARD_FLAGS];
  // What stands behind an unknown flag may be its value, and is not blamed for it.
  const before = argv.slice(0, words[0]?.at ?? argv.length);
  const end = before.indexOf("--");
  const flag = before.slice(0, end < 0 ? before.length : end).find((word) => isUnknown(word, known));
  if (flag !== undefined) return unknownFlag(flag.split("=")[0] ?? flag, known);
  if (words.length === 0) return problem("command.usage", "no command given", { hint: `see ${program.name} --help` });
  return unknownCommand(program, words.map((each) => each.text));
}

function isUnknown(word: string, known: readonly Flag[]): boolean {
  return word.startsWith("-") && word !== "-" && !known.some(({ name }) => word.split("=")[0] === `--${name}`);
}

function unknownCommand(program: Program, words: readonly string[]): Problem {
  const shown = program.commands.filter((command) => command.hidden !== true);
  const groups = shown.filter((command) => beginsWith(command, words));
  if (groups.length > 0) {
    const next = groups.map((command) => command.path[words.length] ?? "").join(", ");
    return problem("command.usage", `${quote(words.join(" "))} needs one of: ${next}`);
  }
  const names = shown.map((command) => command.path.slice(0, words.length).join(" "));
  const hint = didYouMean(words.join(" "), names);
  return problem("command.usage", `unknown command ${quote(words.join(" "))}`, hint === undefined ? {} : { hint });
}

function takeFlag(word: string, words: string[], known: readonly Flag[]): Result<GivenFlag, Problem> {
  const equals = word.indexOf("=");
  const name = equals < 0 ? word.slice(2) : word.slice(2, equals);
  const inline = equals < 0 ? undefined : word.slice(equals + 1);
  const negated = known.find((flag) => flag.negatable === true && name === `no-${flag.name}`);
  const flag = negated ?? known.find((each) => each.name === name);
  if (flag === undefined) return err(unknownFlag(`--${name}`, known));
  if (flag.value === undefined) {
    if (inline !== undefined) return err(problem("command.usage", `--${name} takes no value`));
    return ok({ flag, value: negated === undefined });
  }
  const value = inline ?? words.shift();
  if (value === undefined) return err(problem("command.usage", `--${name} needs a value <${flag.value}>`));
  if (flag.choices !== undefined && !flag.choices.includes(value)) {
    const wanted = flag.choices.join(", ");
    const hint = didYouMean(value, flag.choices);
    const message = `--${name} is one of ${wanted}, not ${quote(value)}`;
    return err(problem("command.usage", message, hint === undefined ? {} : { hint }));
  }
  return ok({ flag, value });
}

function unknownFlag(word: string, known: readonly Flag[]): Problem {
  const names = known.flatMap((flag) => [`--${flag.name}`, ...(flag.negatable === true ? [`--no-${flag.name}`] : [])]);
  const hint = didYouMean(word, names);
  return problem("command.usage", `unknown flag ${quote(word)}`, hint === undefined ? {} : { hint });
}
