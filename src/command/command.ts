// The command table of a program. Parsing, help, completions and the manual page all come from it, and so do the types of
// a parsed command line: a flag that a command does not declare does not compile.
import type { Result } from "../core/result.ts";

/** The candidates for a value: files, directories, fixed words, or ids that the program asks the daemon for. */
export type Completes = "file" | "directory" | { readonly words: readonly string[] } | { readonly listed: string };

/** The environment as a program sees it. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Turns the text of a flag into its value. The error continues the flag's name, for example `is a number, not "x"`. */
type Reader<T> = (text: string) => Result<T, string>;

/** A flag of a program or command. Its name is its key in the table, for example `rules-dir`. */
type Flag = {
  readonly summary: string;
  /** The letter of the short form: `f` for `-f`. */
  readonly short?: string;
  /** The word that stands for the value in help, for example `path`; a flag without it is a switch. */
  readonly value?: string;
  /** The value in the plan if the flag is not given; `true` for a switch. */
  readonly default?: string | true;
  /** Shown in help instead of a default that the command finds out only when it runs. */
  readonly otherwise?: string;
  /** The command cannot run without it. */
  readonly required?: true;
  /** The accepted values, where they are few. */
  readonly choices?: readonly string[];
  /** Converts the text to the value; without it, the value is the text. */
  readonly reads?: Reader<unknown>;
  /** A switch that may also be given as `--no-name`. */
  readonly negatable?: true;
  /** May be given more than once; its value is a list. */
  readonly repeated?: true;
  /** The candidates for its value, if they do not follow from `choices` or `value`. */
  readonly completes?: Completes;
};

/** Flags by their names, in the order of the help. */
export type Flags = Readonly<Record<string, Flag>>;

/** A flag with its name. */
export type NamedFlag = Flag & { readonly name: string };

/** A command line that help shows, and what it does. */
export type Example = readonly [line: string, what: string];

/** One command. */
export type Command<F extends Flags = Flags, U extends string = string> = {
  /** Its words and its arguments: `rule show <id>`, `lint [...path]`; empty for a program that has no commands. */
  readonly usage: U;
  readonly summary: string;
  /** The part of the command's help after the summary: whole sentences. */
  readonly details?: string;
  readonly flags: F;
  /** At least one, except for a hidden command. */
  readonly examples: readonly Example[];
  /** The candidates for the first argument. */
  readonly completes?: Completes;
  /** Everything from the first argument on is taken unchanged, dashes included, because it belongs to another program. */
  readonly raw?: true;
  /** Meant for programs: help, completions and the manual leave it out. */
  readonly hidden?: true;
};

/** A program: its commands and the flags that every command takes. */
export type Program<F extends Flags = Flags, C extends readonly Command[] = readonly Command[]> = {
  readonly name: string;
  readonly summary: string;
  readonly flags: F;
  readonly commands: C;
  /** First words that mean another one, for example `rules` for `rule`. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** First words that people know from other programs, and the command they mean: `ps` for `container list`. */
  readonly synonyms?: Readonly<Record<string, string>>;
  /** Whether flags may also be given as `OUTCALL_<NAME>`; a flag on the command line wins. */
  readonly environment?: true;
};

/** The value of a flag in a plan. */
type FlagValue<F extends Flag> = F extends { readonly repeated: true } ? readonly TextValue<F>[]
  : F extends { readonly value: string }
    ? F extends { readonly default: string } | { readonly required: true } ? TextValue<F> : TextValue<F> | undefined
  : boolean;

type TextValue<F extends Flag> = F extends { readonly reads: Reader<infer T> } ? T
  : F extends { readonly choices: readonly (infer C)[] } ? C
  : string;

/** The words of a usage before its arguments. */
type CommandName<U extends string> = U extends `${infer Words} <${string}` ? Words
  : U extends `${infer Words} [${string}` ? Words
  : U;

/** The arguments of a command by their names. */
type Arguments<U extends string> = U extends `${infer Word} ${infer Rest}` ? ArgumentOf<Word> & Arguments<Rest>
  : ArgumentOf<U>;

type ArgumentOf<Word extends string> = Word extends `<...${infer N}>` | `[...${infer N}]`
  ? { readonly [Name in N]: readonly string[] }
  : Word extends `<${infer N}>` ? { readonly [Name in N]: string }
  : Word extends `[${infer N}]` ? { readonly [Name in N]: string | undefined }
  : Record<never, never>;

/** A parsed command line that runs a command. */
export type Plan<F extends Flags, U extends string = string> = {
  readonly kind: "run";
  readonly name: CommandName<U>;
  /** The values: as given, else from the environment, else the defaults. */
  readonly flags: { readonly [Name in keyof F]: FlagValue<F[Name]> };
  /** Whether a flag was given, on the command line or in the environment. */
  readonly given: { readonly [Name in keyof F]: boolean };
  readonly arguments: Arguments<U>;
};

/** A plan of any command, for code that runs whatever the table holds. */
export type AnyPlan = {
  readonly kind: "run";
  readonly name: string;
  readonly flags: Readonly<Record<string, unknown>>;
  readonly given: Readonly<Record<string, boolean>>;
  readonly arguments: Readonly<Record<string, unknown>>;
};

/** The plans of a program's commands. */
export type PlanOf<P extends Program> = P["commands"][number] extends infer C
  ? C extends Command<infer F, infer U> ? Plan<F & P["flags"], U> : never
  : never;

/** A command line that asks for help or for the version. The topic is a command, a group such as `rule`, or empty. */
export type Question = { readonly kind: "help"; readonly topic: string } | { readonly kind: "version" };

/** Declares a command, with its types. */
export function defineCommand<const F extends Flags, const U extends string>(command: Command<F, U>): Command<F, U> {
  return command;
}

/** Declares flags that several commands share, with their types. */
export function defineFlags<const F extends Flags>(flags: F): F {
  return flags;
}

/** Declares a program, with the types of its commands. */
export function defineProgram<const F extends Flags, const C extends readonly Command[]>(
  program: Program<F, C>,
): Program<F, C> {
  return program;
}

/** The flags that every program has. */
export const STANDARD_FLAGS = defineFlags({
  help: { short: "h", summary: "print help" },
  version: { short: "v", summary: "print the version" },
});

/** All flags of a command with their names; without a command those of the program. */
export function flagsOf(program: Program, command?: Command): readonly NamedFlag[] {
  return [...namedFlags(command?.flags ?? {}), ...namedFlags(program.flags), ...standardFlags(command)];
}

/** Flags with their names, in the order of the table. */
export function namedFlags(flags: Flags): readonly NamedFlag[] {
  return Object.entries(flags).map(([name, flag]) => ({ ...flag, name }));
}

/** The standard flags of a command. Only the program has `-v`, so that commands can use the letter. */
export function standardFlags(command?: Command): readonly NamedFlag[] {
  const { help, version } = STANDARD_FLAGS;
  const shorts = command === undefined || command.usage === "" ? { short: version.short } : {};
  return [{ ...help, name: "help" }, { summary: version.summary, name: "version", ...shorts }];
}

/** The commands that are shown to people. */
export function shownCommands(program: Program): readonly Command[] {
  return program.commands.filter((command) => command.hidden !== true);
}
