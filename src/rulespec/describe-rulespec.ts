// Rulespec -> plain data, for stamps, reports and JSON output.
import type { Json } from "../core/json.ts";
import type { Predicate, Rulespec, Test } from "./rulespec.ts";

/** Everything in a rulespec, in its order. Equal for files with the same meaning. */
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

/** A test as written in a file; the value is null if the rule takes none. */
function testData({ rule, value }: Test): { readonly rule: string; readonly value: Json } {
  return { rule, value };
}
