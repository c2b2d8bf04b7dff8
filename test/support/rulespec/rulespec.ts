// Rulespecs and envelopes as texts -> their results, for tests of the meaning, without files.
import type { Status } from "../../../src/rulespec/predicate-answer.ts";
import { parseEnvelope } from "../../../src/rulespec/parse-envelope.ts";
import { parseRulespec } from "../../../src/rulespec/parse-rulespec.ts";
import { OPERATOR_TEXT } from "../../../src/rulespec/read-yaml.ts";
import type { Rulespec } from "../../../src/rulespec/rulespec.ts";
import {
  OPERATOR_VERIFY,
  type Verification,
  verify,
  type VerifyLimits,
} from "../../../src/rulespec/verify-envelope.ts";

/** The rulespec of a text, which must load. */
export function rulespecOf(text: string): Rulespec {
  const { rulespec, findings } = parseRulespec("rulespec.yaml", text);
  if (rulespec === null) throw new Error(JSON.stringify(findings));
  return rulespec;
}

/** The facts of a text, which must be an envelope. */
export function factsOf(text: string) {
  const envelope = parseEnvelope("envelope.yaml", text, OPERATOR_TEXT);
  if (!envelope.ok) throw new Error(JSON.stringify(envelope.error));
  return envelope.value.facts;
}

/** The common result of both evaluations. */
export function verified(rulespec: string, envelope: string, limits: VerifyLimits = OPERATOR_VERIFY): Verification {
  const verification = verify(rulespecOf(rulespec), factsOf(envelope), limits);
  if (!verification.ok) throw new Error(`${verification.error.code}: ${verification.error.message}`);
  return verification.value;
}

/** The status of each predicate. */
export function statusesOf(rulespec: string, envelope: string): readonly Status[] {
  return verified(rulespec, envelope).answers.map(({ status }) => status);
}
