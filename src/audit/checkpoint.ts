// Checkpoint: what stays of removed records. It bridges the gap that they leave in the chain, and its mark says that it was
// the log itself that removed them.
import type { LogKey } from "./key-file.ts";
import { markOf, sameText } from "./head-file.ts";

/** The removed records `first` to `last`: the hash before the first of them, and that of the last. */
export type Checkpoint = {
  readonly first: number;
  readonly last: number;
  readonly previous: string;
  readonly hash: string;
};

/** A checkpoint as it is stored. */
export type MarkedCheckpoint = Checkpoint & { readonly mark: string };

/** Marks a checkpoint as our own. */
export function markCheckpoint(checkpoint: Checkpoint, key: LogKey): MarkedCheckpoint {
  const { first, last, previous, hash } = checkpoint;
  return { ...checkpoint, mark: markOf(["checkpoint", first, last, previous, hash], key) };
}

/** Whether a checkpoint is one of our own. */
export function isOwnCheckpoint(checkpoint: MarkedCheckpoint, key: LogKey): boolean {
  return sameText(checkpoint.mark, markCheckpoint(checkpoint, key).mark);
}
