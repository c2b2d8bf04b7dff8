import { expect, test } from "bun:test";
import { formatReport, SHOWN_VALUES } from "../../src/rulespec/format-report.ts";
import { escapeWhole } from "../../src/core/quote.ts";
import { HOSTILE_TEXTS } from "../support/generate/rulespec.ts";
import { verified } from "../support/rulespec/rulespec.ts";
import { COMPLETE_ENVELOPE, COMPLETE_RULESPEC } from "../support/rulespec/complete.ts";

function reportOf(rulespec: string, envelope: string): string {
  return formatReport(verified(rulespec, envelope));
}

test("formatReport: facts, predicates, totals, outcome", () => {
  expect(reportOf(COMPLETE_RULESPEC, COMPLETE_ENVELOPE.replace("src/import/csv.rs", "lib/csv.rs"))).toBe(
    `Facts extracted:
  caps (csv_importer.capabilities): 1 value
    ["handle_csv","handle_tsv"]
  file (csv_importer.file): 1 value
    "lib/csv.rs"
  tests (csv_importer.tests): 1 value
    ["test_csv","test_tsv"]
  breaking (api_changes.breaking): 1 value
    false
  no_breaking (breaking_changes): 0 values, 1 null dropped

Predicates:
  0: pass
    source: task_prompt
    rule: exists
    claim: caps
    expected: -
    reason: found ["handle_csv","handle_tsv"]
  1: pass
    source: task_prompt
    rule: contains
    claim: caps
    expected: "handle_csv"
    reason: found ["handle_csv","handle_tsv"]
  2: pass
    source: memory
    rule: not_contains
    claim: caps
    expected: "legacy_parser"
    reason: found ["handle_csv","handle_tsv"]
  3: pass
    source: task_prompt
    rule: min_length
    claim: caps
    expected: 2
    reason: found ["handle_csv","handle_tsv"]
  4: fail
    source: task_prompt
    rule: matches
    claim: file
    expected: "^src/.*\\\\.rs$"
    reason: found "lib/csv.rs"
  5: pass
    source: task_prompt
    rule: min_length
    claim: tests
    expected: 1
    reason: found ["test_csv","test_tsv"]
  6: pass
    source: task_prompt
    rule: not_exists
    claim: no_breaking
    expected: -
    reason: found only null
  7: skip
    source: task_prompt
    rule: contains
    claim: caps
    expected: "migration_guide"
    when: breaking equals true
    reason: its condition is not met: "breaking" equals true, found false
    notes: Breaking changes require a migration guide capability

Totals: 6 passed, 1 failed, 1 skipped, 8 in all
Outcome: failed
`,
  );
});

test("formatReport: a limited number of values of a claim, and the number of further ones", () => {
  const rulespec = 'claims: [{name: c, selector: "x[*]"}]\npredicates: []\n';
  const of = (count: number) =>
    reportOf(rulespec, `facts: {x: [${Array.from({ length: count }, (_, at) => at).join(", ")}]}\n`);
  expect(of(SHOWN_VALUES)).not.toContain("more");
  expect(of(SHOWN_VALUES + 1)).toContain(`    ${SHOWN_VALUES - 1}\n    ... and 1 more\n`);
});

test("formatReport: a foreign text can neither start a line nor move the cursor", () => {
  for (const text of HOSTILE_TEXTS) {
    const field = text.replaceAll(/[.[\]]/g, "");
    const rulespec = JSON.stringify({
      claims: [{ name: text, selector: `k${field}` }],
      predicates: [{ claim: text, rule: "equals", value: [text], source: "memory", notes: text }],
    }).replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
    const envelope = JSON.stringify({ facts: { [`k${field}`]: { [text]: text } } })
      .replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
    const lines = reportOf(rulespec, envelope).split("\n");
    expect({ text, lines: lines.length }).toEqual({ text, lines: 16 });
    for (const line of lines) expect(escapeWhole(line)).toBe(line);
  }
});
