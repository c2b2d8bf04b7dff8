// The limits of expressions. Text from an agent reaches every stage of this room, so nothing here may take unbounded time,
// memory or stack. An expression over a limit is refused (`rule.limit`) or unevaluable.

/** Bytes of one condition or definition as written. Rules that people write stay far below it. */
export const WRITTEN_BYTES = 64 * 1024;

/** Bytes of a condition after its definitions were inserted, since definitions can be used many times. */
export const EXPANDED_BYTES = 256 * 1024;

/** Nodes of one expression: enough for three lists of 5,000 hosts. */
export const NODES = 20_000;

/** Levels of nesting, of brackets as written and of the tree, so that recursion over a tree cannot overflow the stack. */
export const NESTING = 64;

/** Levels of brackets in an expanded text: each of up to 64 levels of definitions adds a pair of parentheses. */
export const EXPANDED_NESTING = 2 * NESTING;

/** Elements of a list literal, or entries of a map literal. */
export const LIST_ELEMENTS = 5_000;

/** Comprehensions nested in one another: each level multiplies the work by the length of a list. */
export const COMPREHENSION_NESTING = 2;

/** Instructions of a pattern. A class counts as its cost of building. A match takes time for each instruction and character. */
export const PATTERN_INSTRUCTIONS = 2_000;

/** Atoms of a pattern with its repetitions written out. Without alternatives, a program has at least half as many
 * instructions as atoms, so a pattern over this limit is too large and need not be compiled to find that out. */
export const PATTERN_ATOMS = 2 * PATTERN_INSTRUCTIONS;

/** The same limit for a pattern with alternatives, whose program may be smaller: `a|b|c` becomes one class. */
export const PATTERN_ALTERNATIVES = 4 * PATTERN_INSTRUCTIONS;

/** Instructions of all patterns of one expression: each takes time to compile, and memory as long as the rule is loaded. */
export const EXPRESSION_INSTRUCTIONS = 5 * PATTERN_INSTRUCTIONS;

/** Bytes of a text that a pattern is matched against, since a match cannot be interrupted. */
export const PATTERN_TEXT_BYTES = 16 * 1024;

/** Steps of one condition. A condition that needs more is unevaluable. */
export const CONDITION_STEPS = 100_000;

/** Steps of all conditions of one evaluation. If they need more, the request is blocked and no rule is named. */
export const EVALUATION_STEPS = 1_000_000;

/** Characters, or instructions of a match, that one step pays for. */
export const STEP_CHARACTERS = 64;

/** Characters of a timestamp, duration or time zone. A longer text is refused without reading it. */
export const TIME_TEXT_LENGTH = 128;

/** Levels of lists and maps in a static type. Deeper levels are dyn, because the checker keeps every type it has seen. */
export const TYPE_NESTING = 3;
