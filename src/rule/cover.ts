// A rule that is to be added, and the rules that come before it -> those of them that always decide before it does. What is
// found is certain; a cover that takes more thought than this is not found, which does no harm: the rule is merely dead.
import { formatTree } from "../cel/format.ts";
import { formatLiteral } from "../cel/literal.ts";
import { parse } from "../cel/parse.ts";
import type { LiteralValue, Tree } from "../cel/tree.ts";
import { cannotFail, isTrue } from "./analyze-reach.ts";
import { literalValues } from "./analyze-scope.ts";
import type { Rule } from "./rule-set.ts";
import { readsHooks } from "./tree-facts.ts";

/** The rule to be added. */
export type Candidate = { readonly action: "allow" | "block"; readonly tree: Tree; readonly normal: string };

/** What is needed of a rule before it. */
export type Earlier = Pick<Rule, "id" | "file" | "action" | "normal">;

/** Most parts of a condition that are looked for in other rules: far above what a person writes. */
export const PARTS_LIMIT = 200;

/** Most comparisons of parts for one candidate: nested conditions of a hostile text would have more than can be made. */
export const COMPARISONS_LIMIT = 100_000;

/** The rules that always decide before the candidate, of those that come before it, in evaluation order. */
export function findCovers<E extends Earlier>(candidate: Candidate, earlier: readonly E[]): readonly E[] {
  const parts = partsOf(candidate.tree);
  const lastHook = earlier.findLastIndex((rule) => rule.action === "enrich");
  const implication = new Implication();
  return earlier.filter((rule, position) => {
    if (rule.action === "enrich") return false;
    if (rule.normal === "true") return true;
    if (!parts.some((part) => rule.normal.includes(part))) return false;
    const parsed = parse(rule.normal);
    if (!parsed.ok) return false;
    const { tree } = parsed.value;
    // A hook in between may change what the earlier rule saw.
    if (position < lastHook && readsHooks(tree)) return false;
    // A block that cannot be evaluated blocks: it may decide although it is not true.
    if (candidate.action === "block" && !cannotFail(candidate.tree)) {
      return rule.action === "block" && rule.normal === candidate.normal;
    }
    return implication.holds(candidate.tree, tree);
  });
}

// Texts of which a rule that covers the tree must have at least one; none where the tree has too many.
function partsOf(tree: Tree): readonly string[] {
  const parts = new Set<string>();
  const waiting: Tree[] = [tree];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.kind === "logical") {
      waiting.push(...next.operands);
      continue;
    }
    parts.add(formatTree(next));
    for (const value of literalValues(next)?.values ?? []) {
      if (isLiteral(value)) parts.add(formatLiteral(value));
    }
    if (parts.size > PARTS_LIMIT) return [];
  }
  return [...parts];
}

function isLiteral(value: unknown): value is LiteralValue {
  return typeof value === "string" || typeof value === "bigint" || typeof value === "boolean";
}

class Implication {
  readonly #normals = new WeakMap<Tree, string>();
  #left = COMPARISONS_LIMIT;

  // Whether `then` is true wherever `when` is.
  holds(when: Tree, then: Tree): boolean {
    if (--this.#left < 0) return false;
    if (isTrue(then) || this.#normal(when) === this.#normal(then)) return true;
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

// The operands of a chain, under its operator.
function operandsOf(tree: Tree): Operands {
  if (tree.kind !== "logical") return { and: [], or: [] };
  return tree.operator === "&&" ? { and: tree.operands, or: [] } : { and: [], or: tree.operands };
}
