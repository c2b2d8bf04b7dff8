// The command line of one command, without the command's words -> its plan, or a question for its help.
import { type Problem, problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import {
  type AnyPlan,
  type Command,
  type Environment,
  flagsOf,
  type NamedFlag,
  type Program,
  type Question,
} from "./command.ts";
import { argumentsOf, nameOf, nextWords } from "./find-command.ts";
import { type Given, readFlagValues } from "./flag-values.ts";
import { type GivenFlag, readWords } from "./read-words.ts";
import { unknownCommand, unknownFlag } from "./suggest.ts";

/** Parses the rest of a command line, after the words of the command have been taken out. */
export function parseCommand(
  program: Program,
  command: Command,
  argv: readonly string[],
  environment: Environment,
): Result<AnyPlan | Question, Problem> {
  const known = flagsOf(program, command);
  const read = readWords(argv, known);
  const cut = command.raw === true ? Math.min(read.words[0]?.index ?? argv.length, read.end) : argv.length;
  const words = command.raw === true
    ? argv.slice(cut === read.end ? cut + 1 : cut)
    : read.words.map(({ text }) => text);
  const given = identifyFlags(program, argv, read.flags.filter(({ index }) => index < cut), known, command);
  if (!given.ok) return given;
  const asked = (name: string) => given.value.some(({ flag }) => flag.name === name);
  const name = nameOf(command);
  if (asked("help")) return ok({ kind: "help", topic: name });
  if (asked("version")) return ok({ kind: "version" });
  const values = readFlagValues(known, given.value, program.environment === true ? environment : {});
  if (!values.ok) return values;
  const inOrder = readArguments(program, command, words);
  if (!inOrder.ok) return inOrder;
  const missing = known.find((flag) => flag.required === true && values.value.given[flag.name] !== true);
  if (missing !== undefined) return err(usage(command, `missing --${missing.name} <${missing.value ?? ""}>`));
  return ok({ kind: "run", name, ...values.value, arguments: inOrder.value });
}

/** Finds each flag in the table; a value must be there where it takes one, and must not be where it does not. */
export function identifyFlags(
  program: Program,
  argv: readonly string[],
  flags: readonly GivenFlag[],
  known: readonly NamedFlag[],
  command?: Command,
): Result<readonly Given[], Problem> {
  const given: Given[] = [];
  for (const each of flags) {
    // `-format` is `--format` with one dash missing, and never `-f` with the value `ormat`.
    const isLong = !each.spelled.startsWith("--") && known.some(({ name }) => argv[each.index] === `-${name}`);
    const found = isLong ? undefined : identify(each, known);
    if (found === undefined) return err(unknownFlag(program, argv[each.index] ?? each.spelled, known, command));
    if (!found.ok) return found;
    given.push(found.value);
  }
  return ok(given);
}

// Undefined if no flag has this name.
function identify(
  { name, spelled, value }: GivenFlag,
  known: readonly NamedFlag[],
): Result<Given, Problem> | undefined {
  const negated = known.find((flag) => flag.negatable === true && name === `no-${flag.name}`);
  const flag = negated ?? known.find((each) => each.name === name);
  if (flag === undefined) return undefined;
  if (flag.value === undefined) {
    if (value !== undefined) return err(problem("command.usage", `${spelled} takes no value`));
    return ok({ flag, spelled, value: negated === undefined });
  }
  if (value === undefined) return err(problem("command.usage", `${spelled} needs a value <${flag.value}>`));
  return ok({ flag, spelled, value });
}

function readArguments(
  program: Program,
  command: Command,
  given: readonly string[],
): Result<AnyPlan["arguments"], Problem> {
  const wanted = argumentsOf(command);
  const missing = wanted.find(({ required }, at) => required && given[at] === undefined);
  if (missing !== undefined) return err(usage(command, `missing <${missing.name}>`));
  const empty = command.raw === true ? undefined : wanted.find((_, at) => given[at] === "");
  if (empty !== undefined) return err(usage(command, `<${empty.name}> is empty`));
  const extra = given[wanted.length];
  if (extra !== undefined && wanted.at(-1)?.variadic !== true) return err(tooMany(program, command, extra));
  return ok(Object.fromEntries(wanted.map(({ name, variadic }, at) => [name, variadic ? given.slice(at) : given[at]])));
}

// `log` takes no argument, but `log verify` is another command.
function tooMany(program: Program, command: Command, extra: string): Problem {
  const name = nameOf(command);
  const words = name === "" ? [] : name.split(" ");
  if (extra === "help") {
    return usage(
      command,
      `unexpected argument "help"`,
      `did you mean "${[program.name, ...words, "--help"].join(" ")}"?`,
    );
  }
  const meant = nextWords(program, words).size === 0 ? undefined : unknownCommand(program, [...words, extra]);
  return meant?.hint?.startsWith("did") === true ? meant : usage(command, `unexpected argument ${quote(extra)}`);
}

function usage(command: Command, message: string, hint?: string): Problem {
  const name = nameOf(command);
  const more = hint === undefined ? {} : { hint };
  return problem("command.usage", name === "" ? message : `${name}: ${message}`, more);
}
