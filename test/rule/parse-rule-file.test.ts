// Rule files that are accepted, and the parts that are kept of a file with errors.
import { describe, expect, test } from "bun:test";
import { openDocument } from "../../src/rule/document-data.ts";
import { OPERATOR_LIMITS, parseRuleFile, parseToData } from "../../src/rule/parse-rule-file.ts";
import { FINDINGS_LIMIT } from "../../src/yaml/compose.ts";
import { ALLOW, BLOCK, ENRICH, findingsOf, rule } from "../support/rule/file.ts";

const CLEAN: readonly (readonly [note: string, text: string])[] = [
  ["only the version", `version: "1"\n`],
  ["version in single quotes", `version: '1'\n`],
  ["empty rules and definitions count as absent", `version: "1"\ndefinitions:\nrules:\n`],
  ["an empty map and an empty list", `version: "1"\ndefinitions: {}\nrules: []\n`],
  ["a byte order mark", `\ufeffversion: "1"\n`],
  ["CRLF", `version: "1"\r\nrules: []\r\n`],
  ["document start and end", `# why\n---\nversion: "1"\n...\n# after\n`],
  ["JSON", `{"version": "1", "rules": [{"id": "r", "condition": "true", "action": "block"}]}`],
  [
    "every member of an allow rule",
    rule(...ALLOW, "log: true", "description: d", "priority: 1", "egress: {mode: proxy}"),
  ],
  ["every member of a block rule", rule(...BLOCK, "log: false", "description: ''", "priority: -1", "reason: because")],
  ["every member of an enrich rule", rule(...ENRICH, "enrich: {script: a.sh, timeout_ms: 1}", "priority: 0x10")],
  ["the least priority", rule(...ALLOW, "priority: -2147483648")],
  ["the greatest priority", rule(...ALLOW, "priority: 2147483647")],
  ["the longest time limit", rule(...ENRICH, "enrich: {script: a.sh, timeout_ms: 60000}")],
  ["the longest id", rule(`id: ${"a".repeat(128)}`, "condition: 'true'", "action: allow")],
  ["an id of every character", rule("id: 0A.b_c:d-e", "condition: 'true'", "action: allow")],
  [
    "ids beside the reserved ones",
    `version: "1"\nrules:\n${
      [
        "default-blocks",
        "rule-0123456789a",
        "rule-0123456789abc",
        "rule-0123456789ag",
        "rr-0123456789a",
        "xrr-0123456789ab",
      ]
        .map((id) => `  - {id: ${id}, condition: 'true', action: allow}\n`).join("")
    }`,
  ],
  ["the longest reason", rule(...BLOCK, `reason: "${"é".repeat(200)}"`)],
  ["characters of a reason are counted, not code units", rule(...BLOCK, `reason: "${"😀".repeat(200)}"`)],
  [
    "definition names",
    `version: "1"\ndefinitions: {_aZ0: 'true', __proto__: 'a'}\nrules: [{id: r, condition: $_aZ0, action: allow}]\n`,
  ],
  ["a condition of many lines", rule("id: r", "condition: |", "  true &&", "  true", "action: allow")],
  ["an anchor and its alias", rule("id: &x r", "condition: *x", "action: allow", "description: *x")],
];

test.each(CLEAN.map(([note, text]) => ({ note, text })))("parseRuleFile accepts $note", ({ text }) => {
  expect(findingsOf(text)).toEqual([]);
});

describe("parseRuleFile", () => {
  test("reads every member", () => {
    const text = `version: "1"
definitions:
  name: a == b
rules:
  - {id: a, condition: x, action: allow, log: true, description: d, priority: 7, reason: why, egress: {mode: proxy, addresses: [10.1.0.0/16, "[fd00::5]:5432"]}, expires: 2026-12-31T18:00:00Z}
  - {id: b, condition: y, action: enrich, enrich: {script: s.sh, timeout_ms: 5}}
  - {id: c, condition: z, action: block}
`;
    const { document } = parseRuleFile("a.yaml", text, OPERATOR_LIMITS);
    expect(document?.file).toBe("a.yaml");
    expect(
      document?.definitions.map(({ name, place, expression }) => [name, place.line, place.column, expression.text]),
    )
      .toEqual([["name", 3, 3, "a == b"]]);
    const plain = document?.rules.map(({ place, priorityPlace, condition, ...rule }) => ({
      ...rule,
      condition: condition.text,
      at: `${place.line}:${place.column}`,
      priorityAt: priorityPlace?.column,
    }));
    const none = {
      log: false,
      description: null,
      priority: 100,
      reason: null,
      egress: null,
      expires: null,
      enrich: null,
    };
    const script = { file: "a.yaml", line: 6, column: 60, endLine: 6, endColumn: 64 };
    expect(plain).toEqual([
      {
        ...{ id: "a", condition: "x", action: "allow", log: true, description: "d", priority: 7, reason: "why" },
        ...{ egress: { mode: "proxy", addresses: ["10.1.0.0/16", "[fd00::5]:5432"] }, expires: "2026-12-31T18:00:00Z" },
        ...{ enrich: null, at: "5:10", priorityAt: 79 },
      },
      {
        ...{ ...none, id: "b", condition: "y", action: "enrich", at: "6:10", priorityAt: undefined },
        enrich: { script: "s.sh", timeoutMs: 5, place: script },
      },
      { ...none, id: "c", condition: "z", action: "block", at: "7:10", priorityAt: undefined },
    ]);
  });

  // YAML 1.2 core reads these as null and booleans. As definition names they must stay strings.
  test.each([
    ["flow", `version: "1"\ndefinitions: {null: 'a', True: 'b', false: 'c'}\nrules: []\n`],
    ["block", `version: "1"\ndefinitions:\n  null: 'a'\n  True: 'b'\n  false: 'c'\nrules: []\n`],
    ["read by the library", `version: "1"\ndefinitions: {null: &x 'a', True: 'b', false: 'c'}\nrules: []\n`],
  ])("keeps a key as it is written, whatever it looks like: %s", (_, text) => {
    const { document } = parseRuleFile("f.yaml", text, OPERATOR_LIMITS);
    expect(document?.definitions.map(({ name }) => name)).toEqual(["null", "True", "false"]);
  });

  test("keeps the rules that are valid by themselves, and names the rule of a finding", () => {
    const text = `version: 2
extra: 1
definitions: {good: 'true', bad-name: 'true', number: 1}
rules:
  - {id: one, condition: x, action: allow}
  - {id: two, condition: x, action: deny}
  - {id: three, id: four, condition: x, action: allow}
  - {id: five, condition: x, action: block, log: 1}
  - {id: six, condition: x, action: block}
`;
    const { document, findings } = parseRuleFile("a.yaml", text, OPERATOR_LIMITS);
    expect(document?.rules.map(({ id }) => id)).toEqual(["one", "six"]);
    expect(document?.definitions.map(({ name }) => name)).toEqual(["good"]);
    expect(findings.map(({ code, place, rule }) => [place.line, code, rule])).toEqual([
      [1, "rule.version", undefined],
      [2, "rule.schema", undefined],
      [3, "rule.schema", undefined],
      [3, "rule.schema", undefined],
      [6, "rule.schema", "two"],
      [7, "rule.yaml", undefined],
      [8, "rule.schema", "five"],
    ]);
  });

  test("as data crosses to another thread and gives the same places", () => {
    const text =
      `version: "1"\ndefinitions: {a: "\\x41\\n b"}\nrules:\n  - id: r\n    condition: >2\n        x\n      y\n    action: block\n`;
    const data = structuredClone(parseToData("a.yaml", text, OPERATOR_LIMITS));
    const { document, findings } = parseRuleFile("a.yaml", text, OPERATOR_LIMITS);
    expect(data.findings).toEqual([...findings]);
    const opened = data.document === null ? null : openDocument(data.document);
    expect(opened?.definitions[0]?.expression.place(1, 3)).toEqual({
      file: "a.yaml",
      line: 2,
      column: 23,
      endLine: 2,
      endColumn: 26,
    });
    expect(opened?.rules[0]?.condition.text).toBe("  x\ny\n");
    for (let at = 0; at < 6; at++) {
      expect(opened?.rules[0]?.condition.place(at, at + 1)).toEqual(document?.rules[0]?.condition.place(at, at + 1));
    }
  });

  test.each([
    { note: "at the limit", count: FINDINGS_LIMIT, shown: FINDINGS_LIMIT, last: "rule.schema" },
    { note: "over the limit", count: FINDINGS_LIMIT + 1, shown: FINDINGS_LIMIT + 1, last: "rule.limit" },
    { note: "far over the limit", count: FINDINGS_LIMIT * 5, shown: FINDINGS_LIMIT + 1, last: "rule.limit" },
  ])("bounds its findings: $note", ({ count, shown, last }) => {
    const members = Array.from({ length: count }, (_, index) => `k${index}: 1\n`).join("");
    const { findings } = parseRuleFile("a.yaml", `version: "1"\n${members}`, OPERATOR_LIMITS);
    expect(findings.length).toBe(shown);
    expect(findings.at(-1)?.code ?? "none").toBe(last);
  });

  test("shows a broken rule once, however often it is named by aliases", () => {
    const text = `version: "1"\nrules:\n  - &a {id: a, condition: 1, action: allow}\n  - *a\n  - *a\n`;
    const { document, findings } = parseRuleFile("a.yaml", text, OPERATOR_LIMITS);
    expect(document?.rules).toEqual([]);
    expect(findings.every(({ code }) => code === "rule.schema")).toBe(true);
  });
});
