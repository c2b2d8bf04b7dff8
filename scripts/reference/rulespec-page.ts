// `rulespec.md`: the members of rulespecs, their rules with verified examples, and their findings.
import { parseEnvelope } from "../../src/rulespec/parse-envelope.ts";
import { parseRulespec } from "../../src/rulespec/parse-rulespec.ts";
import { OPERATOR_TEXT } from "../../src/rulespec/read-yaml.ts";
import { OPERATOR_VERIFY, verify } from "../../src/rulespec/verify-envelope.ts";
import { RULES, RulespecFileSchema, SOURCES } from "../../src/wire/rulespec-file.ts";
import { fail } from "../failure.ts";
import { findingTable } from "./findings.ts";
import { block, code, GENERATED, page, table, words } from "./markdown.ts";
import { RULESPEC_FINDINGS } from "./rulespec-findings.ts";
import { plainSchema, type SchemaNode } from "./schema.ts";

type RuleName = (typeof RULES)[number];

/** The type of a rule's value, when the rule passes, an example value, and claim values that pass and fail with it. */
type Described = {
  readonly takes: string;
  readonly meaning: string;
  readonly value: string | null;
  readonly passes: string;
  readonly fails: string;
};

const DESCRIBED: Readonly<Record<RuleName, Described>> = {
  exists: { takes: "", meaning: "The claim has a value.", value: null, passes: '""', fails: "null" },
  not_exists: { takes: "", meaning: "The claim has no value.", value: null, passes: "null", fails: "0" },
  equals: {
    takes: "any",
    meaning: "The claim has exactly one value, and it is equal.",
    value: "1",
    passes: "1.0",
    fails: '"1"',
  },
  contains: {
    takes: "any",
    meaning: "A list has it as an element, a string as a substring, or a map as a value.",
    value: "b",
    passes: "[a, b]",
    fails: "[a, c]",
  },
  not_contains: {
    takes: "any",
    meaning: "No value contains it. An absent claim passes.",
    value: "b",
    passes: "[a]",
    fails: "abc",
  },
  any_of: {
    takes: "list",
    meaning: "Every value, or element of a list, is one of these.",
    value: "[a, b]",
    passes: "a",
    fails: "[a, c]",
  },
  none_of: {
    takes: "list",
    meaning: "No value, or element of a list, is one of these. An absent claim passes.",
    value: "[a, b]",
    passes: "c",
    fails: "[a, c]",
  },
  greater_than: {
    takes: "number",
    meaning: "Every value is a number above it.",
    value: "80",
    passes: "80.5",
    fails: "80",
  },
  less_than: { takes: "number", meaning: "Every value is a number below it.", value: "5", passes: "4", fails: '"4"' },
  min_length: {
    takes: "length",
    meaning: "Every value is a list with at least this many elements.",
    value: "2",
    passes: "[1, 2]",
    fails: "[1]",
  },
  max_length: {
    takes: "length",
    meaning: "Every value is a list with at most this many elements.",
    value: "2",
    passes: "[]",
    fails: "abc",
  },
  matches: {
    takes: "RE2 pattern",
    meaning: "Every value is a string, and the pattern matches a part of it.",
    value: "^v[0-9]+$",
    passes: "v12",
    fails: "v12-rc1",
  },
};

const EXAMPLE = `claims:
  - {name: failed tests, selector: tests.failed}
predicates:
  - claim: failed tests
    rule: equals
    value: 0
    source: task_prompt
    notes: all tests must pass
`;

/** The page. */
export function rulespecPage(): string {
  const rows = RULES.map((name) => {
    const { takes, meaning, value, passes, fails } = DESCRIBED[name];
    hold(name, value, passes, "pass");
    hold(name, value, fails, "fail");
    return [code(name), takes, meaning, value === null ? "" : code(value), code(passes), code(fails)];
  });
  checkMembers();
  return page([
    "# Rulespecs",
    GENERATED,
    "[rulespec.md](../rulespec.md) explains how to use rulespecs. This page lists every member, rule and finding.",
    "## Members",
    block("text", EXAMPLE),
    table(["Member", "Required", "Meaning"], MEMBERS.map(([name, must, meaning]) => [code(name), must, meaning])),
    "Any other member is an error. `outcall schema rulespec` prints the JSON Schema.",
    "## Rules",
    "Null values are dropped first. If no value is left, a rule fails unless the table says otherwise. Numbers are compared by " +
    "value. There are no implicit conversions.",
    table(["Rule", "Value", "Passes when", "Example value", "passes", "fails"], rows),
    "## Findings",
    findingTable(RULESPEC_FINDINGS),
  ]);
}

const MEMBERS: readonly (readonly [name: string, required: string, meaning: string])[] = [
  ["claims[].name", "yes", "The name of the claim; it must be unique."],
  [
    "claims[].selector",
    "yes",
    "A path into the facts, of any depth: `a.b`, `a[0]`, `a[*]`. `[*]` selects every element.",
  ],
  ["predicates[].claim", "yes", "The name of a claim."],
  ["predicates[].rule", "yes", "One of the rules below."],
  ["predicates[].value", "depends on the rule", "The value that the rule compares with; null counts as no value."],
  ["predicates[].source", "yes", `${words(SOURCES.map(code))}: where the invariant comes from.`],
  ["predicates[].notes", "", "A text that the agent can read if the predicate fails."],
  ["predicates[].when", "", "A condition `{claim, rule, value}`. If it does not hold, the predicate is skipped."],
];

// The members of the table are those of the schema.
function checkMembers(): void {
  const { claims, predicates } = plainSchema(RulespecFileSchema, {}).properties ?? {};
  const ofList = (name: string, list: SchemaNode | undefined) => {
    const items = list?.anyOf?.[0]?.items;
    return Object.keys((items?.anyOf?.[0] ?? items)?.properties ?? {}).map((member) => `${name}[].${member}`);
  };
  const known = [...ofList("claims", claims), ...ofList("predicates", predicates)].sort();
  const listed = MEMBERS.map(([name]) => name).sort();
  if (known.join() !== listed.join()) fail(`rulespec: the members are ${known.join()}, the table has ${listed.join()}`);
}

// Verifies an example of the page with both evaluations.
function hold(rule: RuleName, value: string | null, fact: string, wanted: "pass" | "fail"): void {
  const given = value === null ? "" : `, value: '${value}'`.replace(/'(\d+|\[.*)'/, "$1");
  const text = `claims: [{name: c, selector: x}]\npredicates: [{claim: c, rule: ${rule}${given}, source: memory}]\n`;
  const { rulespec, findings } = parseRulespec("rulespec.yaml", text);
  const envelope = parseEnvelope("envelope.yaml", `facts: {other: 1, x: ${fact}}\n`, OPERATOR_TEXT);
  if (rulespec === null || !envelope.ok) {
    return fail(`${rule}: ${JSON.stringify(rulespec === null ? findings : envelope)}`);
  }
  const verified = verify(rulespec, envelope.value.facts, OPERATOR_VERIFY);
  const status = verified.ok ? verified.value.answers[0]?.status : verified.error.message;
  if (status !== wanted) fail(`${rule} of ${fact} is ${status}, not ${wanted}`);
}
