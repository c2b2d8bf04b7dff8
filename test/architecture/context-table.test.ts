// The context table is the only source of namespaces and members: every list of members in the product contains each of
// them.
import { describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PROJECT } from "../../scripts/project.ts";
import { redactContext } from "../../src/audit/redact-context.ts";
import { openRules } from "../../src/cli/offline.ts";
import type { Context } from "../../src/core/context.ts";
import type { FieldType, MemberRow, NamespaceRow, RecordForm, VariableRow } from "../../src/core/context-member.ts";
import { CONTEXT_NAMESPACES, CONTEXT_VARIABLES } from "../../src/core/context-table.ts";
import { isJsonObject, type Json } from "../../src/core/json.ts";
import { summarize } from "../../src/log/summarize-context.ts";
import { ContextSchema } from "../../src/wire/context-schema.ts";
import { decode } from "../../src/wire/decode.ts";
import { codesOf } from "../support/cel/rules.ts";

const SAMPLES: Readonly<Record<FieldType, { readonly json: Json; readonly condition: (name: string) => string }>> = {
  "string": { json: "s4mple", condition: (name) => `${name} == "s4mple"` },
  "int": { json: 44, condition: (name) => `${name} == 44` },
  "bool": { json: true, condition: (name) => name },
  "list<string>": { json: ["s4mple"], condition: (name) => `${name} == ["s4mple"]` },
  "map<string, string>": { json: { key: "s4mple" }, condition: (name) => `${name}.key == "s4mple"` },
  "map<string, dyn>": { json: { key: ["s4mple"] }, condition: (name) => `${name}.key == ["s4mple"]` },
};

/** The record forms that keep harmless texts; for `run.argv`, secrets are removed. */
const KEPT_TEXTS: ReadonlySet<RecordForm> = new Set([
  "text",
  "path",
  "target",
  "command",
  "environment",
  "argv",
  "in-argv",
]);

const MEMBERS = Object.entries<NamespaceRow>(CONTEXT_NAMESPACES).flatMap(([namespace, { members }]) =>
  Object.entries<MemberRow>(members).map(([member, row]) => ({
    name: `${namespace}.${member}`,
    namespace,
    member,
    row,
  }))
);
const VARIABLES = Object.entries<VariableRow>(CONTEXT_VARIABLES).map(([name, row]) => ({ name, row }));
const REFERENCE = readFileSync(join(PROJECT, "docs/reference/rule-language.md"), "utf8");

// Decodes a context like one from outside: the schema refuses unknown members.
function contextOf(json: Json): Context {
  const context = decode(ContextSchema, json);
  if (!context.ok) throw new Error(context.error.message);
  return context.value;
}

async function decisionOf(condition: string, context: Context): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), "outcall-table-"));
  try {
    const rule = { id: "r", condition, action: "allow" };
    writeFileSync(join(dir, "rules.yaml"), JSON.stringify({ version: "1", rules: [rule] }));
    const evaluate = openRules(dir);
    if (!evaluate.ok) throw new Error(JSON.stringify(evaluate.error));
    return (await evaluate.value(context)).decision;
  } finally {
    rmSync(dir, { recursive: true });
  }
}

describe("each row of the context table", () => {
  for (const { name, namespace, member, row } of MEMBERS) {
    const { json, condition } = SAMPLES[row.type];
    test(`${name}: conditions, the wire schema, rule evaluate, records and the reference know it`, async () => {
      expect(codesOf(condition(name))).toBe("ok: bool");
      const context = contextOf({ [namespace]: { [member]: json } });
      expect(await decisionOf(condition(name), context)).toBe("allow");
      const recorded = redactContext(context, { ordered: true })[namespace];
      expect(isJsonObject(recorded) && Object.hasOwn(recorded, member)).toBe(row.record !== "in-argv");
      expect(JSON.stringify(recorded).includes("s4mple")).toBe(KEPT_TEXTS.has(row.record));
      expect(summarize(context).includes(`${name}=`)).toBe(row.log !== undefined);
      expect(REFERENCE).toContain(`| \`${name}\` | \`${row.type}\` |`);
    });
  }

  for (const { name, row } of VARIABLES) {
    const { json, condition } = SAMPLES[row.type];
    test(`${name}: conditions, the wire schema, rule evaluate, records and the reference know it`, async () => {
      expect(codesOf(condition(name))).toBe("ok: bool");
      expect(REFERENCE).toContain(`| \`${name}\` | \`${row.type}\` |`);
      expect(decode(ContextSchema, { [name]: json }).ok).toBe(row.isInput);
      if (!row.isInput) return;
      const context = contextOf({ [name]: json });
      expect(await decisionOf(condition(name), context)).toBe("allow");
      expect(Object.hasOwn(redactContext(context, { ordered: true }), name)).toBe(true);
      expect(summarize(context).includes(`${name}=`)).toBe(row.log !== undefined);
    });
  }
});

test("a value at the bounds of its row is taken, one past them refused", () => {
  const rows = MEMBERS.filter(({ row }) => row.bounds !== undefined);
  expect(rows.map(({ name }) => name)).toContain("network.port");
  for (const { namespace, member, row: { bounds = { minimum: 0, maximum: 0 } } } of rows) {
    const takes = (json: number) => decode(ContextSchema, { [namespace]: { [member]: json } }).ok;
    expect([bounds.minimum - 1, bounds.minimum, bounds.maximum].map(takes)).toEqual([false, true, true]);
    if (bounds.maximum < Number.MAX_SAFE_INTEGER) expect(takes(bounds.maximum + 1)).toBe(false);
  }
});
