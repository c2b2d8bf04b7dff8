// The limits of an agent's submission. The daemon checks both before it parses any of the text.

/** Most bytes of a submission, all its texts together. */
export const SUBMISSION_LIMIT_BYTES = 16 * 1024;

/** Most rules of a submission. */
export const SUBMISSION_LIMIT_RULES = 20;
