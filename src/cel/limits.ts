// The limits of expressions, each with its reason. Text from an agent reaches every stage of this room, so nothing
// here may take unbounded time, memory or stack; what is over a limit is refused (`rule.limit`) or unevaluable.

/** Bytes of one condition or definition as written; rules written by people stay far below it. */
export const WRITTEN_BYTES = 64 * 1024;

/** Bytes of a condition with its definitions put in; bounds what repeated use of definitions can build. */
export const EXPANDED_BYTES = 256 * 1024;

/** Nodes of one expression: room for 5,000 hosts three times over. */
export const NODES = 20_000;

/** Levels of nesting, of brackets as written and of the tree; recursion over a tree stays far from the stack's end. */
export const NESTING = 64;

/** Levels of brackets in an expanded text, where each of up to 64 levels of definitions adds its parentheses. */
export const EXPANDED_NESTING = 2 * NESTING;

/** Elements of a list literal, or entries of a map literal. */
export const LIST_ELEMENTS = 5_000;

/** Comprehensions within the body of one another; each level multiplies the work by the length of a list. */
export const COMPREHENSION_NESTING = 2;

/** Instructions of a pattern, in which a class counts what it costs to build; a match costs at most this for each character. */
export const PATTERN_INSTRUCTIONS = 2_000;

/** Atoms of a pattern with its repetitions written out. Beyond, compiling it costs too much only to find its program too
 * large: without alternatives, a program is never smaller than half of its atoms. */
export const PATTERN_ATOMS = 2 * PATTERN_INSTRUCTIONS;

/** The same of a pattern with alternatives, whose program may be smaller: `a|b|c` is one class. */
export const PATTERN_ALTERNATIVES = 4 * PATTERN_INSTRUCTIONS;

/** Instructions of all patterns of one expression; each takes time to compile and memory for as long as it is live. */
export const EXPRESSION_INSTRUCTIONS = 5 * PATTERN_INSTRUCTIONS;

/** Bytes of a text that a pattern is tried on; a match cannot be interrupted. */
export const PATTERN_TEXT_BYTES = 16 * 1024;

/** Steps of one condition; beyond, it is unevaluable. */
export const CONDITION_STEPS = 100_000;

/** Steps of one evaluation over all conditions; beyond, the request is blocked with no rule. */
export const EVALUATION_STEPS = 1_000_000;

/** Characters, or matched instructions, that one step pays for. */
export const STEP_CHARACTERS = 64;

/** No text of a timestamp, duration or time zone is longer; beyond, it is refused unread. */
export const TIME_TEXT_LENGTH = 128;

/** Levels of lists and maps in a static type; what is deeper is dyn, since the checker keeps every type it has seen. */
export const TYPE_NESTING = 3;
