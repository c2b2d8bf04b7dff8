// Rulespecs that do not load, each for one reason: its code, its place, its words.
import { expect, test } from "bun:test";
import { parseRulespec } from "../../../src/rulespec/parse-rulespec.ts";

/** A text, and what must be found in it. */
export type RefusedRulespec = {
  readonly note: string;
  readonly text: string;
  readonly code: string;
  readonly at: readonly [line: number, column: number];
  readonly says: string;
  readonly hint?: string;
};

/** Two claims, and the beginning of the list of predicates. */
export const CLAIMS = "claims:\n- {name: c, selector: x}\n- {name: when, selector: y.z}\npredicates:\n";

/** A predicate that is whole with these members. */
export const predicate = (members: string): string => `${CLAIMS}- {claim: c, source: memory, ${members}}\n`;

/** Makes a test of each case. */
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
