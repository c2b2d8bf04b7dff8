// Rule files with random damage: parsing never throws. It gives findings with valid places, or a document in which
// every character has a place.
import { expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { parse } from "yaml";
import { hasErrors } from "../../src/core/finding.ts";
import { comparePlaces } from "../../src/core/span.ts";
import type { SourceText } from "../../src/core/source-text.ts";
import { AGENT_LIMITS, OPERATOR_LIMITS, type ParsedFile, parseRuleFile } from "../../src/rule/parse-rule-file.ts";
import { RuleFileSchema } from "../../src/wire/rule-file.ts";
import { type Random, seededRandom } from "../support/random.ts";
import { CASES } from "../support/cases.ts";

const TIMEOUT_MS = 600_000;
const SEED = Number(process.env["OUTCALL_SEED"] ?? Math.floor(Math.random() * 2 ** 31));

const FILES: readonly string[] = [
  `version: "1"
definitions:
  is_github: network.hostname == "github.com"
  api: >-
    $is_github &&
      http.path.startsWith("/api")

    || false
rules:
  - id: "allow-github-api"
    condition: |
      $is_github &&
      http.method in ["GET", "POST"]
    action: allow
    egress: {mode: proxy}
  - id: block-force-push
    condition: run.tool == "git" && "-f" in run.flags
    action: block
    log: true
    reason: "no \\"force\\" \\u0070ush"
`,
  `# comment
---
version: '1'
rules: [{id: a, condition: &c 'dns.query == ''x''', action: enrich, enrich: {script: a.sh, timeout_ms: 0x10}},
  {id: b, condition: *c, action: allow, priority: -5}, # more
  {"id": "c", "condition": "true
    && true", "action": "block", description: ~}]
...
`,
  `{"version": "1", "definitions": {"a": "true"}, "rules": null}`,
];

const TOKENS: readonly string[] = [
  ..."\n\t ,:-?[]{}#&*!|>'\"%@`\\~0\0\r\u0085\u2028\ufeff😀".split(""),
  "\n  ",
  "\r\n",
  ": ",
  "- ",
  "? ",
  "---\n",
  "...\n",
  "&a ",
  "*a",
  "!!str ",
  "%YAML 1.1\n",
  "<<: ",
  "|+1\n",
  ">-\n",
  "\\u",
  "''",
  "rules",
  "version",
  "null",
  "\ud800",
];

test(`parseRuleFile takes any text, seed ${SEED}`, () => {
  const random = seededRandom(SEED);
  for (let index = 0; index < CASES; index++) {
    const text = mutate(random, random.pick(FILES));
    check(text, parseRuleFile("f.yaml", text, random.pick([OPERATOR_LIMITS, AGENT_LIMITS])));
  }
}, TIMEOUT_MS);

test(`parseRuleFile takes any bytes, seed ${SEED}`, () => {
  const random = seededRandom(SEED);
  for (let index = 0; index < CASES; index++) {
    const bytes = new TextEncoder().encode(random.pick(FILES));
    for (let count = random.below(4); count > 0; count--) bytes[random.below(bytes.length)] = random.below(256);
    const text = new TextDecoder().decode(bytes);
    check(text, parseRuleFile("f.yaml", bytes, OPERATOR_LIMITS));
  }
}, TIMEOUT_MS);

function mutate(random: Random, text: string): string {
  let mutated = text;
  for (let count = 1 + random.below(5); count > 0; count--) {
    const at = random.below(mutated.length + 1);
    const length = random.pick([0, 0, 1, 2, 10]);
    const other = random.pick(FILES);
    const from = random.below(other.length);
    const insert = random.pick([
      "",
      random.pick(TOKENS),
      random.pick(TOKENS),
      other.slice(from, from + random.below(60)),
    ]);
    mutated = mutated.slice(0, at) + insert + mutated.slice(at + length);
  }
  return mutated;
}

const CODES = ["rule.yaml", "rule.schema", "rule.version", "rule.limit", "rule.unsupported", "rule.no-rules"];

function check(text: string, { document, findings }: ParsedFile): void {
  const lineCount = text.split("\n").length;
  for (const finding of findings) {
    const { place } = finding;
    const isInFile = place.file === "f.yaml" && place.line >= 1 && place.column >= 1 && place.line <= lineCount &&
      place.endLine >= place.line && place.endLine <= lineCount;
    const isLine = finding.message.length > 0 && !/[\p{Cc}\p{Cf}]/u.test(finding.message);
    const isKnown = CODES.includes(finding.code);
    expect({ text, finding, isInFile, isLine, isKnown }).toEqual({
      text,
      finding,
      isInFile: true,
      isLine: true,
      isKnown: true,
    });
  }
  expect(findings.toSorted((a, b) => comparePlaces(a.place, b.place))).toEqual([...findings]);
  if (hasErrors(findings)) return;
  // An accepted text is also a rule file for the YAML library, with the same content. A key is a string even if it
  // looks like something else, such as `null`.
  expect(document).not.toBeNull();
  const value: unknown = parse(text, { stringKeys: true });
  expect({ text, fits: Value.Check(RuleFileSchema, value) }).toEqual({ text, fits: true });
  if (document === null || !Value.Check(RuleFileSchema, value)) return;
  expect(document.rules.map((rule) => rule.condition.text)).toEqual((value.rules ?? []).map((rule) => rule.condition));
  expect(document.definitions.map(({ name }) => name)).toEqual(Object.keys(value.definitions ?? {}));
  for (const { condition } of document.rules) walk(condition);
  for (const { expression } of document.definitions) walk(expression);
}

function walk(source: SourceText): void {
  let before = source.place(0, 0);
  for (let at = 0; at <= source.text.length; at++) {
    const place = source.place(at, at + 1);
    expect(comparePlaces(before, place)).toBeLessThanOrEqual(0);
    before = place;
  }
}
