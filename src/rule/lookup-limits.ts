// What the index looks at of a request. About a request with a longer text or list every condition is evaluated: its
// conditions could be over their steps, which the index does not count.

/** The longest text, in code units. */
export const INDEXED_TEXT_LENGTH = 16_384;

/** The longest text whose start is looked up for a pattern: matching it costs far more than comparing it. */
export const INDEXED_PATTERN_LENGTH = 1_024;

/** The most elements of a list; agents may send half of that. */
export const INDEXED_ELEMENTS = 2_048;

/** Steps that a condition may take before its keys have made it false: half of what it may take at all. */
export const GUARD_STEPS = 50_000;

/** Most different keys of one map, and lengths of prefixes or suffixes of one text, that are looked up for each request. */
export const LOOKUPS_LIMIT = 64;
