// Rulespec and facts -> the values that each claim selects, for the typed evaluation and for the program.
import type { Json } from "../core/json.ts";
import type { Claim, Rulespec } from "./rulespec.ts";
import { select } from "./select.ts";
import { treeOf, type ValueNode } from "./value-tree.ts";

/** The values that the claims of a rulespec select from the facts. */
export type Extraction = {
  /** The values of a claim in order, without nulls: null counts as absent everywhere. */
  readonly valuesOf: (claim: Claim) => readonly ValueNode[];
  /** How many values of a claim are null. */
  readonly nullsOf: (claim: Claim) => number;
};

/** Applies the selector of every claim once. */
export function extract(rulespec: Rulespec, facts: Json): Extraction {
  const tree = treeOf(facts);
  const selected = new Map(rulespec.claims.map((claim) => {
    const all = select(tree, claim.selector);
    return [claim, { all, values: all.filter(({ type }) => type !== "null") }];
  }));
  const valuesOf = (claim: Claim) => selected.get(claim)?.values ?? [];
  return { valuesOf, nullsOf: (claim) => (selected.get(claim)?.all.length ?? 0) - valuesOf(claim).length };
}
