// Text of a selector -> steps: fields separated by dots, each followed by any number of indices or `[*]`.
import { err, ok, type Result } from "../core/result.ts";
import type { Span } from "../core/span.ts";
import { isBlank } from "./blank.ts";

/** A step into a map, into one element of a list, or into all of them. */
export type Step =
  | { readonly kind: "field"; readonly name: string }
  | { readonly kind: "index"; readonly index: number }
  | { readonly kind: "every" };

/** A path into the facts. */
export type Selector = { readonly text: string; readonly steps: readonly Step[] };

/** An error in a selector, with its range in the text. */
export type SelectorRefusal = { readonly message: string; readonly span: Span };

/** The first field of a selector that is written from the top of the envelope. */
export const FACTS_PREFIX = "facts";

/** Whether a selector begins with `facts.`, which is not needed. */
export function isPrefixed({ steps: [first, second] }: Selector): boolean {
  return first?.kind === "field" && first.name === FACTS_PREFIX && second?.kind === "field";
}

/** Parses a selector. */
export function parseSelector(text: string): Result<Selector, SelectorRefusal> {
  if (isBlank(text)) return refuse("the selector is empty", 0, text.length);
  const steps: Step[] = [];
  for (let at = 0;;) {
    const name = /[^.[\]]*/y;
    name.lastIndex = at;
    const field = name.exec(text)?.[0] ?? "";
    if (field === "") return refuse("empty segment", at, at + 1);
    steps.push({ kind: "field", name: field });
    at += field.length;
    while (text[at] === "[") {
      const end = text.indexOf("]", at);
      if (end === -1) return refuse("unclosed bracket", at, text.length);
      const step = parseIndex(text.slice(at + 1, end));
      if (step === undefined) return refuse("an index is * or a plain non-negative integer", at, end + 1);
      steps.push(step);
      at = end + 1;
    }
    if (at === text.length) return ok({ text, steps });
    if (text[at] === "]") return refuse("stray bracket", at, at + 1);
    if (text[at] !== ".") return refuse("expected a dot, another bracket or the end after a bracket", at, at + 1);
    at++;
  }
}

function parseIndex(text: string): Step | undefined {
  if (text === "*") return { kind: "every" };
  return /^(0|[1-9][0-9]*)$/.test(text) ? { kind: "index", index: Number(text) } : undefined;
}

function refuse(message: string, start: number, end: number): Result<never, SelectorRefusal> {
  return err({ message, span: { start, end } });
}
