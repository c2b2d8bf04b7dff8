// The limits of the index. Its bounds on the steps of a rule hold for lists and texts up to these sizes.

/** The most elements of a list, and the most code units of a text that patterns are looked up for. */
export const INDEXED_LENGTH = 2_048;

/** The most steps until a condition is false for lack of its keys: half of the limit of a condition. */
export const GUARD_STEPS = 50_000;

/** The most keys of one map, and the most lengths of prefixes or suffixes of one text, that are looked up for a request. */
export const LOOKUPS_LIMIT = 64;
