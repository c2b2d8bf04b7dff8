// The syntax tree of an expression: immutable data, independent of the library that parsed it. Every node has a span in
// UTF-16 offsets of the text; parentheses around a node are not part of its span. A macro is one node. A chain of `&&` or
// of `||` is one node with all its operands.
import type { Span } from "../core/span.ts";
import type { Uint } from "./value.ts";

/** A value of a literal. */
export type LiteralValue = null | boolean | bigint | Uint | number | string | Uint8Array;

/** The operators with two operands, except the logical operators. */
export type BinaryOperator = "==" | "!=" | "<" | "<=" | ">" | ">=" | "in" | "+" | "-" | "*" | "/" | "%";

/** A literal; a minus directly on a number is part of it. */
type Literal = { readonly kind: "literal"; readonly value: LiteralValue; readonly span: Span };

/** A name: a variable, a namespace, a type, or the variable of a comprehension around it. */
export type Name = { readonly kind: "name"; readonly name: string; readonly span: Span };

/** A `$name`, in text that was parsed with references. */
type ReferenceNode = { readonly kind: "reference"; readonly name: string; readonly span: Span };

/** `operand.field`; `fieldSpan` is the field's name. */
export type Select = {
  readonly kind: "select";
  readonly operand: Tree;
  readonly field: string;
  readonly fieldSpan: Span;
  readonly span: Span;
};

/** `has(operand.field)`. */
export type Has = {
  readonly kind: "has";
  readonly operand: Tree;
  readonly field: string;
  readonly fieldSpan: Span;
  readonly span: Span;
};

/** `operand[index]`. */
type Index = { readonly kind: "index"; readonly operand: Tree; readonly index: Tree; readonly span: Span };

/** `name(args)`, or `receiver.name(args)`. */
export type Call = {
  readonly kind: "call";
  readonly name: string;
  readonly receiver: Tree | null;
  readonly args: readonly Tree[];
  readonly span: Span;
};

/** `!operand` or `-operand`. */
type Unary = {
  readonly kind: "unary";
  readonly operator: "!" | "-";
  readonly operand: Tree;
  readonly span: Span;
};

/** `left operator right`. */
export type Binary = {
  readonly kind: "binary";
  readonly operator: BinaryOperator;
  readonly left: Tree;
  readonly right: Tree;
  readonly span: Span;
};

/** A chain of two or more operands; none of them is a chain of the same operator. */
export type Logical = {
  readonly kind: "logical";
  readonly operator: "&&" | "||";
  readonly operands: readonly Tree[];
  readonly span: Span;
};

/** `condition ? then : otherwise`. */
type Conditional = {
  readonly kind: "conditional";
  readonly condition: Tree;
  readonly then: Tree;
  readonly otherwise: Tree;
  readonly span: Span;
};

/** `[elements]`. */
type List = { readonly kind: "list"; readonly elements: readonly Tree[]; readonly span: Span };

/** `{key: value}`. */
type MapLiteral = {
  readonly kind: "map";
  readonly entries: readonly { readonly key: Tree; readonly value: Tree }[];
  readonly span: Span;
};

/** The macros over a list or the keys of a map. */
export type Macro = "all" | "exists" | "exists_one" | "filter" | "map";

/** `range.macro(variable, predicate)`, `range.map(variable, transform)`, `range.map(variable, predicate, transform)`. */
export type Comprehension = {
  readonly kind: "comprehension";
  readonly macro: Macro;
  readonly range: Tree;
  readonly variable: string;
  readonly variableSpan: Span;
  /** Null only in a `map` with two arguments. */
  readonly predicate: Tree | null;
  /** Null except in `map`. */
  readonly transform: Tree | null;
  readonly span: Span;
};

/** The syntax of an expression. */
export type Tree =
  | Literal
  | Name
  | ReferenceNode
  | Select
  | Has
  | Index
  | Call
  | Unary
  | Binary
  | Logical
  | Conditional
  | List
  | MapLiteral
  | Comprehension;
