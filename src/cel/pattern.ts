// The patterns of `matches`: RE2 syntax in linear time, by re2js. No text from outside may reach a back-tracking engine.
import { RE2JS } from "re2js";
import { escapeText } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import {
  PATTERN_ALTERNATIVES,
  PATTERN_ATOMS,
  PATTERN_INSTRUCTIONS,
  PATTERN_TEXT_BYTES,
  STEP_CHARACTERS,
} from "./limits.ts";
import { measurePattern, type PatternSize } from "./pattern-size.ts";
import { type Abnormal, fail } from "./value.ts";

/** A compiled pattern. */
export type Pattern = {
  /** The pattern as written. */
  readonly source: string;
  /** The beginning of every text that matches; empty if it is not known. */
  readonly prefix: string;
  /** Whether the pattern matches a part of the text. */
  readonly test: (text: string) => boolean | Abnormal;
  /** The instructions of the compiled program. */
  readonly instructions: number;
  /** The instructions plus what the classes cost to build. Limits count this number. */
  readonly charge: number;
  /** The steps of a test on a text, in addition to its node. They are charged before the test runs. */
  readonly cost: (text: string) => number;
};

/** Compiled patterns by their source. */
export type Patterns = ReadonlyMap<string, Pattern>;

/** The patterns of an expression that has none. */
export const NO_PATTERNS: Patterns = new Map();

/** Compiles a pattern, or says why it is refused. */
export function compilePattern(source: string): Result<Pattern, string> {
  const size = measurePattern(source);
  const { classes } = size;
  if (isTooLarge(source, size)) return err(tooLarge(size.atoms + classes));
  const compiled = compileRe2(source);
  if (!compiled.ok) return compiled;
  const re = compiled.value;
  const instructions = re.programSize();
  const charge = instructions + classes;
  if (charge > PATTERN_INSTRUCTIONS) return err(tooLarge(charge));
  return ok({
    source,
    prefix: literalPrefix(source),
    instructions,
    charge,
    test: (text) => testRe2(re, text),
    cost: (text) => Math.ceil((instructions * text.length) / STEP_CHARACTERS),
  });
}

/**
 * Returns the literal characters after a leading `^` that every match begins with. A character before a quantifier does not
 * count, and a pattern with an alternative or with flags has no such prefix.
 */
export function literalPrefix(source: string): string {
  if (!source.startsWith("^") || source.includes("|") || source.includes("(?")) return "";
  let prefix = "";
  for (let at = 1; at < source.length; at++) {
    const escaped = source.charAt(at) === "\\";
    const character = source.charAt(escaped ? at + 1 : at);
    const plain = escaped ? ESCAPED_PLAIN.includes(character) : PLAIN.test(character);
    const next = source.charAt(at + (escaped ? 2 : 1));
    if (!plain || character === "" || (next !== "" && "*?+{".includes(next))) return prefix;
    prefix += character;
    if (escaped) at++;
  }
  return prefix;
}

// The characters of a pattern that always match themselves.
const PLAIN = /^[A-Za-z0-9_/:=@%~,; -]$/;
const ESCAPED_PLAIN = "./-_:";

/** Whether a text is too long for a pattern, in bytes of UTF-8. */
export function isTooLong(text: string): boolean {
  if (text.length > PATTERN_TEXT_BYTES) return true;
  return text.length * 3 > PATTERN_TEXT_BYTES && new TextEncoder().encode(text).length > PATTERN_TEXT_BYTES;
}

/** The cost of refusing a pattern, in instructions: zero if the pattern was not compiled. */
export function costOfRefused(source: string): number {
  const { atoms, classes } = measurePattern(source);
  return isTooLarge(source, { atoms, classes }) ? 0 : atoms + classes;
}

function isTooLarge(source: string, { atoms, classes }: PatternSize): boolean {
  return atoms > (source.includes("|") ? PATTERN_ALTERNATIVES : PATTERN_ATOMS) || classes > PATTERN_INSTRUCTIONS;
}

function tooLarge(instructions: number): string {
  return `pattern has ${instructions} instructions, more than ${PATTERN_INSTRUCTIONS}`;
}

function compileRe2(source: string): Result<RE2JS, string> {
  try {
    return ok(RE2JS.compile(source));
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace("error parsing regexp: ", "") : "not understood";
    return err(`pattern is not RE2: ${escapeText(reason)}`);
  }
}

function testRe2(re: RE2JS, text: string): boolean | Abnormal {
  try {
    return re.test(text);
  } catch (error) {
    return fail(`pattern cannot be matched: ${escapeText(String(error))}`);
  }
}
