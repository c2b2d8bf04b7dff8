// argv -> flags and words, by parseArgs of the runtime. An unknown flag is read as a switch, so the caller must check that
// each name is known.
import { parseArgs } from "node:util";
import type { NamedFlag } from "./command.ts";

/** A flag as it was given. */
export type GivenFlag = {
  /** The long name without dashes. */
  readonly name: string;
  /** The flag as it was typed, without its value. */
  readonly spelled: string;
  readonly value: string | undefined;
  /** The index in argv. */
  readonly index: number;
};

/** A word that is not a flag. */
export type Word = { readonly text: string; readonly index: number };

/** A command line taken apart. */
export type Words = {
  readonly flags: readonly GivenFlag[];
  readonly words: readonly Word[];
  /** The index of `--`, or the length of argv. */
  readonly end: number;
};

/** Tells flags and words apart. */
export function readWords(argv: readonly string[], known: readonly NamedFlag[]): Words {
  const options = Object.fromEntries(known.map(({ name, value, short }) => {
    const type = value === undefined ? "boolean" as const : "string" as const;
    return [name, short === undefined ? { type } : { type, short }];
  }));
  const { tokens } = parseArgs({ args: [...argv], options, strict: false, allowPositionals: true, tokens: true });
  const flags: GivenFlag[] = [];
  const words: Word[] = [];
  let end = argv.length;
  for (const token of tokens) {
    if (token.kind === "positional") words.push({ text: token.value, index: token.index });
    else if (token.kind === "option-terminator") end = token.index;
    else flags.push({ name: token.name, spelled: token.rawName, value: token.value, index: token.index });
  }
  return { flags, words, end };
}
