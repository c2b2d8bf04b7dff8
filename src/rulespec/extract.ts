// Rulespec and facts -> the values that each claim selects. Both evaluations, the typed one and the program's, begin here.
import type { Json } from "../core/json.ts";
import type { Claim, Rulespec } from "./rulespec.ts";
import { select } from "./select.ts";
import { treeOf, type ValueNode } from "./value-tree.ts";

/** What the claims of a rulespec select of the facts. */
export type Extraction = {
  /** The values of a claim in order, nulls dropped: null counts as absent everywhere (rulespec.md 3). */
  readonly valuesOf: (claim: Claim) => readonly ValueNode[];
  /** How many values of a claim are null. */
  readonly nullsOf: (claim: Claim) => number;
};

/** Follows every claim's selector once. */
export function extract(rulespec: Rulespec, facts: Json): Extraction {
  const tree = treeOf(facts);
  const selected = new Map(rulespec.claims.map((claim) => {
    const all = select(tree, claim.selector);
    return [claim, { all, values: all.filter(({ type }) => type !== "null") }];
  }));
  const valuesOf = (claim: Claim) => selected.get(claim)?.values ?? [];
  return { valuesOf, nullsOf: (claim) => (selected.get(claim)?.all.length ?? 0) - valuesOf(claim).length };
}
