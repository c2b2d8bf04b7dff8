// `$name` -> the definition's expression in parentheses, with a way back: a span of the expanded text to the place in the
// file that an operator must look at (S003-FR-006). Expects definitions that are sound: known, acyclic, within the limits.
// A hostile text has thousands of references and thousands of findings, so a way back takes a search, not a scan.
import { invariant } from "../core/invariant.ts";
import type { SourceText } from "../core/source-text.ts";
import type { Place, Span } from "../core/span.ts";
import type { Piece, SoundDefinition } from "./references.ts";

type Sound = ReadonlyMap<string, SoundDefinition>;

/** The text with every reference expanded; the pieces are where its references come to stand. */
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

/** Where an error lies: a place, and the definition it is in, or null when it is in the text itself. */
export type Origin = { readonly place: Place; readonly definition: string | null };

/** Finds the origin of a span of the expanded text: in a definition only if all of it is, else at the text's own first character in it. */
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

// The piece that holds the whole span; an empty span at a piece's end is behind it.
function pieceAround(pieces: readonly Piece[], span: Span): Piece | undefined {
  const piece = pieces[lastBefore(pieces, span.start)];
  return piece !== undefined && span.start < piece.end && span.end <= piece.end ? piece : undefined;
}

// The number of the last piece that begins at or before an offset; -1 where there is none.
function lastBefore(pieces: readonly Piece[], offset: number): number {
  let [low, high] = [0, pieces.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((pieces[middle]?.start ?? Infinity) <= offset) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

// From the first to the last of the text's own characters in a span; a reference counts whole only where nothing else of
// the text is in the span.
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

// An offset of the expanded text, not inside of a piece, as an offset of the text as written; `before` is the piece before.
function writtenAt(before: Piece | undefined, offset: number): number {
  if (before === undefined) return offset;
  return offset < before.end ? before.written.start : offset - before.end + before.written.end;
}
