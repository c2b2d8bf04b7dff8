// Reads titles from the text of a test file: of tests and groups, the headings of a golden script, the notes of a table
// of cases.
import { parse } from "yaml";
import { readTokens, type Token } from "./tokens.ts";

/** Stands for a part of a title that is known only when the test runs. */
export const VARIABLE_PART = "...";

/** The titles in a file of tests, of golden commands (`.txt`), or of cases (`.yaml`). */
export function titlesOf(path: string, text: string): readonly string[] {
  if (path.endsWith(".txt")) return [...text.matchAll(/^# (.+)$/gm)].map(([, heading = ""]) => heading);
  if (path.endsWith(".yaml")) return notesOf(parse(text));
  return titlesIn(readTokens(text).filter(({ kind }) => kind !== "comment"));
}

function notesOf(cases: unknown): readonly string[] {
  if (!Array.isArray(cases)) return [];
  return cases.flatMap((each: unknown) => {
    return typeof each === "object" && each !== null && "note" in each ? [String(each.note)] : [];
  });
}

function titlesIn(tokens: readonly Token[]): readonly string[] {
  return tokens.flatMap((token, index) => {
    const isCall = token.kind === "word" && ["test", "describe"].includes(token.text) &&
      tokens[index - 1]?.text !== ".";
    if (!isCall) return [];
    const title = titleAt(tokens, titleIndex(tokens, index + 1));
    return title === undefined ? [] : [title];
  });
}

// After `test`, `test.each(...)` or `test.skipIf(...)`: the index of the first argument of the call that defines the
// test.
function titleIndex(tokens: readonly Token[], from: number): number {
  let index = from;
  while (tokens[index]?.text === ".") {
    const open = index + 2;
    const depth = tokens[open]?.depth;
    index = tokens.findIndex((token, at) => at > open && token.text === ")" && token.depth === depth) + 1;
  }
  return index + 1;
}

function titleAt(tokens: readonly Token[], index: number): string | undefined {
  const first = tokens[index];
  if (first?.kind === "string") return unescape(first.text);
  if (first?.kind !== "template") return undefined;
  const parts = [first.text];
  for (let at = index; isBrace(tokens[at + 1], "{", first.depth);) {
    const close = tokens.findIndex((token, place) => place > at + 1 && isBrace(token, "}", first.depth));
    at = close + 1;
    parts.push(tokens[at]?.text ?? "");
  }
  return unescape(parts.join(VARIABLE_PART));
}

function isBrace(token: Token | undefined, text: "{" | "}", depth: number): boolean {
  return token?.kind === "sign" && token.text === text && token.depth === depth;
}

function unescape(text: string): string {
  return text.replace(/\\(.)/g, "$1");
}
