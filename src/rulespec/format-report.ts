// Verification -> the text of `datalog_evaluation.txt`: the extracted values, the status of each predicate with its reason, and
// the totals. Text from outside is escaped, so it cannot add lines.
import { countOf } from "../core/count.ts";
import { escapeText, escapeWhole } from "../core/quote.ts";
import type { Answer } from "./predicate-answer.ts";
import { describeTest } from "./evaluate-predicates.ts";
import type { Extraction } from "./extract.ts";
import type { Claim } from "./rulespec.ts";
import { showValue } from "./show-value.ts";
import { treeOf } from "./value-tree.ts";
import type { Verification } from "./verify-envelope.ts";

/** How many values of a claim are shown. The program beside the report has all of them. */
export const SHOWN_VALUES = 20;

/** Writes the report. */
export function formatReport({ rulespec, answers, totals, outcome, extraction }: Verification): string {
  const { passed, failed, skipped, total } = totals;
  const lines = [
    "Facts extracted:",
    ...rulespec.claims.flatMap((claim) => describeClaim(claim, extraction)),
    "",
    "Predicates:",
    ...answers.flatMap(describeAnswer),
    "",
    `Totals: ${passed} passed, ${failed} failed, ${skipped} skipped, ${total} in all`,
    `Outcome: ${outcome}`,
  ];
  return `${lines.join("\n")}\n`;
}

function describeClaim(claim: Claim, extraction: Extraction): readonly string[] {
  const values = extraction.valuesOf(claim);
  const nulls = extraction.nullsOf(claim);
  const dropped = nulls === 0 ? "" : `, ${nulls} null dropped`;
  const count = `${countOf(values.length, "value")}${dropped}`;
  const more = values.length > SHOWN_VALUES ? [`    ... and ${values.length - SHOWN_VALUES} more`] : [];
  return [
    `  ${escapeText(claim.name)} (${escapeText(claim.selector.text)}): ${count}`,
    ...values.slice(0, SHOWN_VALUES).map((value) => `    ${showValue(value)}`),
    ...more,
  ];
}

function describeAnswer({ index, predicate, status, reason }: Answer): readonly string[] {
  const { claim, test, source, notes, when } = predicate;
  const { rule, value } = test;
  return [
    `  ${index}: ${status}`,
    `    source: ${source}`,
    `    rule: ${rule}`,
    `    claim: ${escapeText(claim.name)}`,
    `    expected: ${value === null ? "-" : showValue(treeOf(value))}`,
    ...(when === null ? [] : [`    when: ${escapeText(when.claim.name)} ${describeTest(when.test)}`]),
    `    reason: ${reason}`,
    ...(notes === null ? [] : [`    notes: ${escapeWhole(notes)}`]),
  ];
}
