// The command table of a program: the one source of its parsing, its help, its completions and its manual page.

/** What a shell offers for a value: files, directories, words, or what the program lists as `complete <listed>`. */
export type Completes = "file" | "directory" | { readonly words: readonly string[] } | { readonly listed: string };

/** A flag of a program or command. */
export type Flag = {
  /** The long name without dashes, for example `rules-dir`. */
  readonly name: string;
  /** What stands for the value in help, for example `path`; a flag without it is a switch. */
  readonly value?: string;
  readonly summary: string;
  /** Shown in help; the program itself applies it. */
  readonly default?: string;
  /** The values that are accepted, where they are few. */
  readonly choices?: readonly string[];
  /** A switch that may also be given as `--no-name`. */
  readonly negatable?: boolean;
  /** May be given more than once. */
  readonly repeated?: boolean;
  /** What a shell offers for its value, where `choices` does not say. */
  readonly completes?: Completes;
};

/** A positional argument. */
export type Argument = {
  readonly name: string;
  readonly required: boolean;
  /** Takes all that is left; only the last one may. */
  readonly variadic?: boolean;
  /** What a shell offers for it. */
  readonly completes?: Completes;
};

/** One command: its words, for example `["rule", "list"]`, or none for a program that has no commands. */
export type Command = {
  readonly path: readonly string[];
  readonly summary: string;
  readonly arguments: readonly Argument[];
  readonly flags: readonly Flag[];
  /** Everything from the first positional argument on is taken as it is, dashes included: it is another program's. */
  readonly raw?: boolean;
  /** Meant for programs: neither help, completions nor the manual show it. */
  readonly hidden?: boolean;
};

/** A program: its commands and the flags that every command takes. */
export type Program = {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly Flag[];
  readonly commands: readonly Command[];
  /** Words accepted for others at the start of a command, for example `rules` for `rule`. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Flags may also be given as `OUTCALL_<NAME>`; a flag on the command line wins. */
  readonly environment?: boolean;
};

/** What a flag was given as: a switch, a text, or all texts of a repeated flag. */
export type FlagValue = boolean | string | readonly string[];

/** What a command line asks for. */
export type Plan =
  | {
    readonly kind: "run";
    readonly command: Command;
    readonly flags: Readonly<Record<string, FlagValue>>;
    readonly arguments: readonly string[];
  }
  | { readonly kind: "help"; readonly command: Command | null }
  | { readonly kind: "version" };

/** A plan that runs a command. */
export type RunPlan = Extract<Plan, { kind: "run" }>;

/** The text of a flag that takes one value, or undefined when it was not given. */
export function flagText(plan: RunPlan, name: string): string | undefined {
  const value = plan.flags[name];
  return typeof value === "string" ? value : undefined;
}

/** Whether a switch is on; `otherwise` where it was not given. */
export function flagSwitch(plan: RunPlan, name: string, otherwise = false): boolean {
  const value = plan.flags[name];
  return typeof value === "boolean" ? value : otherwise;
}

/** All texts of a repeated flag. */
export function flagTexts(plan: RunPlan, name: string): readonly string[] {
  const value = plan.flags[name];
  return Array.isArray(value) ? value : typeof value === "string" ? [value] : [];
}
