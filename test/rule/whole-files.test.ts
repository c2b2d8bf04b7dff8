// All errors are reported at once, including those of malformed rules; each error of a definition once, with a rule
// that uses it.
import { expect, test } from "bun:test";
import { loadRuleFiles } from "../../src/rule/load-rules.ts";

function findings(text: string) {
  const loaded = loadRuleFiles([{ name: "a.yaml", text }]);
  expect(loaded.set).toBeNull();
  const errors = loaded.findings.filter((finding) => finding.severity === "error");
  return errors.map(({ code, place, rule }) => ({ code, at: `${place.line}:${place.column}`, rule }));
}

test("a condition is checked although its rule has an unknown member", () => {
  const text =
    'version: "1"\nrules:\n  - id: two\n    condition: network.port == "x"\n    action: allow\n    logg: true\n';
  expect(findings(text)).toEqual([
    { code: "rule.type", at: "4:16", rule: "two" },
    { code: "rule.schema", at: "6:5", rule: "two" },
  ]);
});

test("a condition is checked although its rule has no readable id", () => {
  const text = 'version: "1"\nrules:\n  - condition: nope.x == 1\n    action: allow\n';
  expect(findings(text).map(({ code }) => code)).toContain("rule.unknown-field");
});

test("the id of a misshapen rule counts as used", () => {
  const text =
    'version: "1"\nrules:\n  - {id: x, condition: "true", action: deny}\n  - {id: x, condition: "true", action: block}\n';
  expect(findings(text)).toEqual([
    { code: "rule.schema", at: "3:40", rule: "x" },
    { code: "rule.duplicate-id", at: "4:10", rule: "x" },
  ]);
});

test("an error within a definition is reported once, with the first rule that uses it", () => {
  const text = 'version: "1"\ndefinitions: {bad: network.nope == 1}\nrules:\n' +
    "  - {id: first, condition: $bad, action: allow}\n  - {id: second, condition: $bad, action: block}\n";
  expect(findings(text)).toEqual([{ code: "rule.unknown-field", at: "2:28", rule: "first" }]);
});

test("an undefined name in a definition names a rule that reaches it", () => {
  const text = 'version: "1"\ndefinitions: {a: $b, b: $nope}\nrules: [{id: r, condition: $a, action: allow}]\n';
  expect(findings(text)).toEqual([{ code: "rule.undefined-definition", at: "2:25", rule: "r" }]);
});

test("a comment at the end of a definition stays inside its parentheses", () => {
  const text = 'version: "1"\ndefinitions:\n  a: |\n    dns.query == "x" // ) || true || (\nrules:\n' +
    "  - {id: r, condition: '$a && dns.record_type == \"A\"', action: allow}\n";
  const { set } = loadRuleFiles([{ name: "a.yaml", text }]);
  expect(set?.rules.map((rule) => rule.expanded)).toEqual([
    '(dns.query == "x" // ) || true || (\n\n) && dns.record_type == "A"',
  ]);
});
