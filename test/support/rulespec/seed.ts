// The examples of the specification's schema page, unchanged, each with envelopes and the outcomes that the page
// states.
import { COMPLETE_ENVELOPE, COMPLETE_RULESPEC } from "./complete.ts";

/** An example: a rulespec of the page, an envelope, and the expected status of each predicate. */
export type SeedExample = {
  readonly note: string;
  readonly rulespec: string;
  readonly envelope: string;
  readonly statuses: readonly string[];
  readonly outcome: "verified" | "failed" | "vacuous";
};

const PASSES = ["pass", "pass", "pass", "pass", "pass", "pass", "pass"];

const complete = (note: string, from: string, to: string, statuses: readonly string[]): SeedExample => ({
  note: `complete example, ${note}`,
  rulespec: COMPLETE_RULESPEC,
  envelope: COMPLETE_ENVELOPE.replace(from, to),
  statuses,
  outcome: statuses.includes("fail") ? "failed" : "verified",
});

const failing = (at: number): readonly string[] =>
  [...PASSES, "skip"].map((status, index) => index === at ? "fail" : status);

const claims = (...selectors: readonly (readonly [name: string, selector: string])[]): string =>
  `claims:\n${selectors.map(([name, selector]) => `  - name: ${name}\n    selector: ${selector}\n`).join("")}`;

const example = (
  note: string,
  rulespec: string,
  facts: string,
  statuses: readonly string[],
): SeedExample => ({
  note,
  rulespec,
  envelope: `facts: ${facts}\n`,
  statuses,
  outcome: statuses.includes("fail") ? "failed" : statuses.includes("pass") ? "verified" : "vacuous",
});

const EXISTENCE = `${claims(["feature_file", "feature.file"], ["breaking_changes", "breaking_changes"])}
# Value must exist (not null, not missing)
predicates:
  - claim: feature_file
    rule: exists
    source: task_prompt

# Value must NOT exist (null or missing)
  - claim: breaking_changes
    rule: not_exists
    source: task_prompt
    notes: "No breaking changes allowed"
`;

const EQUALITY = `${claims(["api_breaking", "api_changes.breaking"])}predicates:
  - claim: api_breaking
    rule: equals
    value: false
    source: task_prompt
`;

const CONTAINMENT = `${claims(["capabilities", "capabilities"])}
predicates:
  - claim: capabilities
    rule: contains
    value: "handle_csv"
    source: task_prompt
  - claim: capabilities
    rule: not_contains
    value: "deprecated_feature"
    source: task_prompt
`;

const MEMBERSHIP = `${claims(["output_format", "output.format"])}
predicates:
  - claim: output_format
    rule: any_of
    value: [json, yaml, toml]
    source: task_prompt
  - claim: output_format
    rule: none_of
    value: [xml, csv]
    source: task_prompt
`;

const NUMBERS = `${claims(["test_count", "tests.count"], ["error_rate", "errors.rate"])}
predicates:
  - claim: test_count
    rule: greater_than
    value: 0
    source: task_prompt
    notes: "Must have at least one test"

  - claim: error_rate
    rule: less_than
    value: 5
    source: memory
`;

const LENGTHS = `${claims(["capabilities", "capabilities"], ["dependencies", "dependencies"])}
predicates:
  - claim: capabilities
    rule: min_length
    value: 2
    source: task_prompt

  - claim: dependencies
    rule: max_length
    value: 10
    source: memory
    notes: "Keep dependency count manageable"
`;

const PATTERN = `${claims(["file_path", "file"])}
predicates:
  - claim: file_path
    rule: matches
    value: "^src/.*\\\\.rs$"
    source: task_prompt
    notes: "File must be a Rust source file in src/"
`;

const WHEN = `${
  claims(
    ["api_endpoints", "api.endpoints"],
    ["is_breaking", "api.breaking"],
    ["coverage_percent", "coverage"],
    ["has_tests", "tests"],
    ["output_format", "output.format"],
    ["has_output", "output"],
    ["reply_to_id", "mail.reply_to_message_id"],
    ["subject_line", "mail.subject"],
  )
}
predicates:
  - claim: api_endpoints
    rule: min_length
    value: 3
    source: task_prompt
    when:
      claim: is_breaking
      rule: equals
      value: true
    notes: "Breaking changes must document all endpoints"
  - claim: coverage_percent
    rule: greater_than
    value: 80
    source: memory
    when:
      claim: has_tests
      rule: exists
  - claim: output_format
    rule: any_of
    value: [json, yaml]
    source: task_prompt
    when:
      claim: has_output
      rule: exists
  - claim: reply_to_id
    rule: exists
    source: task_prompt
    when:
      claim: subject_line
      rule: matches
      value: "^Re: "
    notes: Reply emails must have reply_to_message_id set
`;

const ABSENCE = `${claims(["breaking", "breaking_changes"])}
predicates:
  - claim: breaking
    rule: not_exists
    source: task_prompt
    notes: "No breaking changes"    # ✅ This passes
`;

const EDGES = `${claims(["c", "x"])}
predicates:
  - {claim: c, rule: exists, source: memory}
  - {claim: c, rule: not_exists, source: memory}
  - {claim: c, rule: contains, value: "x", source: memory}
  - {claim: c, rule: equals, value: "y", source: memory}
`;

const SELECTORS = `${
  claims(
    ["nested", "csv_importer.capabilities"],
    ["indexed", "tests[0].name"],
    ["all", "items[*].id"],
    ["deep", "api.endpoints.count"],
    ["prefixed", "facts.csv_importer.capabilities"],
  )
}predicates:
  - {claim: nested, rule: equals, value: [a], source: memory}
  - {claim: indexed, rule: equals, value: first, source: memory}
  - {claim: all, rule: any_of, value: [1, 2], source: memory}
  - {claim: deep, rule: equals, value: 3, source: memory}
  - {claim: prefixed, rule: equals, value: [a], source: memory}
`;

/** Every example of the page. */
export const SEED_EXAMPLES: readonly SeedExample[] = [
  complete("satisfied", "", "", [...PASSES, "skip"]),
  complete("without a capability", "handle_csv, handle_tsv", "handle_tsv, handle_xml", failing(1)),
  complete("with a deprecated feature", "handle_tsv]", "legacy_parser]", failing(2)),
  complete("with one capability", ", handle_tsv]", "]", failing(3)),
  complete("with a file elsewhere", "src/import/csv.rs", "lib/csv.rs", failing(4)),
  complete("without tests", '["test_csv", "test_tsv"]', "[]", failing(5)),
  complete("with breaking changes listed", "breaking_changes: null", "breaking_changes: [removed x]", failing(6)),
  complete("breaking and not documented", "breaking: false", "breaking: true", [...PASSES, "fail"]),
  {
    note: "complete example, breaking with a migration guide",
    rulespec: COMPLETE_RULESPEC,
    envelope: COMPLETE_ENVELOPE.replace("handle_tsv]", "migration_guide]").replace("breaking: false", "breaking: true"),
    statuses: [...PASSES, "pass"],
    outcome: "verified",
  },
  example("existence", EXISTENCE, "{feature: {file: a.rs}}", ["pass", "pass"]),
  example("existence, null on both sides", EXISTENCE, "{feature: {file: null}, breaking_changes: null}", [
    "fail",
    "pass",
  ]),
  example("existence, the other way round", EXISTENCE, "{breaking_changes: yes}", ["fail", "fail"]),
  example("equality", EQUALITY, "{api_changes: {breaking: false}}", ["pass"]),
  example("equality is typed", EQUALITY, '{api_changes: {breaking: "false"}}', ["fail"]),
  example("containment", CONTAINMENT, "{capabilities: [handle_csv]}", ["pass", "pass"]),
  example("containment, the other way round", CONTAINMENT, "{capabilities: [deprecated_feature]}", ["fail", "fail"]),
  example("containment in a text", CONTAINMENT, "{capabilities: can handle_csv}", ["pass", "pass"]),
  example("membership", MEMBERSHIP, "{output: {format: yaml}}", ["pass", "pass"]),
  example("membership, another", MEMBERSHIP, "{output: {format: xml}}", ["fail", "fail"]),
  example("numbers", NUMBERS, "{tests: {count: 1}, errors: {rate: 4.9}}", ["pass", "pass"]),
  example("numbers, at the bounds", NUMBERS, "{tests: {count: 0}, errors: {rate: 5}}", ["fail", "fail"]),
  example("lengths", LENGTHS, "{capabilities: [a, b], dependencies: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]}", [
    "pass",
    "pass",
  ]),
  example("lengths, one off", LENGTHS, "{capabilities: [a], dependencies: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]}", [
    "fail",
    "fail",
  ]),
  example("pattern", PATTERN, "{file: src/a/b.rs}", ["pass"]),
  example("pattern, elsewhere", PATTERN, "{file: test/src/a.rs}", ["fail"]),
  example("when, nothing applies: vacuous", WHEN, "{api: {breaking: false}}", ["skip", "skip", "skip", "skip"]),
  example(
    "when, all apply and hold",
    WHEN,
    '{api: {breaking: true, endpoints: [a, b, c]}, coverage: 81, tests: [t], output: {format: json}, mail: {subject: "Re: x", reply_to_message_id: 7}}',
    ["pass", "pass", "pass", "pass"],
  ),
  example(
    "when, all apply and none holds",
    WHEN,
    '{api: {breaking: true, endpoints: [a]}, coverage: 80, tests: [t], output: {format: xml}, mail: {subject: "Re: x"}}',
    ["fail", "fail", "fail", "fail"],
  ),
  example("when by a pattern is no plain search", WHEN, '{mail: {subject: "Fwd: Re: x"}, a: 1}', [
    "skip",
    "skip",
    "skip",
    "skip",
  ]),
  example("asserting absence", ABSENCE, "{breaking_changes: null}", ["pass"]),
  example("edge: null", EDGES, "{x: null}", ["fail", "pass", "fail", "fail"]),
  example("edge: a missing key", EDGES, "{y: 1}", ["fail", "pass", "fail", "fail"]),
  example("edge: an empty text", EDGES, '{x: ""}', ["pass", "fail", "fail", "fail"]),
  example("edge: an empty list", EDGES, "{x: []}", ["pass", "fail", "fail", "fail"]),
  example("edge: zero", EDGES, "{x: 0}", ["pass", "fail", "fail", "fail"]),
  example(
    "selectors",
    SELECTORS,
    "{csv_importer: {capabilities: [a]}, tests: [{name: first}], items: [{id: 1}, {id: 2}], api: {endpoints: {count: 3}}}",
    ["pass", "pass", "pass", "pass", "pass"],
  ),
];
