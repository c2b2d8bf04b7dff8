// Converts the library's syntax tree to our own Tree, checks literals, and enforces the limits on the tree. Each node of the
// library is prepared for the library's checker on the way. NESTING bounds the recursion; chains are converted in loops.
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import type { Span } from "../core/span.ts";
import type { ASTNode } from "./library.ts";
import { prepareChain, prepareHas, prepareList, prepareMap, prepareNode } from "./library-check.ts";
import { COMPREHENSION_NESTING, NESTING, NODES } from "./limits.ts";
import { decodeBytes } from "./literal.ts";
import { INT_MAX, INT_MIN } from "./numbers.ts";
import { type CelProblem, celProblem } from "./cel-problem.ts";
import { isParenthesised } from "./nesting.ts";
import type { BinaryOperator, Comprehension, LiteralValue, Macro, Tree } from "./tree.ts";
import { Uint } from "./value.ts";

/** A tree with the number of its nodes. */
export type Converted = { readonly tree: Tree; readonly nodes: number };

/** Converts a whole expression. In `text`, the text as written, `$` still marks a reference. */
export function convert(root: ASTNode, text: string): Result<Converted, CelProblem> {
  const converter = new Converter(text);
  const tree = converter.convert(root, { outer: 0, comprehensions: 0 });
  return converter.problem === undefined ? ok({ tree, nodes: converter.nodes }) : err(converter.problem);
}

// How many nodes and comprehensions enclose a node.
type Level = { readonly outer: number; readonly comprehensions: number };

class Converter {
  readonly #text: string;
  nodes = 0;
  /** The first problem. If there is one, the tree must not be used. */
  problem: CelProblem | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  convert(node: ASTNode, level: Level): Tree {
    prepareNode(node);
    const span = { start: node.start, end: node.end };
    this.nodes++;
    if (this.problem !== undefined) return this.#stop(span);
    if (this.nodes > NODES) return this.#limit(`expression has more than ${NODES} nodes`, span);
    if (level.outer > NESTING) return this.#limit(`expression is nested deeper than ${NESTING} levels`, span);
    return this.#convertKind(node, span, { ...level, outer: level.outer + 1 });
  }

  #convertKind(node: ASTNode, span: Span, inner: Level): Tree {
    switch (node.op) {
      case "value":
        return this.#literal(node.args, span);
      case "id":
        return this.#name(node.args, span);
      case ".":
      case ".?":
        return this.#select(node.args[0], node.args[1], node, inner);
      case "[]":
      case "[?]": {
        const [operand, index] = node.args;
        return { kind: "index", operand: this.convert(operand, inner), index: this.convert(index, inner), span };
      }
      case "call":
        return this.#call(node, span, inner);
      case "rcall":
        return this.#method(node, span, inner);
      case "list":
        prepareList(node);
        return { kind: "list", elements: this.#all(node.args, inner), span };
      case "map": {
        prepareMap(node, node.args.map(([key]) => key));
        const entries = node.args.map(([key, value]) => ({
          key: this.convert(key, inner),
          value: this.convert(value, inner),
        }));
        return { kind: "map", entries, span };
      }
      case "?:": {
        const [condition, then, otherwise] = node.args;
        return {
          kind: "conditional",
          condition: this.convert(condition, inner),
          then: this.convert(then, inner),
          otherwise: this.convert(otherwise, inner),
          span,
        };
      }
      case "&&":
      case "||":
        return this.#chain(node, node.op, span, inner);
      case "!_":
        return { kind: "unary", operator: "!", operand: this.convert(node.args, inner), span };
      case "-_":
        return this.#minus(node.args, span, inner);
      default:
        return this.#binary(node.op, node.args, span, inner);
    }
  }

  #binary(operator: BinaryOperator, args: readonly [ASTNode, ASTNode], span: Span, inner: Level): Tree {
    if (isAmbiguous(operator, args, this.#text)) {
      const message = `${quote(operator)} and ${
        quote(args[1].op)
      } have the same precedence: put parentheses around one of them`;
      return this.#refuse("rule.cel-syntax", message, span);
    }
    return {
      kind: "binary",
      operator,
      left: this.convert(args[0], inner),
      right: this.convert(args[1], inner),
      span,
    };
  }

  #literal(value: ASTNode["args"], span: Span): Tree {
    const literal = literalValue(value, this.#text.slice(span.start, span.end));
    if (literal === undefined) return this.#refuse("rule.cel-syntax", "literal is malformed", span);
    if (typeof literal === "bigint" && literal > INT_MAX) return this.#outOfRange(span);
    return { kind: "literal", value: literal, span };
  }

  // A minus directly on a number is part of the literal: the only way to write -9223372036854775808.
  #minus(operand: ASTNode, span: Span, inner: Level): Tree {
    const value = operand.op === "value" ? operand.args : undefined;
    if (typeof value !== "bigint" && typeof value !== "number") {
      const tree = this.convert(operand, inner);
      // `- -0`: the text of a minus on a number always reads as one literal.
      if (tree.kind === "literal" && tree.value === 0n) return { ...tree, span };
      return { kind: "unary", operator: "-", operand: tree, span };
    }
    prepareNode(operand);
    if (typeof value === "bigint" && -value < INT_MIN) return this.#outOfRange(span);
    return { kind: "literal", value: -value, span };
  }

  #name(name: string, span: Span): Tree {
    if (this.#text.charAt(span.start) !== "$") return { kind: "name", name, span };
    return { kind: "reference", name: name.slice(1), span };
  }

  #select(operand: ASTNode, field: string, node: ASTNode, inner: Level): Tree {
    const span = { start: node.start, end: node.end };
    const fieldSpan = { start: node.pos, end: node.end };
    return { kind: "select", operand: this.convert(operand, inner), field, fieldSpan, span };
  }

  #call(node: ASTNode & { readonly op: "call" }, span: Span, inner: Level): Tree {
    const [name, args] = node.args;
    const [argument] = args;
    if (name !== "has" || argument === undefined || args.length > 1) {
      return { kind: "call", name, receiver: null, args: this.#all(args, inner), span };
    }
    prepareHas(node, argument);
    const tree = this.convert(argument, inner);
    if (tree.kind === "select") return { ...tree, kind: "has", span };
    if (tree.kind === "reference") return { kind: "call", name, receiver: null, args: [tree], span };
    return this.#refuse("rule.type", "has() takes a field, as in has(http.method)", tree.span);
  }

  #method(node: ASTNode & { readonly op: "rcall" }, span: Span, inner: Level): Tree {
    const [name, receiver, args] = node.args;
    if (isMacro(name, args.length)) return this.#comprehension(name, receiver, args, span, inner);
    const receiverTree = this.convert(receiver, inner);
    return { kind: "call", name, receiver: receiverTree, args: this.#all(args, inner), span };
  }

  #comprehension(macro: Macro, receiver: ASTNode, args: readonly ASTNode[], span: Span, inner: Level): Tree {
    const range = this.convert(receiver, inner);
    const [variable, second, third] = args;
    const within = { ...inner, comprehensions: inner.comprehensions + 1 };
    if (within.comprehensions > COMPREHENSION_NESTING) {
      return this.#limit(`more than ${COMPREHENSION_NESTING} comprehensions within one another`, span);
    }
    if (variable?.op !== "id" || second === undefined) {
      return this.#refuse("rule.cel-syntax", `${macro}() needs the name of a variable first`, span);
    }
    prepareNode(variable);
    const variableSpan = { start: variable.start, end: variable.end };
    if (this.#text.charAt(variable.start) === "$") {
      return this.#refuse("rule.cel-syntax", "a definition is an expression and cannot be a variable", variableSpan);
    }
    const body = this.convert(second, within);
    const last = third === undefined ? null : this.convert(third, within);
    const parts: Pick<Comprehension, "predicate" | "transform"> = macro === "map"
      ? (last === null ? { predicate: null, transform: body } : { predicate: body, transform: last })
      : { predicate: body, transform: null };
    return { kind: "comprehension", macro, range, variable: variable.args, variableSpan, ...parts, span };
  }

  // The library nests `a && b && c` as &&(&&(a, b), c): a long flat chain would become thousands of levels.
  #chain(node: ASTNode, operator: "&&" | "||", span: Span, inner: Level): Tree {
    const nodes: ASTNode[] = [];
    const waiting: ASTNode[] = [node];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (next.op === "&&" || next.op === "||") {
        prepareNode(next);
        if (next.op === operator) {
          waiting.push(next.args[1], next.args[0]);
          continue;
        }
      }
      nodes.push(next);
    }
    prepareChain(node, nodes);
    this.nodes += nodes.length - 2;
    return { kind: "logical", operator, operands: this.#all(nodes, inner), span };
  }

  #all(nodes: readonly ASTNode[], inner: Level): readonly Tree[] {
    return nodes.map((node) => this.convert(node, inner));
  }

  #outOfRange(span: Span): Tree {
    const text = quote(this.#text.slice(span.start, span.end));
    return this.#refuse("rule.cel-syntax", `integer out of range: ${text}`, span);
  }

  #limit(message: string, span: Span): Tree {
    return this.#refuse("rule.limit", message, span);
  }

  #refuse(code: CelProblem["code"], message: string, span: Span): Tree {
    this.problem ??= celProblem(code, message, span);
    return this.#stop(span);
  }

  #stop(span: Span): Tree {
    return { kind: "literal", value: null, span };
  }
}

const ORDERS: ReadonlySet<string> = new Set(["<", "<=", ">", ">=", "in"]);

// CEL reads `a == b < c` as (a == b) < c, the library as a == (b < c). The expression is refused, so that it cannot mean
// something else than its author thinks.
function isAmbiguous(operator: BinaryOperator, [left, right]: readonly [ASTNode, ASTNode], text: string): boolean {
  const equality = operator === "==" || operator === "!=";
  return equality && ORDERS.has(right.op) && !isParenthesised(text, left.end, right);
}

function isMacro(name: string, args: number): name is Macro {
  switch (name) {
    case "all":
    case "exists":
    case "exists_one":
    case "filter":
      return args === 2;
    case "map":
      return args === 2 || args === 3;
    default:
      return false;
  }
}

function literalValue(value: unknown, text: string): LiteralValue | undefined {
  switch (typeof value) {
    case "string":
    case "bigint":
    case "number":
    case "boolean":
      return value;
  }
  if (value === null) return null;
  if (value instanceof Uint8Array) return decodeBytes(text);
  const plain = typeof value === "object" ? value.valueOf() : undefined;
  return typeof plain === "bigint" ? new Uint(plain) : undefined;
}
