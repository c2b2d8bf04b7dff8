// Only bugs are thrown, and only by these functions, so that a search finds every assumption of the code.

/** Throws when a condition that the code itself guarantees does not hold. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`invariant broken: ${message}`);
}

/** Names the branch that no value can reach; a new kind in a union makes the call fail to compile. */
export function unreachable(value: never): never {
  throw new Error(`invariant broken: unexpected value ${String(value)}`);
}
