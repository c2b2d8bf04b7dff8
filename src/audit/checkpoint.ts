// Checkpoint: the replacement for removed records. It bridges the gap that they leave in the chain, and its mark proves that
// the log itself removed them.
import type { LogKey } from "./key-file.ts";
import { markOf, sameText } from "./head-file.ts";

/** The removed records `first` to `last`, with the hash before the first and the hash of the last. */
export type Checkpoint = {
  readonly first: number;
  readonly last: number;
  readonly previous: string;
  readonly hash: string;
};

/** A checkpoint as it is stored. */
export type MarkedCheckpoint = Checkpoint & { readonly mark: string };

/** Marks a checkpoint with the key of the log. */
export function markCheckpoint(checkpoint: Checkpoint, key: LogKey): MarkedCheckpoint {
  const { first, last, previous, hash } = checkpoint;
  return { ...checkpoint, mark: markOf(["checkpoint", first, last, previous, hash], key) };
}

/** Whether a checkpoint has the mark of the log's key. */
export function isOwnCheckpoint(checkpoint: MarkedCheckpoint, key: LogKey): boolean {
  return sameText(checkpoint.mark, markCheckpoint(checkpoint, key).mark);
}
