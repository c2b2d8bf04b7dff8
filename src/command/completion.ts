// The words of an unfinished command line -> candidates for the last word. The scripts of all shells ask for them, so that
// the scripts need not know the command table.
import { type Command, type Completes, flagsOf, type NamedFlag, type Program } from "./command.ts";
import { argumentsOf, findCommand, nextWords } from "./find-command.ts";
import { readWords, type Words } from "./read-words.ts";
import { spellingsOf } from "./suggest.ts";

/** A word that a shell offers, and its purpose. */
type Candidate = { readonly word: string; readonly summary: string };

/** The kinds of candidates. */
export type Offer = Exclude<Completes, { readonly words: readonly string[] }> | readonly Candidate[];

/** The candidates for the last word of a command line. */
export type Offered = {
  readonly offer: Offer;
  /** The last word; of `--flag=value` the value alone. */
  readonly current: string;
  /** The flags before it, by name. */
  readonly given: ReadonlyMap<string, string>;
};

/** The candidates for the last of these words. */
export function offerAt(program: Program, words: readonly string[]): Offered {
  const last = words.at(-1) ?? "";
  const before = words.slice(0, -1);
  // Only the words of a command follow help.
  if (before[0] === "help") return { offer: offerNext(program, before.slice(1)), current: last, given: new Map() };
  const place = findPlace(program, before);
  const given = new Map(place.read.flags.flatMap(({ name, value }) => value === undefined ? [] : [[name, value]]));
  const [, name, value] = /^--([^=]+)=(.*)$/s.exec(last) ?? [];
  const flag = place.pending ?? place.known.find((each) => each.name === name);
  const current = place.pending === undefined && value !== undefined ? value : last;
  if (flag !== undefined) return { offer: offerOf(flag), current, given };
  return {
    offer: place.isEnded || !last.startsWith("-") ? offerWords(program, place) : offerFlags(place),
    current,
    given,
  };
}

/** The kind of candidates for a flag's value. */
export function offerOf(flag: NamedFlag): Offer {
  if (flag.choices !== undefined) return toOffer({ words: flag.choices });
  const byName = BY_VALUE.get(flag.value ?? "");
  return toOffer(flag.completes ?? byName ?? { words: [] });
}

/** The kind of candidates for a command's first argument. */
export function offerArgument({ completes }: Command): Offer {
  return toOffer(completes ?? { words: [] });
}

// The kinds of values that follow from their name in help.
const BY_VALUE: ReadonlyMap<string, Completes> = new Map([["path", "file"], ["file", "file"], ["dir", "directory"]]);

function toOffer(completes: Completes): Offer {
  if (typeof completes === "string" || !("words" in completes)) return completes;
  return completes.words.map((word) => ({ word, summary: "" }));
}

/** The position after some words. */
type Place = {
  readonly command: Command | undefined;
  /** The words that are neither flags nor values of flags. */
  readonly words: readonly string[];
  /** How many of them name the command. */
  readonly length: number;
  readonly read: Words;
  readonly known: readonly NamedFlag[];
  /** The flag whose value comes next, if any. */
  readonly pending: NamedFlag | undefined;
  /** Whether `--` has ended the flags. */
  readonly isEnded: boolean;
};

function findPlace(program: Program, before: readonly string[]): Place {
  const start = readWords(before, flagsOf(program));
  const found = findCommand(program, start.words.map(({ text }) => text));
  const known = flagsOf(program, found?.command);
  const read = readWords(before, known);
  const open = read.flags.findLast(({ index }) => index === before.length - 1);
  const pending = known.find(({ name, value }) =>
    name === open?.name && value !== undefined && open.value === undefined
  );
  const isEnded = read.end < before.length;
  const words = read.words.map(({ text }) => text);
  return { command: found?.command, words, length: found?.length ?? 0, read, known, pending, isEnded };
}

function offerWords(program: Program, { command, words, length, isEnded }: Place): Offer {
  if (command === undefined || (words.length === length && !isEnded)) {
    const next = offerNext(program, words);
    if (next.length > 0) return next;
  }
  if (command === undefined) return [];
  const variadic = argumentsOf(command).at(-1)?.variadic === true;
  return words.length === length || variadic ? offerArgument(command) : [];
}

function offerNext(program: Program, words: readonly string[]): readonly Candidate[] {
  return [...nextWords(program, words)].map(([word, commands]) => ({
    word,
    summary: summarize(commands, words.length),
  }));
}

// The summary of one command; of a group the words that may follow.
function summarize(commands: readonly Command[], depth: number): string {
  const [first] = commands;
  if (commands.length === 1 && first !== undefined) return first.summary;
  return commands.map(({ usage }) => usage.split(" ")[depth + 1]).filter((word) => word !== undefined).join(", ");
}

function offerFlags({ known }: Place): readonly Candidate[] {
  return known.flatMap((flag) => spellingsOf(flag).map((word) => ({ word, summary: flag.summary })));
}
