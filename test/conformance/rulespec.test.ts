// Every conformance case of rulespecs by the library, with both evaluations.
import { describe, expect, test } from "bun:test";
import { formatJson } from "../../src/core/json.ts";
import { parseEnvelope } from "../../src/rulespec/parse-envelope.ts";
import { formatYaml } from "../../src/rulespec/format-yaml.ts";
import { parseRulespec } from "../../src/rulespec/parse-rulespec.ts";
import { AGENT_TEXT } from "../../src/rulespec/read-yaml.ts";
import { AGENT_VERIFY, verify } from "../../src/rulespec/verify-envelope.ts";
import { type RulespecCase, rulespecCases, rulespecCaseTexts } from "../support/rulespec/cases.ts";

function statusOf({ claims, predicate, facts }: RulespecCase): string {
  const { rulespec, findings } = parseRulespec("rulespec.yaml", formatJson({ claims, predicates: [predicate] }));
  expect(rulespec === null).toBe(findings.some(({ severity }) => severity === "error"));
  if (rulespec === null) return "error";
  const envelope = parseEnvelope("envelope.yaml", formatYaml({ facts }), AGENT_TEXT);
  if (!envelope.ok) throw new Error(JSON.stringify(envelope.error));
  const verification = verify(rulespec, envelope.value.facts, AGENT_VERIFY);
  if (!verification.ok) throw new Error(verification.error.message);
  return verification.value.answers.map(({ status }) => status).join();
}

describe("rulespec.json", () => {
  for (const given of rulespecCases()) {
    test(given.note, () => expect(statusOf(given)).toBe(given.want));
  }
});

test("the specification's cases are as they were given", () => {
  const { here, given } = rulespecCaseTexts();
  expect(here).toBe(given);
  expect(rulespecCases().length).toBeGreaterThanOrEqual(90);
});
