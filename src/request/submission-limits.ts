// How large a submission of an agent may be; the daemon checks both before any of its text is parsed.

/** Most bytes of a submission, all its texts together. */
export const SUBMISSION_LIMIT_BYTES = 16 * 1024;

/** Most rules of a submission. */
export const SUBMISSION_LIMIT_RULES = 20;
