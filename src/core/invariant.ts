// Bugs, and bugs alone, are thrown: through this one function, so that a search for it finds every assumption.

/** Throws when a condition that the code itself guarantees does not hold. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`invariant broken: ${message}`);
}

/** Names the branch that no value can reach; a new kind in a union makes the call fail to compile. */
export function unreachable(value: never): never {
  throw new Error(`invariant broken: unexpected value ${String(value)}`);
}
