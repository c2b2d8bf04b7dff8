// Every example of the specification's schema page, with the outcomes that the page states.
import { expect, test } from "bun:test";
import { SEED_EXAMPLES } from "../support/rulespec/seed.ts";
import { verified } from "../support/rulespec/rulespec.ts";

test.each(SEED_EXAMPLES)("$note", ({ rulespec, envelope, statuses, outcome }) => {
  const verification = verified(rulespec, envelope);
  expect(verification.answers.map(({ status }) => status)).toMatchObject(statuses);
  expect(verification.outcome).toBe(outcome);
});
