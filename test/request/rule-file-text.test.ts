// Every text is unchanged after it was written as YAML and read again.
import { expect, test } from "bun:test";
import { OPERATOR_LIMITS, parseRuleFile } from "../../src/rule/parse-rule-file.ts";
import { ruleFileText, yamlText } from "../../src/request/rule-file-text.ts";
import { seededRandom } from "../support/random.ts";
import { CASES } from "../support/cases.ts";

const SEED = Number(process.env["OUTCALL_SEED"] ?? Date.now() % 1_000_000_000);

// Characters with a meaning in YAML, in JSON or on a terminal, and some for each length of escape.
const CHARACTERS = [
  ..."\"'\\:#-{}[]&*!|>%@`,? \t\n\r\0\x07\x1b\x7f\x80\x85\xa0\xff\u0100\u2028\u2029\u202e\ufeff\uffff",
  ...["😀", "\u{10ffff}", "---", "...", "\\x41", "\\u0041", "yes", "null", "0x10", "\n  - id: b", "é", "a"],
];

test("yamlText in printable ASCII", () => {
  expect(yamlText('a"\\\n\x7f\xff\u0100😀')).toBe('"a\\"\\\\\\x0a\\x7f\\xff\\u0100\\U0001f600"');
});

test("property: conditions and descriptions come back as they were", () => {
  const random = seededRandom(SEED);
  const text = () => Array.from({ length: random.below(12) }, () => random.pick(CHARACTERS)).join("");
  for (let each = 0; each < CASES; each++) {
    const rules = Array.from({ length: 1 + random.below(3) }, (_, index) => ({
      ...{ id: `r${index}`, condition: text(), action: "allow", description: text() },
      ...{ priority: random.below(2 ** 31), log: random.below(2) === 0 },
    }));
    const written = ruleFileText(rules);
    expect(written).toMatch(/^[\x20-\x7e\n]*$/);
    const { document, findings } = parseRuleFile("a.yaml", written, OPERATOR_LIMITS);
    const read = document?.rules.map(({ id, condition, action, description, priority, log }) => {
      return { id, condition: condition.text, action, description, priority, log };
    });
    expect<unknown>({ seed: SEED, findings, read }).toEqual({ seed: SEED, findings: [], read: rules });
  }
});
