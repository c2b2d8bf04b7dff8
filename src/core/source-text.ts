// SourceText: a text that was taken out of a file and has not forgotten where from.
import type { Place } from "./span.ts";

/** A text taken from a scalar of the file that knows where each of its characters stands there. */
export type SourceText = {
  /** The scalar's value. */
  readonly text: string;
  /** The place in the file of a range of `text`, UTF-16 offsets, end excluded. */
  readonly place: (start: number, end: number) => Place;
};
