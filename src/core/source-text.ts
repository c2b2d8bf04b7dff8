// SourceText: a text from a file that knows the place of each of its characters.
import type { Place } from "./span.ts";

/** The value of a YAML scalar, with the places of its characters in the file. */
export type SourceText = {
  /** The scalar's value. */
  readonly text: string;
  /** The place in the file of a range of `text`, UTF-16 offsets, end excluded. */
  readonly place: (start: number, end: number) => Place;
};
