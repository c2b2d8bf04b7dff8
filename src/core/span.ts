// Positions: a span of a text, or a place in a file.

/** A range of one text in UTF-16 code units, end excluded. */
export type Span = { readonly start: number; readonly end: number };

/** A range of one file; lines and columns are 1-based, columns in UTF-16 code units, the end column excluded. */
export type Place = {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
};

/** Orders places by file name (code units), then line, then column. */
export function comparePlaces(a: Place, b: Place): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line || a.column - b.column;
}

/** A place without extent, for findings about a whole file or line. */
export function placeAt(file: string, line = 1, column = 1): Place {
  return { file, line, column, endLine: line, endColumn: column };
}
