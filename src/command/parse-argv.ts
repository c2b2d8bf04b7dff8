// argv and environment -> a typed plan, a question for help or the version, or the first usage error. It is pure: every
// usage error is a value, and tests need no process.
import { invariant } from "../core/invariant.ts";
import { type Problem, problem } from "../core/problem.ts";
import { err, ok, type Result } from "../core/result.ts";
import { type AnyPlan, type Environment, flagsOf, type PlanOf, type Program, type Question } from "./command.ts";
import { canonicalWords, findCommand, nameOf, nextWords } from "./find-command.ts";
import { identifyFlags, parseCommand } from "./parse-command.ts";
import { type GivenFlag, readWords, type Word } from "./read-words.ts";
import { unknownCommand, unknownFlag, whereCommandsAre } from "./suggest.ts";

/** Parses a command line; the error is the first word in it that is unknown, missing or superfluous. */
export function parseArgv<P extends Program>(
  program: P,
  argv: readonly string[],
  environment: Environment,
): Result<PlanOf<P> | Question, Problem> {
  const start = readStart(program, argv);
  const texts = start.words.map(({ text }) => text);
  const found = findCommand(program, texts);
  if (found === undefined || (found.length === 0 && texts[0] === "help")) return parseQuestion(program, argv, start);
  const used = new Set(start.words.slice(0, found.length).map(({ index }) => index));
  const rest = argv.filter((_, index) => !used.has(index));
  const parsed = parseCommand(program, found.command, rest, environment);
  if (!parsed.ok) return parsed;
  const { value } = parsed;
  if (isQuestion(value)) return ok(value);
  invariant(isPlanOf(program, value.name, value), "a plan is of one of the program's commands");
  return ok(value);
}

function isQuestion(parsed: AnyPlan | Question): parsed is Question {
  return parsed.kind !== "run";
}

// The values were read by the flags of the command's own declaration, so the plan has its types.
function isPlanOf<P extends Program>(program: P, name: string, _plan: unknown): _plan is PlanOf<P> {
  return program.commands.some((command) => nameOf(command) === name);
}

/** The beginning of a command line: the words up to the first flag that is not the program's, and that flag. */
type Start = {
  readonly words: readonly Word[];
  readonly flags: readonly GivenFlag[];
  readonly unknown: GivenFlag | undefined;
};

// Flags of the program may stand before the command's words and between them. The words after any other flag are its value
// or arguments of the command.
function readStart(program: Program, argv: readonly string[]): Start {
  const known = flagsOf(program);
  const { flags, words, end } = readWords(argv, known);
  const unknown = flags.find(({ name }) => !known.some((flag) => flag.name === name));
  const stop = Math.min(unknown?.index ?? argv.length, end);
  return { words: words.filter(({ index }) => index < stop), flags, unknown };
}

// Words that name no command: a question for help, the name of a group, unknown words, or no words.
function parseQuestion(program: Program, argv: readonly string[], start: Start): Result<Question, Problem> {
  const { words, flags, unknown } = start;
  const known = flagsOf(program);
  // The word after an unknown flag may be its value, so the flag is reported and not the word.
  if (unknown !== undefined && unknown.index < (words[0]?.index ?? argv.length)) {
    return err(unknownFlag(program, argv[unknown.index] ?? "", known));
  }
  const topic = topicOf(program, words.map(({ text }) => text));
  if (!topic.ok) return topic;
  const given = identifyFlags(program, argv, flags, known);
  if (!given.ok) return given;
  if (given.value.some(({ flag }) => flag.name === "version")) return ok({ kind: "version" });
  if (!argv.includes("--")) return ok({ kind: "help", topic: topic.value });
  return err(problem("command.usage", "no command before --", { hint: whereCommandsAre(program) }));
}

// `help rule show`, `rule help show` and the group `rule` alone.
function topicOf(program: Program, words: readonly string[]): Result<string, Problem> {
  const at = words.indexOf("help");
  const isAsked = at === 0 || (at > 0 && nextWords(program, words.slice(0, at)).size > 0);
  const asked = canonicalWords(program, isAsked ? words.filter((_, index) => index !== at) : words);
  const found = isAsked ? findCommand(program, asked) : undefined;
  const isKnown = found?.length === asked.length || nextWords(program, asked).size > 0;
  return isKnown ? ok(asked.join(" ")) : err(unknownCommand(program, asked));
}
