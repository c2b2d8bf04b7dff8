// A scalar as it stands in its file -> where each character of its value stands there. The value is decoded once more
// from the raw text, piece by piece, in the way of the YAML library; the pieces remember where they came from.
import { invariant } from "../core/invariant.ts";
import { decodeBlock } from "./scalar-block.ts";
import { decodeDouble, decodePlain, decodeSingle } from "./scalar-flow.ts";
import type { SourceText } from "../core/source-text.ts";
import type { Pieces } from "./scalar-pieces.ts";
import { lineStarts, type Position, positionAt } from "./text-places.ts";

/** How a scalar is written. */
export type ScalarStyle = "plain" | "single" | "double" | "literal" | "folded";

/** A scalar as it stands in a file; plain data, which can be sent to another thread. */
export type ScalarSource = {
  readonly file: string;
  readonly style: ScalarStyle;
  /** The text as written, with its quotes; of a block scalar the lines behind the header's. */
  readonly raw: string;
  /** Where `raw` begins in the file. */
  readonly start: Position;
  /** The header of a block scalar, such as `|2-`, and the indentation of what it belongs to. */
  readonly block?: { readonly header: string; readonly indent: number };
};

/** The value of a scalar with the places of its characters; nothing of them is computed before the first is asked for. */
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
