// `$name` -> the definition's expression in parentheses, with a way back: a span of the expanded text to the place in the
// file that an operator must look at (S003-FR-006). Expects definitions that are sound: known, acyclic, within the limits.
import { findReferences, type Reference } from "../cel/scan.ts";
import { invariant } from "../core/invariant.ts";
import type { Place, Span } from "../core/span.ts";
import type { SourceText } from "../core/source-text.ts";
import { insertedLength, type SoundDefinition } from "./references.ts";

/** The text with every reference expanded. */
export function expand(
  text: string,
  references: readonly Reference[],
  sound: ReadonlyMap<string, SoundDefinition>,
): string {
  if (references.length === 0) return text;
  const parts: string[] = [];
  let from = 0;
  for (const { name, span } of references) {
    const target = soundDefinition(name, sound);
    const inner = expand(target.definition.expression.text, target.references, sound);
    parts.push(text.slice(from, span.start), "(", inner, target.close);
    from = span.end;
  }
  parts.push(text.slice(from));
  return parts.join("");
}

/** Where an error lies: a place, and the definition it is in, or null when it is in the text itself. */
export type Origin = { readonly place: Place; readonly definition: string | null };

/** Finds the origin of a span of the expanded text: in a definition only if all of it is, else at the text's own first character in it. */
export function originOf(
  source: SourceText,
  span: Span,
  sound: ReadonlyMap<string, SoundDefinition>,
): Origin {
  let owner = { source, references: findReferences(source.text), definition: null as string | null };
  let within = span;
  for (;;) {
    const inner = enclosingReference(owner.references, within, sound);
    if (inner === undefined) break;
    const target = soundDefinition(inner.name, sound);
    owner = {
      source: target.definition.expression,
      references: target.references,
      definition: inner.name,
    };
    within = inner.within;
  }
  const own = ownSpan(owner.source.text, owner.references, within, sound);
  return { place: owner.source.place(own.start, own.end), definition: owner.definition };
}

function soundDefinition(name: string, sound: ReadonlyMap<string, SoundDefinition>): SoundDefinition {
  const target = sound.get(name);
  invariant(target !== undefined, "only sound definitions are expanded");
  return target;
}

type Inner = { readonly name: string; readonly within: Span };

// The reference whose expansion holds the whole span, and the span relative to the definition's text.
function enclosingReference(
  references: readonly Reference[],
  span: Span,
  sound: ReadonlyMap<string, SoundDefinition>,
): Inner | undefined {
  let shift = 0;
  for (const { name, span: written } of references) {
    const target = soundDefinition(name, sound);
    const start = written.start + shift;
    const end = start + insertedLength(target);
    if (span.start < start) return undefined;
    if (span.start < end && span.end <= end && span.end > start) {
      const clamp = (offset: number) => Math.min(Math.max(offset - start - 1, 0), target.length);
      return { name, within: { start: clamp(span.start), end: clamp(span.end) } };
    }
    shift += end - start - (written.end - written.start);
  }
  return undefined;
}

// The part of a span that is the text's own: a reference counts whole only where nothing else of the text is in the span.
function ownSpan(
  text: string,
  references: readonly Reference[],
  span: Span,
  sound: ReadonlyMap<string, SoundDefinition>,
): Span {
  let start: number | undefined;
  let end: number | undefined;
  const add = (from: number, to: number) => {
    if (to <= from) return;
    start ??= from;
    end = to;
  };
  let shift = 0;
  let from = 0;
  for (const { name, span: written } of references) {
    add(Math.max(from, span.start - shift), Math.min(written.start, span.end - shift));
    shift += insertedLength(soundDefinition(name, sound)) - (written.end - written.start);
    from = written.end;
  }
  add(Math.max(from, span.start - shift), Math.min(text.length, span.end - shift));
  if (start === undefined || end === undefined) return pointSpan(text, references, span, sound);
  return { start, end };
}

// A span without any character of the text's own: the end of the text, or the references themselves.
function pointSpan(
  text: string,
  references: readonly Reference[],
  span: Span,
  sound: ReadonlyMap<string, SoundDefinition>,
): Span {
  let shift = 0;
  for (const { name, span: written } of references) {
    const start = written.start + shift;
    const end = start + insertedLength(soundDefinition(name, sound));
    if (span.start < end && (span.end > start || span.start === start)) return written;
    shift += end - start - (written.end - written.start);
  }
  const point = Math.min(Math.max(span.start - shift, 0), text.length);
  return { start: point, end: Math.min(Math.max(span.end - shift, point), text.length) };
}
