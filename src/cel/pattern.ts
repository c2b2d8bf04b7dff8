// Patterns of `matches`: RE2 syntax, linear time, by re2js alone. Nothing in this room shows text from outside to a
// back-tracking engine.
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
  /** What every text in which it occurs begins with; empty where nothing is known. */
  readonly prefix: string;
  /** Whether it occurs in the text. */
  readonly test: (text: string) => boolean | Abnormal;
  /** The size of its program. */
  readonly instructions: number;
  /** Its instructions with what its classes cost to build, which is what limits count. */
  readonly charge: number;
  /** The steps that a test costs beside its node, to be charged before it runs. */
  readonly cost: (text: string) => number;
};

/** Compiled patterns by how they are written. */
export type Patterns = ReadonlyMap<string, Pattern>;

/** The patterns of an expression without one. */
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
 * The plain characters after a leading `^`, as far as they are certainly needed: none where the pattern has an
 * alternative or a group with flags anywhere, and not the last one before a quantifier.
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

// Characters of patterns (which operators and agents write, and which are short) that stand for themselves.
const PLAIN = /^[A-Za-z0-9_/:=@%~,; -]$/;
const ESCAPED_PLAIN = "./-_:";

/** Whether a text is too long for a pattern, in bytes of UTF-8. */
export function isTooLong(text: string): boolean {
  if (text.length > PATTERN_TEXT_BYTES) return true;
  return text.length * 3 > PATTERN_TEXT_BYTES && new TextEncoder().encode(text).length > PATTERN_TEXT_BYTES;
}

/** What a pattern that was refused has cost, in instructions: nothing where it was not compiled. */
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
    return fail(`pattern cannot be tried: ${escapeText(String(error))}`);
  }
}
