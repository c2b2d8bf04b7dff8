// Finds values that YAML does not read as one text, such as `condition: "push" in run.args`, and tells how to quote them.
import { replaceUnprintable } from "../core/quote.ts";

/** The longest value that a hint repeats. */
const SHOWN_LENGTH = 100;

/** The longest line that is looked at: a file may be one line of 2 MiB. */
const LINE_LENGTH = 1_000;

/** The hint for a syntax error in a range of a text; undefined if quotes would not help. */
export function quoteHint(text: string, from: number, to: number): string | undefined {
  const start = text.lastIndexOf("\n", from - 1) + 1;
  const next = text.indexOf("\n", from);
  const end = next < 0 ? text.length : next;
  if (end - start > LINE_LENGTH) return undefined;
  const line = text.slice(start, end).trimEnd();
  const [, key, value = line.trimStart()] = /^\s*(?:-\s+)?([A-Za-z_][\w-]*):[ \t]+(\S.*)$/.exec(line) ?? [];
  if (!QUOTED_START.test(value) && (key === undefined || !EXPRESSION_START.test(value))) return undefined;
  // A value of several lines, or with a possible comment, cannot be repeated in one line.
  const quoted = key === undefined || to > end || / #/.test(value) ? null : quotedWhole(value);
  return quoted === null
    ? 'quote the whole value, or write it as a block below "condition: |"'
    : `quote the whole value: ${key}: ${quoted}`;
}

// A quoted text that is followed by more.
const QUOTED_START = /^"(?:[^"\\]|\\.)*"\s*[^\s#]|^'(?:[^']|'')*'\s*[^\s#]/;

// A list or map that is followed by more, a character that YAML reserves, or a colon and a space.
const EXPRESSION_START = /^\[.*\]\s*[^\s#]|^\{.*\}\s*[^\s#]|^!(?:\(|\$|\w+\.)|^[@`%]|^[|>] +[^#\s]|: /;

// The value in quotes that need no escapes; null if it has both kinds of quotes, is long, or is not printable.
function quotedWhole(value: string): string | null {
  if (value.length > SHOWN_LENGTH || replaceUnprintable(value, () => "") !== value) return null;
  if (!value.includes("'")) return `'${value}'`;
  return /["\\]/.test(value) ? null : `"${value}"`;
}
