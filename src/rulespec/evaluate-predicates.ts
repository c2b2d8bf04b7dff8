// Rulespec and extracted values -> answers, by typed evaluation. This evaluation defines the result; the Datalog program must
// give the same.
import type { Answer } from "./predicate-answer.ts";
import type { Extraction } from "./extract.ts";
import { judge, type Judgement } from "./judge.ts";
import type { Matcher } from "./matcher.ts";
import type { Claim, Predicate, Rulespec, Test } from "./rulespec.ts";
import { showValue } from "./show-value.ts";
import { treeOf } from "./value-tree.ts";

/** Evaluates every predicate. The answers are meaningless if the matcher has failed. */
export function evaluateTyped(rulespec: Rulespec, extraction: Extraction, matcher: Matcher): readonly Answer[] {
  const ask = (claim: Claim, test: Test): Asked => ({
    judgement: judge(test, extraction.valuesOf(claim), matcher),
    found: (judgement) => describeFound(claim, extraction, judgement),
  });
  return rulespec.predicates.map((predicate, index) => ({ index, predicate, ...answer(predicate, ask) }));
}

type Asked = { readonly judgement: Judgement; readonly found: (judgement: Judgement) => string };

function answer(
  { claim, test, when }: Predicate,
  ask: (claim: Claim, test: Test) => Asked,
): Pick<Answer, "status" | "reason"> {
  if (when !== null) {
    const { judgement, found } = ask(when.claim, when.test);
    if (!judgement.holds) {
      const condition = `${showName(when.claim)} ${describeTest(when.test)}`;
      return { status: "skip", reason: `its condition is not met: ${condition}, ${found(judgement)}` };
    }
  }
  const { judgement, found } = ask(claim, test);
  return { status: judgement.holds ? "pass" : "fail", reason: found(judgement) };
}

/** A rule with its value, such as `equals "a"`. */
export function describeTest({ rule, value }: Test): string {
  return value === null ? rule : `${rule} ${showValue(treeOf(value))}`;
}

function showName({ name }: Claim): string {
  return showValue({ type: "string", value: name });
}

function describeFound(claim: Claim, extraction: Extraction, { decisive }: Judgement): string {
  const [first, ...more] = extraction.valuesOf(claim);
  if (first === undefined) return extraction.nullsOf(claim) > 0 ? "found only null" : "found nothing";
  const shown = showValue(decisive ?? first);
  if (more.length === 0) return `found ${shown}`;
  const among = `${more.length + 1} values`;
  return decisive === undefined ? `found ${among}, the first is ${shown}` : `found ${shown} among ${among}`;
}
