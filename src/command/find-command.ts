// Words -> the command they name. cac reads the usage of each command and matches the words; it is not given the flags,
// because it turns `--id 007` into 7 and passes over unknown ones.
import { type CAC, cac } from "cac";
import { type Command, type Program, shownCommands } from "./command.ts";

/** A positional argument of a command. */
export type Argument = { readonly name: string; readonly required: boolean; readonly variadic: boolean };

/** A command with the number of words that name it. */
export type Found = { readonly command: Command; readonly length: number };

/** The words of a command, for example `rule show`. */
export function nameOf({ usage }: Command): string {
  return cac().command(usage).name;
}

/** The arguments of a command, in their order. */
export function argumentsOf({ usage }: Command): readonly Argument[] {
  return cac().command(usage).args.map(({ value, required, variadic }) => ({ name: value, required, variadic }));
}

/** The command that the longest beginning of the words names; `log verify` is preferred to `log`. */
export function findCommand(program: Program, words: readonly string[]): Found | undefined {
  const cli = declare(program);
  for (let length = words.length; length > 0; length--) {
    cli.unsetMatchedCommand();
    cli.parse(["", program.name, canonicalWords(program, words.slice(0, length)).join(" ")], { run: false });
    // cac gives no name for the default command, which matches any words.
    if (cli.matchedCommandName !== undefined) return foundIn(program, cli, length);
  }
  cli.unsetMatchedCommand();
  cli.parse(["", program.name], { run: false });
  return foundIn(program, cli, 0);
}

/** The words that may follow a beginning of command words, each with the commands it leads to. */
export function nextWords(program: Program, words: readonly string[]): ReadonlyMap<string, readonly Command[]> {
  const path = canonicalWords(program, words);
  const next = new Map<string, Command[]>();
  for (const command of shownCommands(program)) {
    const own = nameOf(command).split(" ");
    const word = own[path.length];
    if (word === undefined || word === "" || !path.every((each, at) => each === own[at])) continue;
    next.set(word, [...(next.get(word) ?? []), command]);
  }
  return next;
}

/** The words with an alias of the first one resolved. */
export function canonicalWords({ aliases = {} }: Program, words: readonly string[]): readonly string[] {
  return words.map((word, at) => at === 0 && Object.hasOwn(aliases, word) ? aliases[word] ?? word : word);
}

function declare(program: Program): CAC {
  const cli = cac(program.name);
  for (const { usage, summary } of program.commands) cli.command(usage, summary);
  return cli;
}

function foundIn(program: Program, cli: CAC, length: number): Found | undefined {
  const command = program.commands[cli.commands.findIndex((each) => each === cli.matchedCommand)];
  return command === undefined ? undefined : { command, length };
}
