// Argument vector -> positional arguments and flags. No program's own grammar is known here: the separate value of a flag
// counts as positional, and a cluster of letters may hold a value. In doubt an argument is named as a flag.
import { Buffer } from "node:buffer";
import type { Problem } from "../core/problem.ts";
import { ok, type Result } from "../core/result.ts";
import { refuse } from "./refusal.ts";

/** Most arguments of one action: far more than a person types; rules may look at each of them. */
export const ARGUMENT_COUNT_LIMIT = 1_024;

/** The longest argument, in bytes of UTF-8. A path has the same limit. */
export const ARGUMENT_LIMIT_BYTES = 32 * 1_024;

/** All arguments together, in bytes of UTF-8: a request body holds as much. */
export const ARGUMENTS_LIMIT_BYTES = 64 * 1_024;

/** An argument vector (without argv[0]) as rules see it. */
export type SortedArguments = {
  /** The positional arguments: those without a dash at the start, a lone dash, and everything after `--`. */
  readonly args: readonly string[];
  /**
   * The flags as typed, also after `--`. After each flag come the flags in it: `--name` of `--name=x`, `-u` and `-f` of `-uf`.
   */
  readonly flags: readonly string[];
};

/** Refuses a vector over the limits, or with a NUL, which no argument of a program can hold. */
export function checkArguments(argv: readonly string[]): Result<null, Problem> {
  if (argv.length > ARGUMENT_COUNT_LIMIT) return refuse(`over ${ARGUMENT_COUNT_LIMIT} arguments`);
  let total = 0;
  for (const [index, argument] of argv.entries()) {
    const checked = checkText(argument, `argument ${index + 1}`);
    if (!checked.ok) return checked;
    total += Buffer.byteLength(argument);
  }
  if (total > ARGUMENTS_LIMIT_BYTES) return refuse(`arguments have over ${ARGUMENTS_LIMIT_BYTES} bytes in all`);
  return ok(null);
}

/** Refuses an argument or path that is too long or has a NUL; `name` names it in the message. */
export function checkText(text: string, name: string): Result<null, Problem> {
  if (text.includes("\0")) return refuse(`${name} has a NUL`);
  if (Buffer.byteLength(text) > ARGUMENT_LIMIT_BYTES) return refuse(`${name} is over ${ARGUMENT_LIMIT_BYTES} bytes`);
  return ok(null);
}

/**
 * Sorts a vector into positional arguments and flags. An argument after the first `--` is positional, and also a flag if
 * it begins with a dash: in `git commit -m -- --no-verify` the `--` is the message, and git obeys the flag.
 */
export function sortArguments(argv: readonly string[]): SortedArguments {
  const end = argv.indexOf("--");
  const head = end === -1 ? argv : argv.slice(0, end);
  const tail = end === -1 ? [] : argv.slice(end + 1);
  const letters = new Set<string>();
  const flags = [...head, ...tail].filter(isFlag)
    .flatMap((flag) => [flag, ...namesIn(flag), ...newLettersIn(flag, letters)]);
  return { args: [...head.filter((argument) => !isFlag(argument)), ...tail], flags };
}

function isFlag(argument: string): boolean {
  return argument.length > 1 && argument.startsWith("-");
}

// The name in `--name=value`, and in `-name=value`, since some programs write long names with one dash. `-n=value` is left to
// newLettersIn.
function namesIn(flag: string): readonly string[] {
  const equals = flag.indexOf("=");
  const name = flag.slice(0, Math.max(equals, 0));
  return /^-?-?$|^-[!-~]$/.test(name) ? [] : [name];
}

// The letters of a cluster that are not in `seen`. Each letter is named once for the whole vector, so that 64 KiB of clusters
// do not become 64,000 flags. No parser looks for flags after an equals sign.
function newLettersIn(flag: string, seen: Set<string>): readonly string[] {
  if (flag.startsWith("--") || flag.length === 2) return [];
  const found: string[] = [];
  for (const letter of flag.slice(1)) {
    if (letter === "=") break;
    if (seen.has(letter) || letter === "-" || letter < "!" || letter > "~") continue;
    seen.add(letter);
    found.push(`-${letter}`);
  }
  return found;
}
