// No member of a rule file, with any value, allows a request that no rule matches (S003-FR-010). The members come from
// the schema, so a new one must get values here.
import { describe, expect, test } from "bun:test";
import type { TSchema } from "@sinclair/typebox";
import type { Context } from "../../src/core/context.ts";
import type { JsonObject } from "../../src/core/json.ts";
import { evaluateRules } from "../../src/rule/evaluate-rules.ts";
import { loadRuleFiles } from "../../src/rule/load-rules.ts";
import { RuleFileSchema, RuleSchema } from "../../src/wire/rule-file.ts";

/** Accepted values of each member of a rule or a file. */
const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  id: ["allow", "default-allow", "0", "true"],
  // None of these conditions is true for the requests below: they are false, test something else, or cannot be
  // evaluated.
  condition: ["false", 'dns.query == "nobody"', 'docker.image != "nobody"', "metadata.nope == 1", "run.context.text"],
  log: [true, false],
  description: ["", "allow", "default: allow"],
  priority: [-(2 ** 31), -1, 0, 1, 100, 1_000_000, 2 ** 31 - 1],
  reason: ["allow", "x".repeat(200)],
  egress: [{ mode: "proxy" }, { addresses: ["0.0.0.0/0", "::/0"] }, { mode: "proxy", addresses: ["10.0.0.1:80"] }],
  expires: ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"],
  enrich: [{ script: "a.sh" }, { script: "allow", timeout_ms: 1 }, { script: "a.sh", timeout_ms: 60_000 }],
};

const FILE_VALUES: Readonly<Record<string, readonly unknown[]>> = {
  version: ["1"],
  definitions: [null, {}, { default: "true", allow: "true" }],
  rules: [null, []],
};

const CONTEXTS: readonly Context[] = [
  {},
  { network: { hostname: "a", port: 443 }, http: { method: "GET", headers: {} } },
  { run: { tool: "x", context: { text: "yes" } }, action_type: "tool_exec", target: "x", metadata: {} },
];

function propertiesOf(schema: TSchema): Readonly<Record<string, TSchema>> {
  return schema["properties"];
}

function expectBlocked(file: JsonObject, isQuiet: boolean): void {
  const { set, findings } = loadRuleFiles([{ name: "a.yaml", text: JSON.stringify(file) }]);
  expect(findings.filter(({ severity }) => severity === "error")).toEqual([]);
  if (set === null) throw new Error("the set does not load");
  for (const context of CONTEXTS) {
    const { decision, rule } = evaluateRules(set, context);
    expect({ file, context, decision: decision.decision }).toEqual({ file, context, decision: "block" });
    if (isQuiet) expect({ decision, rule }).toMatchObject({ decision: { matched_rule: null, file: null }, rule: null });
  }
}

describe("a rule that does not match", () => {
  const variants: readonly TSchema[] = RuleSchema.anyOf;
  for (const variant of variants) {
    const properties = propertiesOf(variant);
    const action: string = properties["action"]?.["const"];
    const required: JsonObject = {
      id: "r",
      action,
      condition: "false",
      ...(action === "enrich" ? { enrich: { script: "a.sh" } } : {}),
    };
    for (const member of Object.keys(properties).filter((name) => name !== "action")) {
      test(`of action ${action}: ${member}`, () => {
        const values = VALUES[member] ?? [];
        expect(values.length, `values of ${member}`).toBeGreaterThan(0);
        for (const value of values) {
          const rule = JSON.parse(JSON.stringify({ ...required, [member]: value }));
          // A block rule that cannot be evaluated blocks.
          expectBlocked({ version: "1", rules: [rule] }, action !== "block" || member !== "condition");
        }
      });
    }
  }

  test("there are three actions, and no more", () => {
    expect(variants.map((variant) => propertiesOf(variant)["action"]?.["const"])).toEqual(["allow", "block", "enrich"]);
  });
});

describe("a file", () => {
  const properties = propertiesOf(RuleFileSchema);
  for (const member of Object.keys(properties)) {
    test(`${member}`, () => {
      const values = FILE_VALUES[member] ?? [];
      expect(values.length, `values of ${member}`).toBeGreaterThan(0);
      for (const value of values) {
        const file = JSON.parse(JSON.stringify({ version: "1", [member]: value }));
        expectBlocked(file, true);
      }
    });
  }

  for (
    const member of ["default", "default_action", "default-action", "fallback", "mode", "action", "allow", "permissive"]
  ) {
    test(`${member} is no member`, () => {
      const text = JSON.stringify({ version: "1", rules: [], [member]: "allow" });
      const { set, findings } = loadRuleFiles([{ name: "a.yaml", text }]);
      expect([set, findings.map(({ code }) => code)]).toEqual([null, ["rule.schema"]]);
    });
  }
});
