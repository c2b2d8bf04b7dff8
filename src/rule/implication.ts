// Decides whether one condition implies another, by comparing their parts. A positive answer is certain. A negative answer may
// only mean that the search is too simple or that its budget is spent.
import { formatTree } from "../cel/format-tree.ts";
import type { Tree } from "../cel/tree.ts";
import { isTrue } from "./cannot-fail.ts";
import { literalValues } from "./lint-scope.ts";

/** Compares conditions, with a budget of comparisons, because nested conditions can make the search exponential. */
export class Implication {
  readonly #normals = new WeakMap<Tree, string>();
  #comparisons: number;

  constructor(comparisons: number) {
    this.#comparisons = comparisons;
  }

  /** Whether `then` is certainly true whenever `when` is true. */
  holds(when: Tree, then: Tree): boolean {
    if (isTrue(then) || this.#normal(when) === this.#normal(then)) return true;
    if (this.#comparisons-- <= 0) return false;
    const [given, wanted] = [operandsOf(when), operandsOf(then)];
    if (wanted.and.length > 0) return wanted.and.every((operand) => this.holds(when, operand));
    if (given.or.length > 0) return given.or.every((operand) => this.holds(operand, then));
    if (wanted.or.some((operand) => this.holds(when, operand))) return true;
    if (given.and.length > 0) return given.and.some((operand) => this.holds(operand, then));
    const [fewer, more] = [literalValues(when), literalValues(then)];
    return fewer !== null && more !== null && fewer.path === more.path && fewer.values.isSubsetOf(more.values);
  }

  #normal(tree: Tree): string {
    const known = this.#normals.get(tree);
    if (known !== undefined) return known;
    const normal = formatTree(tree);
    this.#normals.set(tree, normal);
    return normal;
  }
}

type Operands = { readonly and: readonly Tree[]; readonly or: readonly Tree[] };

// The operands of a chain, by its operator.
function operandsOf(tree: Tree): Operands {
  if (tree.kind !== "logical") return { and: [], or: [] };
  return tree.operator === "&&" ? { and: tree.operands, or: [] } : { and: [], or: tree.operands };
}
