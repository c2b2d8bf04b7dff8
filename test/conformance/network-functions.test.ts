// Every conformance case of the functions on addresses and networks, by the engine and by `rule evaluate`.
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { openRules, testOffline } from "../../src/cli/offline.ts";
import { ContextSchema } from "../../src/wire/context-schema.ts";
import { codesOf, outcomeOf } from "../support/cel/rules.ts";
import { withRulesDirectory } from "../support/conformance.ts";

const NAME = "network-functions.json";

const NetworkCase = Type.Object({
  expr: Type.String(),
  context: Type.Optional(ContextSchema),
  result: Type.Optional(Type.Boolean()),
  unevaluable: Type.Optional(Type.Literal(true)),
  load_error: Type.Optional(Type.String()),
}, { additionalProperties: false });

type NetworkCase = Static<typeof NetworkCase>;

function readNetworkCases(): readonly NetworkCase[] {
  const cases: unknown = JSON.parse(readFileSync(join(import.meta.dir, NAME), "utf8"));
  return Value.Decode(Type.Array(NetworkCase), cases);
}

/** The decision and the number of warnings of one rule with the expression; null if it does not load. */
async function evaluated(expr: string, action: "allow" | "block", context: NetworkCase["context"] = {}) {
  const rules = [{ id: "r", condition: expr, action }, { id: "last", condition: "true", action: "allow" }];
  const files = { "rules.yaml": JSON.stringify({ version: "1", rules }) };
  let got: { readonly rule: string | null; readonly warnings: number } | readonly string[] = [];
  await withRulesDirectory({ files }, async (dir) => {
    const evaluate = openRules(dir);
    if (!evaluate.ok) {
      got = evaluate.error.findings.filter(({ severity }) => severity === "error").map(({ code }) => code);
      return;
    }
    const { matched_rule, warnings } = await evaluate.value(context);
    got = { rule: matched_rule, warnings: warnings.length };
  });
  return got;
}

describe(NAME, () => {
  for (const { expr, context = {}, result, unevaluable, load_error } of readNetworkCases()) {
    test(expr, async () => {
      if (load_error !== undefined) {
        expect(codesOf(expr)).toBe(load_error);
        expect<unknown>(await evaluated(expr, "allow", context)).toEqual([load_error]);
        expect(testOffline(expr, context)).toMatchObject({ result: false, error: expect.any(String) });
        return;
      }
      if (unevaluable === true) {
        // An absent namespace gives no value, which is not a failure. A member that is not set is "", which is not an
        // address.
        expect(outcomeOf(expr, context)).toStartWith("error: ");
        expect<unknown>(await evaluated(expr, "allow", context)).toEqual({ rule: "last", warnings: 1 });
        expect<unknown>(await evaluated(expr, "block", context)).toEqual({ rule: "r", warnings: 1 });
        return;
      }
      expect(outcomeOf(expr, context)).toBe(result);
      const rule = result === true ? "r" : "last";
      expect<unknown>(await evaluated(expr, "allow", context)).toEqual({ rule, warnings: 0 });
      expect<unknown>(await evaluated(expr, "block", context)).toEqual({ rule, warnings: 0 });
      expect(testOffline(expr, context)).toEqual({ result: result === true, error: null });
    });
  }
});

test("the specification's cases of network functions are as they were given", () => {
  const here = readFileSync(join(import.meta.dir, NAME), "utf8");
  const folder = process.env["OUTCALL_CONFORMANCE"] ?? join(import.meta.dir, "../../../shared/conformance");
  const given = join(folder, NAME);
  expect(existsSync(given) ? readFileSync(given, "utf8") : here).toBe(here);
  expect(readNetworkCases().length).toBeGreaterThanOrEqual(36);
});
