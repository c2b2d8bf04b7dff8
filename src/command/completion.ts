// Command table -> what a shell may offer at each place of a command line. The same for every shell; how a shell is told is
// in a file of its own.
import type { Command, Completes, Flag, Program } from "./command.ts";
import { flagsOf } from "./normalize.ts";

/** A word that may come next, with what it is for. */
type NextWord = { readonly word: string; readonly summary: string };

/** A place behind some command words: what may come next there. */
export type CompletionPlace = {
  /** The words before, none at the beginning. */
  readonly path: readonly string[];
  /** Further command words. */
  readonly next: readonly NextWord[];
  readonly flags: readonly Flag[];
  /** Those of them that are of this place alone. */
  readonly own: readonly Flag[];
  /** What is offered for an argument, where that is known. */
  readonly argument: Completes | null;
};

/** Every place of a program, those of its command groups among them. */
export function completionPlaces(program: Program): readonly CompletionPlace[] {
  const shown = program.commands.filter((command) => command.hidden !== true);
  const prefixes = new Map<string, readonly string[]>();
  for (const { path } of shown) {
    for (let length = 0; length <= path.length; length++) {
      prefixes.set(path.slice(0, length).join(" "), path.slice(0, length));
    }
  }
  return [...prefixes.values()].map((path) => {
    const command = shown.find((each) => each.path.join(" ") === path.join(" "));
    return {
      path,
      next: nextWords(shown, path),
      flags: flagsOf(program, command ?? { path, summary: "", arguments: [], flags: [] }),
      own: command?.flags ?? [],
      argument: command?.arguments[0]?.completes ?? null,
    };
  });
}

function nextWords(commands: readonly Command[], path: readonly string[]): readonly NextWord[] {
  const next = new Map<string, string>();
  for (const command of commands) {
    const word = command.path[path.length];
    if (word === undefined || command.path.slice(0, path.length).join(" ") !== path.join(" ")) continue;
    const isWhole = command.path.length === path.length + 1;
    const words = next.get(word);
    next.set(
      word,
      isWhole ? command.summary : [...(words === undefined ? [] : [words]), command.path.at(-1) ?? ""].join(", "),
    );
  }
  return [...next].map(([word, summary]) => ({ word, summary }));
}

/** What the name that help gives a value already says of it. */
const BY_VALUE: ReadonlyMap<string, Completes> = new Map([["path", "file"], ["file", "file"], ["dir", "directory"]]);

/** What is offered for a flag's value; null for a switch and where nothing is known. */
export function offerOf(flag: Flag): Completes | null {
  if (flag.choices !== undefined) return { words: flag.choices };
  return flag.value === undefined ? null : flag.completes ?? BY_VALUE.get(flag.value) ?? null;
}

/** The spellings of a flag on a command line. */
export function spellingsOf(flag: Flag): readonly string[] {
  return [`--${flag.name}`, ...(flag.negatable === true ? [`--no-${flag.name}`] : [])];
}

/** A text in single quotes, as every shell reads it. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
