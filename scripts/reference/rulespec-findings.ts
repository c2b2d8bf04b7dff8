// Findings of rulespecs and envelopes: for each code an example text that has it.
import type { Finding } from "../../src/core/finding.ts";
import type { ProblemCode } from "../../src/core/problem.ts";
import { parseEnvelope } from "../../src/rulespec/parse-envelope.ts";
import { loadRulespec } from "../../src/rulespec/load-rulespec.ts";
import { parseRulespec } from "../../src/rulespec/parse-rulespec.ts";
import { OPERATOR_TEXT } from "../../src/rulespec/read-yaml.ts";
import type { FindingSource } from "./findings.ts";

const CLAIM = "claims: [{name: c, selector: a.b}]\n";
const predicate = (members: string) => `${CLAIM}predicates: [{claim: c, source: memory, ${members}}]\n`;
const ofRulespec = (text: string) => () => parseRulespec("rulespec.yaml", text).findings;

const EXAMPLES: Readonly<Partial<Record<ProblemCode, () => readonly Finding[]>>> = {
  "rulespec.yaml": ofRulespec("claims: [\n"),
  "rulespec.schema": ofRulespec("claim: []\n"),
  "rulespec.duplicate-claim": ofRulespec("claims: [{name: c, selector: a}, {name: c, selector: b}]\n"),
  "rulespec.selector": ofRulespec("claims: [{name: c, selector: a..b}]\n"),
  "rulespec.facts-prefix": ofRulespec("claims: [{name: c, selector: facts.a}]\n"),
  "rulespec.undefined-claim": ofRulespec("predicates: [{claim: d, rule: exists, source: memory}]\n"),
  "rulespec.unknown-rule": ofRulespec(predicate("rule: exist")),
  "rulespec.value": ofRulespec(predicate("rule: min_length, value: many")),
  "rulespec.unused-value": ofRulespec(predicate("rule: exists, value: 1")),
  "rulespec.regex": ofRulespec(predicate("rule: matches, value: '(a'")),
  "rulespec.limit": ofRulespec(`claims: ${"[".repeat(40)}${"]".repeat(40)}\n`),
  "rulespec.file": () => loadRulespec("analysis/none.yaml").findings,
  "rulespec.envelope": () => {
    const envelope = parseEnvelope("envelope.yaml", "tests: 1\n", OPERATOR_TEXT);
    return envelope.ok ? [] : envelope.error;
  },
};

/** The source of the findings of rulespecs. */
export const RULESPEC_FINDINGS: FindingSource = { room: "rulespec", find: (code) => EXAMPLES[code]?.() ?? [] };
