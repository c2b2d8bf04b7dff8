// Maps each character of a scalar's value to its place in the file. The source text is decoded a second time, the way the
// YAML library does it, into pieces that remember where they came from.
import { invariant } from "../core/invariant.ts";
import { decodeBlock } from "./scalar-block.ts";
import { decodeDouble, decodePlain, decodeSingle } from "./scalar-flow.ts";
import type { SourceText } from "../core/source-text.ts";
import type { Pieces } from "./scalar-pieces.ts";
import { lineStarts, type Position, positionAt } from "./text-places.ts";

/** The notation of a scalar. */
export type ScalarStyle = "plain" | "single" | "double" | "literal" | "folded";

/** The source text of a scalar, as plain data that can be sent to another thread. */
export type ScalarSource = {
  readonly file: string;
  readonly style: ScalarStyle;
  /** The text as written, with its quotes; for a block scalar, the lines after the header. */
  readonly raw: string;
  /** Where `raw` begins in the file. */
  readonly start: Position;
  /** The header of a block scalar, such as `|2-`, and the indentation of its parent. */
  readonly block?: { readonly header: string; readonly indent: number };
};

/** The value of a scalar with the places of its characters, which are computed on first use. */
export function sourceText(text: string, scalar: ScalarSource): SourceText {
  let located: Located | undefined;
  return {
    text,
    place: (start, end) => {
      const { pieces, starts } = located ??= locateCharacters(text, scalar);
      const from = inFile(scalar.start, positionAt(starts, pieces.from(start)));
      const to = inFile(scalar.start, positionAt(starts, end > start ? pieces.to(end - 1) : pieces.from(start)));
      return { file: scalar.file, line: from.line, column: from.column, endLine: to.line, endColumn: to.column };
    },
  };
}

type Located = { readonly pieces: Pieces; readonly starts: readonly number[] };

function locateCharacters(text: string, scalar: ScalarSource): Located {
  const pieces = decodeScalar(scalar);
  invariant(pieces.text === text, "a scalar decodes to the library's value");
  return { pieces, starts: lineStarts(scalar.raw) };
}

/** The value of a scalar in pieces. */
function decodeScalar(scalar: ScalarSource): Pieces {
  switch (scalar.style) {
    case "plain":
      return decodePlain(scalar.raw);
    case "single":
      return decodeSingle(scalar.raw);
    case "double":
      return decodeDouble(scalar.raw);
    case "literal":
    case "folded":
      invariant(scalar.block !== undefined, "a block scalar has a header");
      return decodeBlock(scalar.raw, scalar.block.header, scalar.block.indent);
  }
}

function inFile(start: Position, position: Position): Position {
  if (position.line > 1) return { line: start.line + position.line - 1, column: position.column };
  return { line: start.line, column: start.column + position.column - 1 };
}
