// The limits of the index. It bounds the steps of the rules that it leaves out, and its bounds hold up to these sizes.

/** The longest list, in elements, and the longest text that a pattern is looked up for, in code units. */
export const INDEXED_LENGTH = 2_048;

/** Steps that a condition may take before its keys have made it false: half of what it may take at all. */
export const GUARD_STEPS = 50_000;

/** Most different keys of one map, and lengths of prefixes or suffixes of one text, that are looked up for each request. */
export const LOOKUPS_LIMIT = 64;
