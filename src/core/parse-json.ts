// JSON text -> value, strictly: a member that an object has twice is an error. JSON.parse keeps the last of the two, and
// another reader of the same text may keep the first, so two programs could act on different values. Every JSON text from
// outside is read here.
import type { Json } from "./json.ts";
import { quote } from "./quote.ts";
import { err, ok, type Result } from "./result.ts";

/** The fault of a text: it is not JSON (null), or the name of a member that an object has twice. */
export type JsonFault = { readonly twice: string | null };

/** The value of a JSON text; linear in its length. */
export function parseJson(text: string): Result<Json, JsonFault> {
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch {
    // The message of the runtime differs between runtimes and quotes the text unescaped.
    return err({ twice: null });
  }
  const twice = findTwice(text);
  return twice === null ? ok(value) : err({ twice });
}

/** The fault in words, as part of a message: `not JSON` or `duplicate member "x"`. */
export function describeJsonFault({ twice }: JsonFault): string {
  return twice === null ? "not JSON" : `duplicate member ${quote(twice)}`;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

// The text is valid JSON, so a string in front of a colon is a name of the innermost object, and lists hold no names.
function findTwice(text: string): string | null {
  const open: string[][] = [];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === OPEN_OBJECT || code === OPEN_LIST) open.push([]);
    else if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
      const twice = firstTwice(open.pop() ?? []);
      if (twice !== null) return twice;
    }
    if (code !== QUOTE) continue;
    const start = at;
    at = endOfString(text, start);
    if (!isBeforeColon(text, at + 1)) continue;
    const raw = text.slice(start, at + 1);
    open.at(-1)?.push(raw.includes("\\") ? String(JSON.parse(raw)) : raw.slice(1, -1));
  }
  return null;
}

function firstTwice(names: readonly string[]): string | null {
  if (names.length < 2) return null;
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) return name;
    seen.add(name);
  }
  return null;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
}

function isBeforeColon(text: string, start: number): boolean {
  let at = start;
  while (at < text.length && text.charCodeAt(at) <= 0x20) at++;
  return text.charAt(at) === ":";
}
