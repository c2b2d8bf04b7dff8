// Converts offsets of a text to places in its file. Lines end at line feeds, as in the YAML library; a carriage return before
// a line feed belongs to the line.
import type { Place } from "../core/span.ts";

/** The places of one text. */
export type TextPlaces = {
  readonly file: string;
  /** The place of a range of the text: UTF-16 offsets, end excluded. */
  readonly place: (start: number, end: number) => Place;
};

/** A line and a column, both 1-based. */
export type Position = { readonly line: number; readonly column: number };

/** The places of a text that is a whole file. */
export function placesOf(file: string, text: string): TextPlaces {
  const starts = lineStarts(text);
  return {
    file,
    place: (start, end) => {
      const from = positionAt(starts, start);
      const to = positionAt(starts, Math.max(start, end));
      return { file, line: from.line, column: from.column, endLine: to.line, endColumn: to.column };
    },
  };
}

/** The offsets where the lines of a text begin. */
export function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let feed = text.indexOf("\n"); feed !== -1; feed = text.indexOf("\n", feed + 1)) starts.push(feed + 1);
  return starts;
}

/** The line and column of an offset, by the offsets of the line starts. */
export function positionAt(starts: readonly number[], offset: number): Position {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
}
