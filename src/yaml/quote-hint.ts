// A value that YAML reads as more than text, such as `condition: "push" in run.args` -> the hint to quote all of it, with
// the line as it should be.
import { replaceUnprintable } from "../core/quote.ts";

/** The longest value that a hint repeats. */
const SHOWN_LENGTH = 100;

/** The longest line that is looked at: a file may be one line of 2 MiB. */
const LINE_LENGTH = 1_000;

/** The hint for a syntax error over a range of a text; undefined where the line there is no value that wants quotes. */
export function quoteHint(text: string, from: number, to: number): string | undefined {
  const start = text.lastIndexOf("\n", from - 1) + 1;
  const next = text.indexOf("\n", from);
  const end = next < 0 ? text.length : next;
  if (end - start > LINE_LENGTH) return undefined;
  const line = text.slice(start, end).trimEnd();
  const [, key, value = line.trimStart()] = /^\s*(?:-\s+)?([A-Za-z_][\w-]*):[ \t]+(\S.*)$/.exec(line) ?? [];
  if (!QUOTED_START.test(value) && (key === undefined || !EXPRESSION_START.test(value))) return undefined;
  // A value over several lines, or with what may be a comment, is not repeated.
  const quoted = key === undefined || to > end || / #/.test(value) ? null : quotedWhole(value);
  return quoted === null
    ? 'quote the whole value, or write it as a block below "condition: |"'
    : `quote the whole value: ${key}: ${quoted}`;
}

// A quoted text with something behind it.
const QUOTED_START = /^"(?:[^"\\]|\\.)*"\s*[^\s#]|^'(?:[^']|'')*'\s*[^\s#]/;

// Also a list or a map with something behind it, a character that YAML keeps for itself, or a colon and a space.
const EXPRESSION_START = /^\[.*\]\s*[^\s#]|^\{.*\}\s*[^\s#]|^!(?:\(|\$|\w+\.)|^[@`%]|^[|>] +[^#\s]|: /;

// The value in the quotes that leave it as it is; null where neither do, or where it is not shown.
function quotedWhole(value: string): string | null {
  if (value.length > SHOWN_LENGTH || replaceUnprintable(value, () => "") !== value) return null;
  if (!value.includes("'")) return `'${value}'`;
  return /["\\]/.test(value) ? null : `"${value}"`;
}
