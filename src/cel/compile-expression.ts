// Tree -> Predicate: compiles an expression to closures over an activation. Literals, patterns and slots are resolved here,
// once. The closures never throw.
import { unreachable } from "../core/invariant.ts";
import type { Cidr, IpAddress } from "../core/ip-address.ts";
import { add, divide, multiply, negate, remainder, subtract } from "./arithmetic.ts";
import type { Checked } from "./check-expression.ts";
import {
  compileGiven,
  compileHas,
  compileIn,
  compileIndex,
  compileLocal,
  compileSelect,
  compileSlot,
} from "./compile-access.ts";
import { compileList, compileMap } from "./compile-aggregate.ts";
import { compileEquals, compileOrder, compileUnequal } from "./compile-compare.ts";
import { compileExistsOne, compileQuantifier, compileSelection } from "./compile-comprehension.ts";
import { compileWithLiteral } from "./compile-text.ts";
import { compileChain, compileConditional, compileNot } from "./compile-logic.ts";
import type { Environment, Slot } from "./environment.ts";
import { FUNCTIONS } from "./functions.ts";
import { readConstant } from "./network-functions.ts";
import type { Parsed } from "./parse-expression.ts";
import { NO_PATTERNS, type Patterns } from "./pattern.ts";
import { allValues, constantStep, failingStep, type Run, type Step, strictPair, strictStep, worstOf } from "./steps.ts";
import type { BinaryOperator, Call, Comprehension, Has, Select, Tree } from "./tree.ts";
import { NO_VALUE, TYPE_NAMES, TypeValue } from "./value.ts";

/** A compiled condition. */
export type Predicate = { readonly run: Run; readonly cost: number };

/** The names of an environment, the only part of it that compiling needs. */
type Names = Pick<Environment, "namespaces" | "variables">;

/** Compiles a checked expression for the environment that it was checked in. */
export function compile(checked: Pick<Checked, "tree" | "patterns">, environment: Names): Predicate {
  return compileTree(checked.tree, environment, checked.patterns);
}

/** Compiles an expression that was not checked: wrong names and types then fail when the expression is evaluated. */
export function compileUnchecked(parsed: Parsed, environment: Environment): Predicate {
  return compileTree(parsed.tree, environment, NO_PATTERNS);
}

function compileTree(tree: Tree, environment: Names, patterns: Patterns): Predicate {
  const { run, cost } = new Compiler(environment, patterns).compile(tree);
  return { run, cost };
}

class Compiler {
  readonly #environment: Names;
  readonly #patterns: Patterns;
  /** The variables of the enclosing comprehensions, outermost first. */
  readonly #locals: string[] = [];

  constructor(environment: Names, patterns: Patterns) {
    this.#environment = environment;
    this.#patterns = patterns;
  }

  compile(tree: Tree): Step {
    switch (tree.kind) {
      case "literal":
        return constantStep(tree.value);
      case "name":
        return this.#name(tree.name);
      case "reference":
        return failingStep("definition is not expanded");
      case "select":
        return this.#select(tree);
      case "has":
        return this.#has(tree);
      case "index":
        return compileIndex(this.compile(tree.operand), this.compile(tree.index));
      case "call":
        return this.#call(tree);
      case "unary":
        return tree.operator === "!"
          ? compileNot(this.compile(tree.operand))
          : strictStep(this.compile(tree.operand), negate);
      case "binary":
        return compileBinary(tree.operator, this.compile(tree.left), this.compile(tree.right));
      case "logical":
        return compileChain(this.#all(tree.operands), tree.operator === "||");
      case "conditional":
        return compileConditional(this.compile(tree.condition), this.compile(tree.then), this.compile(tree.otherwise));
      case "list":
        return compileList(this.#all(tree.elements));
      case "map":
        return compileMap(
          tree.entries.map(({ key, value }) => ({ key: this.compile(key), value: this.compile(value) })),
        );
      case "comprehension":
        return this.#comprehension(tree);
    }
  }

  #all(trees: readonly Tree[]): readonly Step[] {
    return trees.map((tree) => this.compile(tree));
  }

  #name(name: string): Step {
    const local = this.#locals.lastIndexOf(name);
    if (local >= 0) return compileLocal(local);
    const slot = this.#environment.variables.get(name);
    if (slot !== undefined) return compileSlot(slot.index);
    if (TYPE_NAMES.has(name)) return constantStep(new TypeValue(name));
    return failingStep(`unknown name: ${name}`);
  }

  #select(tree: Select): Step {
    const field = this.#field(tree);
    if (field !== undefined) return compileSlot(field.index);
    const qualified = this.#qualified(tree);
    if (qualified !== undefined) return qualified;
    return compileSelect(this.compile(tree.operand), tree.field);
  }

  #has(tree: Has): Step {
    const field = this.#field(tree);
    return field === undefined ? compileHas(this.compile(tree.operand), tree.field) : compileGiven(field.index);
  }

  // The slot of `namespace.field`.
  #field({ operand, field }: Select | Has): Slot | undefined {
    if (operand.kind !== "name" || this.#locals.includes(operand.name)) return undefined;
    return this.#environment.namespaces.get(operand.name)?.fields.get(field);
  }

  // A variable or type whose name has dots, such as google.protobuf.Timestamp.
  #qualified(tree: Select): Step | undefined {
    const name = qualifiedName(tree);
    if (name === undefined || this.#locals.includes(name.slice(0, name.indexOf(".")))) return undefined;
    const slot = this.#environment.variables.get(name);
    if (slot !== undefined) return compileSlot(slot.index);
    return TYPE_NAMES.has(name) ? constantStep(new TypeValue(name)) : undefined;
  }

  #call(tree: Call): Step {
    const found = FUNCTIONS.get(tree.name);
    const address = literalAddress(tree);
    if (address !== null && tree.receiver === null) return constantStep(address, 2);
    const args = address === null ? this.#all(tree.args) : [constantStep(address)];
    const values = tree.receiver === null ? args : [this.compile(tree.receiver), ...args];
    const style = tree.receiver === null ? "global" : "method";
    if (
      found === undefined || !found.arity.includes(values.length) || (found.style !== "both" && found.style !== style)
    ) {
      return failingStep(`unknown function: ${tree.name}`);
    }
    const [first, second] = values;
    if (first !== undefined && second !== undefined && values.length === 2) {
      const withLiteral = compileWithLiteral(tree.name, { text: first, literal: second, patterns: this.#patterns });
      if (withLiteral !== undefined) return withLiteral;
    }
    const { run } = found;
    if (first !== undefined && values.length === 1) {
      return strictStep(first, (value, activation) => run([value], activation));
    }
    if (first !== undefined && second !== undefined && values.length === 2) {
      return strictPair(first, second, (a, b, activation) => run([a, b], activation));
    }
    return {
      cost: values.reduce((cost, value) => cost + value.cost, 1),
      run: (activation) => {
        const terms = values.map((value) => value.run(activation));
        return allValues(terms) ? run(terms, activation) : worstOf(terms) ?? NO_VALUE;
      },
    };
  }

  #comprehension(tree: Comprehension): Step {
    const range = this.compile(tree.range);
    const local = this.#locals.push(tree.variable) - 1;
    const predicate = tree.predicate === null ? null : this.compile(tree.predicate);
    const transform = tree.transform === null ? null : this.compile(tree.transform);
    this.#locals.pop();
    const parts = { range, local, predicate, transform };
    switch (tree.macro) {
      case "all":
      case "exists":
        return compileQuantifier(parts, predicate ?? constantStep(true), tree.macro === "exists");
      case "exists_one":
        return compileExistsOne(parts);
      case "filter":
      case "map":
        return compileSelection(parts);
    }
  }
}

// The literal address or network of a call, which is read once and not for every request.
function literalAddress({ name, receiver, args }: Call): IpAddress | Cidr | null {
  const [text] = args;
  const isMethod = name === "containsIP" || name === "containsCIDR";
  if (args.length !== 1 || text?.kind !== "literal" || typeof text.value !== "string") return null;
  const read = isMethod === (receiver !== null) ? readConstant(name, text.value) : null;
  return typeof read === "string" ? null : read;
}

function compileBinary(operator: BinaryOperator, left: Step, right: Step): Step {
  switch (operator) {
    case "==":
      return compileEquals(left, right);
    case "!=":
      return compileUnequal(left, right);
    case "<":
    case "<=":
    case ">":
    case ">=":
      return compileOrder(operator, left, right);
    case "in":
      return compileIn(left, right);
    case "+":
      return strictPair(left, right, add);
    case "-":
      return strictPair(left, right, subtract);
    case "*":
      return strictPair(left, right, multiply);
    case "/":
      return strictPair(left, right, divide);
    case "%":
      return strictPair(left, right, remainder);
    default:
      return unreachable(operator);
  }
}

function qualifiedName({ operand, field }: Select): string | undefined {
  if (operand.kind === "name") return `${operand.name}.${field}`;
  const outer = operand.kind === "select" ? qualifiedName(operand) : undefined;
  return outer === undefined ? undefined : `${outer}.${field}`;
}
