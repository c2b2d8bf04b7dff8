// Rulespec -> plain data: what a stamp covers, and what reports and JSON show of a predicate.
import type { Json } from "../core/json.ts";
import type { Predicate, Rulespec, Test } from "./rulespec.ts";

/** Everything that a rulespec says, in its order; equal for files that say the same. */
export function rulespecData({ claims, predicates }: Rulespec): Json {
  return {
    claims: claims.map(({ name, selector }) => ({ name, selector: selector.text })),
    predicates: predicates.map(predicateData),
  };
}

function predicateData({ claim, test, source, notes, when }: Predicate): Json {
  const condition = when === null ? null : { claim: when.claim.name, ...testData(when.test) };
  return { claim: claim.name, ...testData(test), source, notes, when: condition };
}

/** A test as it stands in a file; null where its rule takes no value. */
function testData({ rule, value }: Test): { readonly rule: string; readonly value: Json } {
  return { rule, value };
}
