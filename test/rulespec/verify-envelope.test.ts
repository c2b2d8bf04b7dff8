import { describe, expect, test } from "bun:test";
import type { Answer } from "../../src/rulespec/predicate-answer.ts";
import { AGENT_SEARCH } from "../../src/rulespec/matcher.ts";
import type { Findings } from "../../src/rulespec/run-program.ts";
import { runProgram } from "../../src/rulespec/run-program.ts";
import { AGENT_VERIFY, findDifference, OPERATOR_VERIFY, verify } from "../../src/rulespec/verify-envelope.ts";
import { AMPLE } from "../support/rulespec/datalog.ts";
import { factsOf, rulespecOf, verified } from "../support/rulespec/rulespec.ts";
import { COMPLETE_ENVELOPE, COMPLETE_RULESPEC } from "../support/rulespec/complete.ts";

const CLAIMS = 'claims: [{name: a, selector: a}, {name: b, selector: "b[*]"}]\n';

describe("verify: the outcome", () => {
  const cases = [
    { note: "something passed", predicates: "{claim: a, rule: exists, source: memory}", outcome: "verified" },
    { note: "something failed", predicates: "{claim: a, rule: not_exists, source: memory}", outcome: "failed" },
    {
      note: "one failed among passes",
      predicates: "{claim: a, rule: exists, source: memory}, {claim: a, rule: equals, value: 2, source: memory}",
      outcome: "failed",
    },
    {
      note: "everything was skipped",
      predicates: "{claim: a, rule: equals, value: 2, source: memory, when: {claim: a, rule: equals, value: 7}}",
      outcome: "vacuous",
    },
    {
      note: "skips beside a pass",
      predicates:
        "{claim: a, rule: exists, source: memory}, {claim: a, rule: equals, value: 2, source: memory, when: {claim: a, rule: equals, value: 7}}",
      outcome: "verified",
    },
    { note: "there is no predicate", predicates: "", outcome: "vacuous" },
  ] as const;
  for (const { note, predicates, outcome } of cases) {
    test(`${outcome}: ${note}`, () => {
      expect(verified(`${CLAIMS}predicates: [${predicates}]\n`, "facts: {a: 1}\n").outcome).toBe(outcome);
    });
  }

  test("totals count passes, failures and skips apart", () => {
    const { totals } = verified(COMPLETE_RULESPEC, COMPLETE_ENVELOPE.replace("src/import", "lib"));
    expect(totals).toEqual({ passed: 6, failed: 1, skipped: 1, total: 8 });
  });
});

describe("verify: reasons name what was found", () => {
  const cases = [
    { rule: "exists", claim: "a", facts: "{b: [1]}", says: "found nothing" },
    { rule: "exists", claim: "a", facts: "{a: null}", says: "found only null" },
    { rule: "exists", claim: "a", facts: '{a: {k: ["x", 1.5]}}', says: 'found {"k":["x",1.5]}' },
    { rule: "equals, value: 1", claim: "b", facts: "{b: [1, 2]}", says: "found 2 values, the first is 1" },
    { rule: "less_than, value: 5", claim: "b", facts: "{b: [1, 7, 9]}", says: "found 7 among 3 values" },
    { rule: "contains, value: x", claim: "b", facts: "{b: [a, x]}", says: 'found "x" among 2 values' },
    {
      rule: "exists, when: {claim: b, rule: contains, value: z}",
      claim: "a",
      facts: "{b: [q]}",
      says: 'its condition is not met: "b" contains "z", found "q"',
    },
    { rule: "equals, value: x", claim: "a", facts: '{a: "\\u202e\\u0007"}', says: 'found "\\u202e\\u0007"' },
  ];
  for (const { rule, claim, facts, says } of cases) {
    test(says, () => {
      const { answers } = verified(
        `${CLAIMS}predicates: [{claim: ${claim}, rule: ${rule}, source: memory}]\n`,
        `facts: ${facts}\n`,
      );
      expect(answers[0]?.reason).toBe(says);
    });
  }

  test("a large value is cut", () => {
    const { answers } = verified(
      `${CLAIMS}predicates: [{claim: a, rule: exists, source: memory}]\n`,
      `facts: {a: [${"xy, ".repeat(10_000)}]}\n`,
    );
    expect(answers[0]?.reason.length).toBeLessThan(230);
    expect(answers[0]?.reason).toEndWith("...");
  });
});

describe("findDifference", () => {
  const { answers, program } = verified(COMPLETE_RULESPEC, COMPLETE_ENVELOPE);
  const run = runProgram(program, AMPLE);
  if (!run.ok) throw new Error(run.error.message);
  const found = run.value;
  const changed = (index: number, statuses: Answer["status"][]): Findings => new Map([...found, [index, statuses]]);

  test("none", () => expect(findDifference(answers, found)).toBeUndefined());

  const cases: readonly { readonly note: string; readonly given: Findings; readonly says: string }[] = [
    {
      note: "another status",
      given: changed(0, ["fail"]),
      says: "predicate 0: the typed evaluation gives pass, the program fail",
    },
    {
      note: "a pass for a skip",
      given: changed(7, ["pass"]),
      says: "predicate 7: the typed evaluation gives skip, the program pass",
    },
    {
      note: "two statuses",
      given: changed(1, ["pass", "fail"]),
      says: "predicate 1: the typed evaluation gives pass, the program pass and fail",
    },
    {
      note: "no status",
      given: changed(2, []),
      says: "predicate 2: the typed evaluation gives pass, the program nothing",
    },
    {
      note: "a predicate that is not there",
      given: changed(8, ["pass"]),
      says: "predicate 8: the program names it, the rulespec does not",
    },
  ];
  for (const { note, given, says } of cases) {
    test(note, () => {
      expect(findDifference(answers, given)).toEqual({ code: "rulespec.engine-mismatch", message: says });
    });
  }
});

describe("runProgram", () => {
  const { program } = verified(COMPLETE_RULESPEC, COMPLETE_ENVELOPE);
  const cases = [
    { note: "a line that is none", text: `${program}pred_pass(0)\n`, code: "datalog.syntax" },
    { note: "a relation that is not declared", text: `${program}nope(0).\n`, code: "datalog.program" },
    {
      note: "a circle",
      text: `${program}holds(0) :- !broken(0).\nbroken(0) :- !holds(0).\n`,
      code: "datalog.stratification",
    },
  ] as const;
  for (const { note, text, code } of cases) {
    test(`refuses ${note}`, () => {
      const run = runProgram(text, AMPLE);
      expect(run.ok ? undefined : run.error.code).toBe(code);
    });
  }
});

describe("verify: limits", () => {
  const search = rulespecOf(`${CLAIMS}predicates: [{claim: a, rule: matches, value: "^a*$", source: memory}]\n`);

  test("searches cost what they may, and not one step more", () => {
    const facts = factsOf(`facts: {a: "${"a".repeat(640)}"}\n`);
    const pattern = search.predicates[0]?.test;
    if (pattern?.rule !== "matches") throw new Error("no pattern");
    const cost = 1 + pattern.pattern.cost("a".repeat(640));
    const at = verify(search, facts, { ...OPERATOR_VERIFY, search: cost });
    expect(at.ok ? at.value.outcome : at.error).toBe("verified");
    const over = verify(search, facts, { ...OPERATOR_VERIFY, search: cost - 1 });
    expect(over.ok ? null : over.error).toEqual({
      code: "rulespec.limit",
      message: `searches take more than ${cost - 1} steps`,
    });
  });

  test("a condition that cannot be searched is no skip", () => {
    const rulespec = rulespecOf(
      `${CLAIMS}predicates:\n- {claim: b, rule: exists, source: memory}\n- {claim: a, rule: not_exists, source: memory, when: {claim: a, rule: matches, value: "a*b", }}\n`,
    );
    const facts = factsOf(`facts: {a: "${"a".repeat(60_000)}b", b: [1]}\n`);
    const heavy = verify(rulespec, facts, { ...AGENT_VERIFY, search: 1_000 });
    expect(heavy.ok ? heavy.value.outcome : heavy.error.code).toBe("rulespec.limit");
    const enough = verify(rulespec, facts, { ...AGENT_VERIFY, search: AGENT_SEARCH });
    expect(enough.ok ? enough.value.outcome : enough.error.code).toBe("failed");
  });

  test("a text is searched only once for all predicates", () => {
    const rulespec = rulespecOf(`${CLAIMS}predicates: [{claim: b, rule: matches, value: "^a*$", source: memory}]\n`);
    const pattern = rulespec.predicates[0]?.test;
    if (pattern?.rule !== "matches") throw new Error("no pattern");
    const cost = 1 + pattern.pattern.cost("a".repeat(640));
    const facts = factsOf(`facts: {b: [${`"${"a".repeat(640)}", `.repeat(50)}]}\n`);
    expect(verify(rulespec, facts, { ...OPERATOR_VERIFY, search: cost }).ok).toBe(true);
  });

  test("the engine's limits are the verification's", () => {
    const facts = factsOf("facts: {a: 1}\n");
    for (const engine of [{ facts: 1, steps: 1e6 }, { facts: 1e6, steps: 1 }]) {
      const verification = verify(search, facts, { ...OPERATOR_VERIFY, engine });
      expect(verification.ok ? null : verification.error.code).toBe("rulespec.limit");
      expect(verification.ok ? "" : verification.error.message).toStartWith("the program takes too long: over 1 ");
    }
  });
});
