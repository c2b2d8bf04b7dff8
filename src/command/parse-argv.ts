// argv and environment -> Plan: pure, so that every usage error is a value and tests need no process.
import { type CAC, cac } from "cac";
import { invariant } from "../core/invariant.ts";
import { didYouMean } from "../core/nearest.ts";
import { type Problem, problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import type { Command, Flag, FlagValue, Plan, Program } from "./command.ts";
import { flagsOf, type GivenFlag, normalize, ROOT } from "./normalize.ts";

/** The environment as a program sees it. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What the command line asks for, or the first thing in it that is unknown, missing or too much. */
export function parseArgv(program: Program, argv: readonly string[], environment: Environment): Result<Plan, Problem> {
  const normalized = normalize(program, argv);
  if (!normalized.ok) return normalized;
  const { command, flags } = normalized.value;
  const asked = (name: string) => flags.some((given) => given.flag.name === name);
  if (asked("help")) return ok({ kind: "help", command: command === ROOT ? null : command });
  if (asked("version")) return ok({ kind: "version" });
  const fromEnvironment = program.environment === true ? readEnvironment(program, command, environment, asked) : ok([]);
  if (!fromEnvironment.ok) return fromEnvironment;
  const twice = findRepeated(flags);
  if (twice !== undefined) return err(problem("command.usage", `--${twice.name} is given twice`));
  const wrong = checkArguments(program, command, normalized.value.arguments);
  if (wrong !== undefined) return err(wrong);
  const read = readWithCac(program, command, flags, normalized.value.arguments);
  return ok({
    kind: "run",
    command,
    flags: { ...fromFlags(fromEnvironment.value), ...read.flags },
    arguments: read.arguments,
  });
}

/** The name of a flag's environment variable, for example `OUTCALL_RULES_DIR`. */
export function variableOf(flag: Flag): string {
  return `OUTCALL_${flag.name.toUpperCase().replaceAll("-", "_")}`;
}

/** All variables of a flag: with `OUTCALL_WATCH` also `OUTCALL_NO_WATCH`, where there is a `--no-watch`. */
export function variablesOf(flag: Flag): readonly string[] {
  const variable = variableOf(flag);
  return flag.negatable === true ? [variable, variable.replace("OUTCALL_", "OUTCALL_NO_")] : [variable];
}

function findRepeated(flags: readonly GivenFlag[]): Flag | undefined {
  const seen = new Set<string>();
  for (const { flag } of flags) {
    if (seen.has(flag.name) && flag.repeated !== true) return flag;
    seen.add(flag.name);
  }
  return undefined;
}

function checkArguments(program: Program, command: Command, given: readonly string[]): Problem | undefined {
  const missing = command.arguments.filter((argument) => argument.required)[given.length];
  const name = command.path.length === 0 ? "" : `${command.path.join(" ")}: `;
  if (missing !== undefined) return problem("command.usage", `${name}missing <${missing.name}>`);
  const variadic = command.arguments.some((argument) => argument.variadic === true);
  const extra = given[command.arguments.length];
  if (extra === undefined || variadic) return undefined;
  const words = [...command.path, extra].join(" ");
  const hint = didYouMean(
    words,
    program.commands.map(({ path }) => path.join(" ")).filter((path) => isBelow(path, command)),
  );
  if (hint !== undefined) return problem("command.usage", `unknown command ${quote(words)}`, { hint });
  return problem("command.usage", `${name}unexpected argument ${quote(extra)}`);
}

// `log` takes no argument, but `log verify` is another command.
function isBelow(words: string, command: Command): boolean {
  return command.path.length > 0 && words.startsWith(`${command.path.join(" ")} `);
}

// The variable of a flag that is on the command line is not looked at: the flag wins, whatever the variable holds.
function readEnvironment(
  program: Program,
  command: Command,
  environment: Environment,
  isGiven: (name: string) => boolean,
): Result<GivenFlag[], Problem> {
  const out: GivenFlag[] = [];
  for (const flag of flagsOf(program, command)) {
    if (flag.name === "help" || flag.name === "version" || isGiven(flag.name)) continue;
    const text = environment[variableOf(flag)];
    if (flag.value === undefined) {
      const state = readSwitch(flag, environment);
      if (!state.ok) return state;
      if (state.value !== undefined) out.push({ flag, value: state.value });
      continue;
    }
    if (text === undefined) continue;
    if (flag.choices !== undefined && !flag.choices.includes(text)) {
      const hint = didYouMean(text, flag.choices);
      const message = `${variableOf(flag)} is one of ${flag.choices.join(", ")}, not ${quote(text)}`;
      return err(problem("command.usage", message, hint === undefined ? {} : { hint }));
    }
    out.push({ flag, value: text });
  }
  return ok(out);
}

// A switch that has a `--no-name` has a variable for each of the two.
function readSwitch(flag: Flag, environment: Environment): Result<boolean | undefined, Problem> {
  const names = variablesOf(flag).filter((name) => environment[name] !== undefined);
  const [name, other] = names;
  if (name === undefined) return ok(undefined);
  if (other !== undefined) return err(problem("command.usage", `${name} and ${other} exclude each other`));
  const text = environment[name] ?? "";
  if (text !== "1" && text !== "0" && text !== "true" && text !== "false") {
    return err(problem("command.usage", `${name} is 1, 0, true or false, not ${quote(text)}`));
  }
  return ok((text === "1" || text === "true") === (name === variableOf(flag)));
}

function fromFlags(flags: readonly GivenFlag[]): Record<string, FlagValue> {
  return Object.fromEntries(flags.map((given) => [given.flag.name, given.value]));
}

// A value reaches cac behind this sign, so that cac neither turns it into a number nor takes an empty one for missing.
const VERBATIM = "=";

function readWithCac(
  program: Program,
  command: Command,
  given: readonly GivenFlag[],
  positionals: readonly string[],
): { flags: Record<string, FlagValue>; arguments: readonly string[] } {
  const cli = declare(program, command);
  const words = given.map(({ flag, value }) => {
    if (typeof value === "string") return `--${flag.name}=${VERBATIM}${value}`;
    return value ? `--${flag.name}` : `--no-${flag.name}`;
  });
  const { options } = cli.parse(["", program.name, command.path.join(" "), ...words, "--", ...positionals], {
    run: false,
  });
  const flags: Record<string, FlagValue> = {};
  for (const { flag } of given) {
    const value: unknown = options[camelCase(flag.name)];
    const texts = (Array.isArray(value) ? value : [value]).map((text: unknown) => {
      invariant(typeof text === "string" || typeof text === "boolean", "cac returns texts and switches");
      return typeof text === "string" ? text.slice(VERBATIM.length) : text;
    });
    const only = texts[0];
    invariant(only !== undefined, "a flag that was given is read");
    flags[flag.name] = flag.repeated === true ? texts.map(String) : only;
  }
  const rest: unknown = options["--"];
  invariant(Array.isArray(rest), "cac keeps what stands behind --");
  return { flags, arguments: rest.map(String) };
}

function declare(program: Program, command: Command): CAC {
  const cli = cac(program.name);
  const declared = cli.command(command.path.join(" "), command.summary, { ignoreOptionDefaultValue: true });
  for (const flag of flagsOf(program, command)) {
    declared.option(flag.value === undefined ? `--${flag.name}` : `--${flag.name} <${flag.value}>`, flag.summary);
  }
  return cli;
}

function camelCase(name: string): string {
  return name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
