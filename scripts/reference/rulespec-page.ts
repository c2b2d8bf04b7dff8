// `rulespec.md`: the members of rulespecs, their rules with examples that both evaluations judge, and findings.
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

/** What a rule takes, when it passes, and values of the claim that pass and fail with a value of the rule. */
type Described = {
  readonly takes: string;
  readonly meaning: string;
  readonly value: string | null;
  readonly passes: string;
  readonly fails: string;
};

const DESCRIBED: Readonly<Record<RuleName, Described>> = {
  exists: { takes: "", meaning: "There is a value.", value: null, passes: '""', fails: "null" },
  not_exists: { takes: "", meaning: "There is none.", value: null, passes: "null", fails: "0" },
  equals: { takes: "any", meaning: "Exactly one value, and it equals.", value: "1", passes: "1.0", fails: '"1"' },
  contains: {
    takes: "any",
    meaning: "A list has it as element, a text as part, a map as value.",
    value: "b",
    passes: "[a, b]",
    fails: "[a, c]",
  },
  not_contains: { takes: "any", meaning: "None has it. Absent passes.", value: "b", passes: "[a]", fails: "abc" },
  any_of: {
    takes: "list",
    meaning: "Every value, or element, is one of them.",
    value: "[a, b]",
    passes: "a",
    fails: "[a, c]",
  },
  none_of: {
    takes: "list",
    meaning: "No value or element is. Absent passes.",
    value: "[a, b]",
    passes: "c",
    fails: "[a, c]",
  },
  greater_than: {
    takes: "number",
    meaning: "Every value is a greater number.",
    value: "80",
    passes: "80.5",
    fails: "80",
  },
  less_than: { takes: "number", meaning: "Every value is a lesser number.", value: "5", passes: "4", fails: '"4"' },
  min_length: {
    takes: "length",
    meaning: "Every value is a list of so many or more.",
    value: "2",
    passes: "[1, 2]",
    fails: "[1]",
  },
  max_length: {
    takes: "length",
    meaning: "Every value is a list of so many or fewer.",
    value: "2",
    passes: "[]",
    fails: "abc",
  },
  matches: {
    takes: "RE2 pattern",
    meaning: "Every value is a text in which it finds something.",
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
    "How rulespecs are used: [rulespec.md](../rulespec.md). This page has every member, rule and finding.",
    "## Members",
    block("text", EXAMPLE),
    table(["Member", "Required", "Meaning"], MEMBERS.map(([name, must, meaning]) => [code(name), must, meaning])),
    "Any other member is an error. `outcall schema rulespec` prints the JSON Schema.",
    "## Rules",
    "Nulls are dropped first; where nothing is left, a rule fails unless it says otherwise. Numbers compare by value; nothing is " +
    "converted.",
    table(["Rule", "Value", "Passes when", "Example value", "passes", "fails"], rows),
    "## Findings",
    findingTable(RULESPEC_FINDINGS),
  ]);
}

const MEMBERS: readonly (readonly [name: string, required: string, meaning: string])[] = [
  ["claims[].name", "yes", "Name of the claim, once only."],
  ["claims[].selector", "yes", "Path into the facts: `a.b`, `a[0]`, `a[*]`, any depth. `[*]` is every element."],
  ["predicates[].claim", "yes", "Name of a claim."],
  ["predicates[].rule", "yes", "One of the rules below."],
  ["predicates[].value", "as the rule says", "What the rule compares with; null counts as none."],
  ["predicates[].source", "yes", `${words(SOURCES.map(code))}: where the invariant comes from.`],
  ["predicates[].notes", "", "What the agent may read where the predicate fails."],
  ["predicates[].when", "", "`{claim, rule, value}`: where that does not hold, the predicate is skipped."],
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

// The page says no more than what both evaluations say.
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
