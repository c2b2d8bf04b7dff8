// The statements of the Datalog subset. Comments are statements too, so a program can be parsed and written again byte for
// byte.

/** A constant: a 32-bit integer or a symbol, which is any text. */
export type Constant = number | string;

/** A variable. Each `_` stands for any value and is independent of every other `_`. */
export type Variable = { readonly variable: string };

/** A term: a constant or a variable. */
export type Term = Constant | Variable;

/** A relation applied to terms. */
export type Atom = { readonly relation: string; readonly terms: readonly Term[] };

/** A part of a rule's body: an atom, an atom that must not hold, or two terms that must differ. */
export type Literal =
  | { readonly kind: "atom"; readonly atom: Atom }
  | { readonly kind: "not"; readonly atom: Atom }
  | { readonly kind: "differ"; readonly left: Term; readonly right: Term };

/** A rule: the head holds for all values for which the whole body holds. */
export type Rule = { readonly kind: "rule"; readonly head: Atom; readonly body: readonly Literal[] };

/** A fact. */
export type Fact = { readonly kind: "fact"; readonly relation: string; readonly values: readonly Constant[] };

/** The type of a column. */
export type ColumnType = "number" | "symbol";

/** A relation with its columns. */
export type Declaration = {
  readonly kind: "declaration";
  readonly relation: string;
  readonly columns: readonly { readonly name: string; readonly type: ColumnType }[];
};

/** One statement of a program, which is one line of its text. */
export type Statement =
  | Fact
  | Rule
  | Declaration
  | { readonly kind: "output"; readonly relation: string }
  | { readonly kind: "comment"; readonly text: string }
  | { readonly kind: "blank" };

/** The name of the variable that stands for any value. */
export const ANYTHING = "_";

/** Whether a term is a variable. */
export function isVariable(term: Term): term is Variable {
  return typeof term === "object";
}

/** Whether a term is a constant. */
export function isConstant(term: Term): term is Constant {
  return typeof term !== "object";
}

/** The least and the greatest number of a program. Both dialects have 32-bit integers. */
export const NUMBER_RANGE = { least: -(2 ** 31), greatest: 2 ** 31 - 1 };
