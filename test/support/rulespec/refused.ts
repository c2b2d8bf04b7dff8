// Rulespecs that do not load, each for one reason: the error's code, place and words.
import { expect, test } from "bun:test";
import { parseRulespec } from "../../../src/rulespec/parse-rulespec.ts";

/** A text, and the expected finding. */
export type RefusedRulespec = {
  readonly note: string;
  readonly text: string;
  readonly code: string;
  readonly at: readonly [line: number, column: number];
  readonly says: string;
  readonly hint?: string;
};

/** Two claims, and the start of the list of predicates. */
export const CLAIMS = "claims:\n- {name: c, selector: x}\n- {name: when, selector: y.z}\npredicates:\n";

/** A complete predicate, if these members are added. */
export const predicate = (members: string): string => `${CLAIMS}- {claim: c, source: memory, ${members}}\n`;

/** Defines a test for each case. */
export function testRefusals(cases: readonly RefusedRulespec[]): void {
  for (const { note, text, code, at: [line, column], says, hint } of cases) {
    test(`refuses ${note}`, () => {
      const { rulespec, findings } = parseRulespec("r.yaml", text);
      expect(rulespec).toBeNull();
      expect(findings).toHaveLength(1);
      expect(findings[0]).toMatchObject({ code, severity: "error", place: { file: "r.yaml", line, column } });
      expect(findings[0]?.message).toStartWith(says);
      if (hint !== undefined) expect(findings[0]?.hint).toBe(hint);
    });
  }
}
