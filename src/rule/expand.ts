// Replaces each `$name` by the definition's expression in parentheses, and maps spans of the expanded text back to places in
// the file (S003-FR-006). The definitions must be sound: known, acyclic and within the limits. Mapping back is a binary
// search, because a hostile text may have thousands of references and findings.
import { invariant } from "../core/invariant.ts";
import type { SourceText } from "../core/source-text.ts";
import type { Place, Span } from "../core/span.ts";
import type { Piece, SoundDefinition } from "./references.ts";

type Sound = ReadonlyMap<string, SoundDefinition>;

/** Expands every reference of a text; the pieces have the places of the references in the result. */
export function expand(text: string, pieces: readonly Piece[], sound: Sound): string {
  if (pieces.length === 0) return text;
  const parts: string[] = [];
  let from = 0;
  for (const { name, written } of pieces) {
    const { definition, pieces: inner, close } = soundDefinition(name, sound);
    parts.push(text.slice(from, written.start), "(", expand(definition.expression.text, inner, sound), close);
    from = written.end;
  }
  parts.push(text.slice(from));
  return parts.join("");
}

/** The origin of an error: its place, and the definition that contains it, or null for the condition itself. */
export type Origin = { readonly place: Place; readonly definition: string | null };

/** Finds the origin of a span of the expanded text: the definition that contains all of it, else the text itself. */
export function originOf(source: SourceText, pieces: readonly Piece[], span: Span, sound: Sound): Origin {
  let owner: Owner = { source, pieces, definition: null };
  let within = span;
  for (;;) {
    const piece = pieceAround(owner.pieces, within);
    if (piece === undefined) break;
    const { definition, pieces: inner, length } = soundDefinition(piece.name, sound);
    const clamp = (offset: number) => Math.min(Math.max(offset - piece.start - 1, 0), length);
    owner = { source: definition.expression, pieces: inner, definition: piece.name };
    within = { start: clamp(within.start), end: clamp(within.end) };
  }
  const own = ownSpan(owner, within);
  return { place: owner.source.place(own.start, own.end), definition: owner.definition };
}

type Owner = { readonly source: SourceText; readonly pieces: readonly Piece[]; readonly definition: string | null };

function soundDefinition(name: string, sound: Sound): SoundDefinition {
  const target = sound.get(name);
  invariant(target !== undefined, "only sound definitions are expanded");
  return target;
}

// The piece that contains the whole span; an empty span at the end of a piece is after it.
function pieceAround(pieces: readonly Piece[], span: Span): Piece | undefined {
  const piece = pieces[lastBefore(pieces, span.start)];
  return piece !== undefined && span.start < piece.end && span.end <= piece.end ? piece : undefined;
}

// The index of the last piece that begins at or before an offset; -1 if there is none.
function lastBefore(pieces: readonly Piece[], offset: number): number {
  let [low, high] = [0, pieces.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((pieces[middle]?.start ?? Infinity) <= offset) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

// The span from the first to the last of the text's own characters; a reference counts only if the span contains nothing else
// of the text.
function ownSpan({ source, pieces }: Owner, span: Span): Span {
  const first = lastBefore(pieces, span.start);
  const last = lastBefore(pieces, span.end - 1);
  const start = Math.max(span.start, pieces[first]?.end ?? 0);
  const end = (pieces[last]?.end ?? 0) >= span.end ? pieces[last]?.start ?? 0 : span.end;
  const length = source.text.length;
  if (start < end) {
    const written = { start: writtenAt(pieces[first], start), end: writtenAt(pieces[last], end) };
    return { start: Math.min(written.start, length), end: Math.min(written.end, length) };
  }
  const touched = pieces[first];
  if (touched !== undefined && span.start < touched.end) return touched.written;
  const point = Math.min(writtenAt(touched, span.start), length);
  return { start: point, end: point };
}

// Converts an offset of the expanded text outside of pieces to an offset of the written text; `before` is the piece before it.
function writtenAt(before: Piece | undefined, offset: number): number {
  if (before === undefined) return offset;
  return offset < before.end ? before.written.start : offset - before.end + before.written.end;
}
