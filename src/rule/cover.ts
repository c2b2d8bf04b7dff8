// Finds the earlier rules that always decide before a rule that is to be added. Every result is certain. The search may miss
// a cover, which is harmless: the new rule then never matches. All work is counted, because an agent chooses the new rule and
// an operator may have thousands of rules.
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

/** The members of an earlier rule that the search needs. */
export type Earlier = Pick<Rule, "id" | "file" | "action" | "normal" | "expires">;

/** The limits of one search; beyond them, only rules with the same condition or a literal `true` are found. */
export type CoverLimits = {
  /** Searches for a part of the candidate in the text of a rule, which take some tens of nanoseconds each. */
  readonly looks: number;
  /** Conditions that are parsed because their text contains such a part. */
  readonly parses: number;
  /** Comparisons of two parts. */
  readonly comparisons: number;
};

/** The limits of one search, which together block the thread for less than 100 ms. */
export const COVER_LIMITS: CoverLimits = { looks: 200_000, parses: 500, comparisons: 20_000 };

/** A search for the covers of the rules of one proposal, with one budget for all of them. */
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

  /** Returns the earlier rules that always decide before the candidate, in evaluation order. */
  find<E extends Earlier>(candidate: Candidate, earlier: readonly E[]): readonly E[] {
    const parts = partsOf(candidate.tree);
    const lastHook = earlier.findLastIndex((rule) => rule.action === "enrich");
    return earlier.filter((rule, position) => {
      // A rule that ends decides before the candidate only until then.
      if (rule.action === "enrich" || rule.expires !== null) return false;
      if (rule.normal === "true") return true;
      const tree = rule.normal === candidate.normal ? candidate.tree : this.#likelyTree(rule.normal, parts);
      // A hook in between may change the values that the earlier rule reads.
      if (tree === null || (position < lastHook && readsHooks(tree))) return false;
      // A block rule that cannot be evaluated blocks, so it can decide even if its condition is not true.
      if (candidate.action === "block" && !cannotFail(candidate.tree)) {
        return rule.action === "block" && rule.normal === candidate.normal;
      }
      return this.#implication.holds(candidate.tree, tree);
    });
  }

  // Parses a condition that shares a part with the candidate; without a shared part the candidate cannot imply it.
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

// Texts that a condition contains all of.
type Part = readonly string[];

// The parts of a condition. A condition implied by it contains at least one: the same text, or a field and one of its values.
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
