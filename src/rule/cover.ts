// A rule that is to be added, and the rules that come before it -> those of them that always decide before it does. What is
// found is certain; a cover that takes more thought than this is not found, which does no harm: the rule is merely dead. An
// agent chooses the rule and an operator's rules may be many, so all of the search is counted.
import { formatTree } from "../cel/format-tree.ts";
import { formatLiteral } from "../cel/literal.ts";
import { parse } from "../cel/parse-expression.ts";
import type { LiteralValue, Tree } from "../cel/tree.ts";
import { cannotFail } from "./cannot-fail.ts";
import { Implication } from "./implication.ts";
import { literalValues } from "./lint-scope.ts";
import type { Rule } from "./rule-set.ts";
import { readsHooks } from "./tree-facts.ts";

/** The rule to be added. */
export type Candidate = { readonly action: "allow" | "block"; readonly tree: Tree; readonly normal: string };

/** What is needed of a rule before it. */
export type Earlier = Pick<Rule, "id" | "file" | "action" | "normal" | "expires">;

/** What one search may cost; beyond, only rules that say the same or are literally true are found. */
export type CoverLimits = {
  /** Looks for a part of the candidate in the text of a rule: some tens of nanoseconds each. */
  readonly looks: number;
  /** Conditions that are parsed again because they have such a part. */
  readonly parses: number;
  /** Comparisons of two parts. */
  readonly comparisons: number;
};

/** The limits of one search: all of them together hold the thread for less than 100 ms. */
export const COVER_LIMITS: CoverLimits = { looks: 200_000, parses: 500, comparisons: 20_000 };

/** A search for what covers the rules of one proposal, one after the other. */
export class CoverSearch {
  readonly #parsed = new Map<string, Tree | null>();
  #looks: number;
  #parses: number;
  readonly #implication: Implication;

  constructor({ looks, parses, comparisons }: CoverLimits = COVER_LIMITS) {
    this.#looks = looks;
    this.#parses = parses;
    this.#implication = new Implication(comparisons);
  }

  /** The rules that always decide before the candidate, of those that come before it, in evaluation order. */
  find<E extends Earlier>(candidate: Candidate, earlier: readonly E[]): readonly E[] {
    const parts = partsOf(candidate.tree);
    const lastHook = earlier.findLastIndex((rule) => rule.action === "enrich");
    return earlier.filter((rule, position) => {
      // A rule that ends decides before the candidate only until then.
      if (rule.action === "enrich" || rule.expires !== null) return false;
      if (rule.normal === "true") return true;
      const tree = rule.normal === candidate.normal ? candidate.tree : this.#likelyTree(rule.normal, parts);
      // A hook in between may change what the earlier rule saw.
      if (tree === null || (position < lastHook && readsHooks(tree))) return false;
      // A block that cannot be evaluated blocks: it may decide although it is not true.
      if (candidate.action === "block" && !cannotFail(candidate.tree)) {
        return rule.action === "block" && rule.normal === candidate.normal;
      }
      return this.#implication.holds(candidate.tree, tree);
    });
  }

  // The tree of a condition that has a part of the candidate's, without which it cannot follow from it.
  #likelyTree(normal: string, parts: readonly Part[]): Tree | null {
    if (this.#looks <= 0) return null;
    if (!parts.some((part) => this.#hasAll(normal, part))) return null;
    const known = this.#parsed.get(normal);
    if (known !== undefined || this.#parses-- <= 0) return known ?? null;
    const parsed = parse(normal);
    const tree = parsed.ok ? parsed.value.tree : null;
    this.#parsed.set(normal, tree);
    return tree;
  }

  #hasAll(normal: string, part: Part): boolean {
    return part.every((text) => this.#looks-- > 0 && normal.includes(text));
  }
}

// Texts that a condition has all of.
type Part = readonly string[];

// The parts of a condition; one that follows from it has at least one of them: the same text, or a field and a value of it.
function partsOf(tree: Tree): readonly Part[] {
  const parts: Part[] = [];
  const waiting: Tree[] = [tree];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.kind === "logical") {
      waiting.push(...next.operands);
      continue;
    }
    parts.push([formatTree(next)]);
    const { path, values } = literalValues(next) ?? { path: "", values: [] };
    for (const value of values) {
      if (isLiteral(value)) parts.push([path, formatLiteral(value)]);
    }
  }
  return parts;
}

function isLiteral(value: unknown): value is LiteralValue {
  return typeof value === "string" || typeof value === "bigint" || typeof value === "boolean";
}
