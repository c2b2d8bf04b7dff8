// The shape of rule files: what is refused, with which code, place and message.
import { describe, expect, test } from "bun:test";
import { ALLOW, BLOCK, ENRICH, findingsOf, rule } from "../support/rule/file.ts";

type Refused = readonly [note: string, text: string, ...findings: readonly string[]];

const FILE: readonly Refused[] = [
  [
    "nothing",
    "",
    '1:1-1:1 rule.schema a rule file must be a map, found nothing | begin the file with version: "1", and list the rules under rules:',
  ],
  [
    "a comment alone",
    "# a\n",
    '1:1-1:1 rule.schema a rule file must be a map, found nothing | begin the file with version: "1", and list the rules under rules:',
  ],
  [
    "a list",
    "- a\n",
    '1:1-1:1 rule.schema a rule file must be a map, found a list | begin the file with version: "1", and list the rules under rules:',
  ],
  [
    "a text",
    "\n\nhello\n",
    '3:1-3:1 rule.schema a rule file must be a map, found the string "hello" | begin the file with version: "1", and list the rules under rules:',
  ],
  [
    "null",
    "null\n",
    '1:1-1:1 rule.schema a rule file must be a map, found nothing | begin the file with version: "1", and list the rules under rules:',
  ],
  [
    "no version",
    "rules: []\n",
    '1:1-1:1 rule.version missing member "version" of a rule file | begin the file with version: "1"',
  ],
  [
    "an empty map",
    "# a\n{}\n",
    '1:1-1:1 rule.version missing member "version" of a rule file | begin the file with version: "1"',
  ],
  [
    "version as a number",
    "rules: []\nversion: 1\n",
    '2:10-2:11 rule.version version must be the string "1", found the number 1 | quote it: version: "1"',
  ],
  [
    "version as a fraction",
    "version: 1.0\n",
    '1:10-1:13 rule.version version must be the string "1", found the number 1.0 | quote it: version: "1"',
  ],
  ["another version", 'version: "2"\n', '1:10-1:13 rule.version version must be the string "1", found the string "2"'],
  ["an empty version", "version:\n", '1:9-1:9 rule.version version must be the string "1", found nothing'],
  ["version as a map", "version: {a: b}\n", '1:10-1:16 rule.version version must be the string "1", found a map'],
  [
    "an unknown member",
    'version: "1"\nrule: []\n',
    '2:1-2:5 rule.schema unknown member "rule" of a rule file | did you mean "rules"?',
  ],
  [
    "an unknown member like no other",
    'version: "1"\nxyz: []\n',
    '2:1-2:4 rule.schema unknown member "xyz" of a rule file | known are version, definitions, rules',
  ],
  [
    "a merge key",
    'version: "1"\n<<: {rules: []}\n',
    '2:1-2:3 rule.schema unknown member "<<" of a rule file | known are version, definitions, rules',
  ],
  [
    "an unprintable member",
    'version: "1"\n"\\u001b[2J\\u202e": 1\n',
    '2:1-2:18 rule.schema unknown member "\\u{1b}[2J\\u{202e}" of a rule file | known are version, definitions, rules',
  ],
  [
    "rules as a map",
    'version: "1"\nrules: {a: b}\n',
    "2:8-2:14 rule.schema rules must be a list, found a map | begin each rule with a dash: - id: ...",
  ],
  [
    "rules as a text",
    'version: "1"\nrules: a\n',
    '2:8-2:9 rule.schema rules must be a list, found the string "a" | begin each rule with a dash: - id: ...',
  ],
  [
    "rules that are none",
    'version: "1"\nrules: [a, 1, null, [], {}]\n',
    '2:9-2:10 rule.schema a rule must be a map, found the string "a"',
    "2:12-2:13 rule.schema a rule must be a map, found the number 1",
    "2:15-2:19 rule.schema a rule must be a map, found nothing",
    "2:21-2:23 rule.schema a rule must be a map, found a list",
    '2:25-2:25 rule.schema missing member "id" of a rule | give the rule a name of its own: id: git.read',
    '2:25-2:25 rule.schema missing member "condition" of a rule | say when the rule matches: condition: network.hostname == "example.com"',
    '2:25-2:25 rule.schema missing member "action" of a rule | say what the rule does: action: allow, or action: block',
  ],
];

const DEFINITIONS: readonly Refused[] = [
  [
    "definitions as a list",
    'version: "1"\ndefinitions: [a]\n',
    "2:14-2:17 rule.schema definitions must be a map, found a list",
  ],
  [
    "a definition that is no text",
    'version: "1"\ndefinitions:\n  yes: true\n  no: 1\n  a: [b]\n  b:\n',
    '3:8-3:12 rule.schema definition yes must be a string, found the boolean true | quote it: yes: "true"',
    '4:7-4:8 rule.schema definition no must be a string, found the number 1 | quote it: no: "1"',
    "5:6-5:9 rule.schema definition a must be a string, found a list",
    "6:5-6:5 rule.schema definition b must be a string, found nothing",
  ],
  [
    "bad names, each of them",
    `version: "1"\ndefinitions: {a-b: 'x', 1: 'x', '': 'x', é: 'x', a/b~c: 'x'}\n`,
    ...[["2:15-2:18", "a-b"], ["2:25-2:26", "1"], ["2:33-2:35", ""], ["2:42-2:43", "é"], ["2:50-2:55", "a/b~c"]].map(
      ([place, name]) =>
        `${place} rule.schema the name of a definition must be a letter or _, then letters, digits and _, found "${name}"`,
    ),
  ],
  [
    "definitions without rules",
    `\nversion: "1"\ndefinitions: {a: 'true'}\nrules: []\n`,
    "2:1-2:1 rule.no-rules the file has definitions and no rules",
  ],
];

const RULES: readonly Refused[] = [
  [
    "an unknown member",
    rule(...ALLOW, "logging: true"),
    '6:5-6:12 rule.schema unknown member "logging" of a rule | did you mean "log"?',
  ],
  [
    "a misspelt member",
    rule("id: r", "conditon: 'true'", "action: allow"),
    '3:5-3:5 rule.schema missing member "condition" of a rule | say when the rule matches: condition: network.hostname == "example.com"',
    '4:5-4:13 rule.schema unknown member "conditon" of a rule | did you mean "condition"?',
  ],
  [
    "an unknown action",
    rule("id: r", "condition: 'true'", "action: alow"),
    '5:13-5:17 rule.schema action must be one of "allow", "block", "enrich", found the string "alow" | did you mean "allow"?',
  ],
  [
    "an action that is no text, beside other members",
    rule("id: r", "condition: 'true'", "action: true", "egress: {}", "enrich: {}", "foo: 1"),
    '5:13-5:17 rule.schema action must be one of "allow", "block", "enrich", found the boolean true',
    '8:5-8:8 rule.schema unknown member "foo" of a rule | known are id, condition, log, description, priority, reason, action, egress, expires, enrich',
  ],
  [
    "a condition that YAML takes for a boolean",
    rule("id: r", "condition: true", "action: allow"),
    '4:16-4:20 rule.schema condition must be a string, found the boolean true | quote it: condition: "true"',
  ],
  [
    "a condition that is empty, a number, a list",
    `version: "1"\nrules:\n  - {id: a, condition: , action: allow}\n  - {id: b, condition: 1e3, action: allow}\n` +
    "  - {id: c, condition: [x], action: allow}\n",
    "3:24-3:24 rule.schema condition must be a string, found nothing",
    '4:24-4:27 rule.schema condition must be a string, found the number 1e3 | quote it: condition: "1e3"',
    "5:24-5:27 rule.schema condition must be a string, found a list",
  ],
  [
    "log as YAML 1.1 says it",
    rule(...ALLOW, "log: yes"),
    '6:10-6:13 rule.schema log must be true or false, found the string "yes" | write true',
  ],
  ["log as nothing", rule(...ALLOW, "log:"), "6:9-6:9 rule.schema log must be true or false, found nothing"],
  [
    "a description that is no text",
    rule(...ALLOW, "description: 1"),
    '6:18-6:19 rule.schema description must be a string, found the number 1 | quote it: description: "1"',
  ],
  ...["-2147483649", "2147483648", "1.5", ".inf", ".nan", "'1'", "99999999999999999999"].map((priority): Refused => [
    `priority ${priority}`,
    rule(...ALLOW, `priority: ${priority}`),
    `6:15-6:${15 + priority.length} rule.schema priority must be an integer from -2147483648 to 2147483647, found ` +
    (priority.startsWith("'") ? 'the string "1"' : `the number ${priority}`),
  ]),
  ...[
    "a".repeat(129),
    "-a",
    ".a",
    "a b",
    "é",
    "",
    "default-block",
    "rule-0123456789ab",
    "rr-0123456789ab",
    "rule-0123456789AB",
  ].map((id): Refused => [
    `id ${id.slice(0, 20)}`,
    rule(`id: "${id}"`, "condition: 'true'", "action: allow"),
    `3:9-3:${
      11 + id.length
    } rule.schema id must be 1 to 128 characters of A-Z a-z 0-9 . _ : -, starting with a letter ` +
    "or digit, and not default-block, rule-<12 hex> or rr-<12 hex>, which the product prints itself, found the string " +
    `"${id.slice(0, 60)}${id.length > 60 ? "..." : ""}"`,
  ]),
  [
    "ids that are no texts",
    `version: "1"\nrules:\n` +
    ["no", "null", "0o17", "1e3"].map((id) => `  - {id: ${id}, condition: 'true', action: allow}\n`).join(""),
    "4:10-4:14 rule.schema id must be a string, found nothing",
    '5:10-5:14 rule.schema id must be a string, found the number 0o17 | quote it: id: "0o17"',
    '6:10-6:13 rule.schema id must be a string, found the number 1e3 | quote it: id: "1e3"',
  ],
  ...[["", ""], ["é".repeat(201), `${"é".repeat(60)}...`], ["a\\nb", "a\\u{a}b"], ["\\u001b", "\\u{1b}"], [
    "\\L",
    "\\u{2028}",
  ]].map(([reason, shown]): Refused => [
    `reason ${shown?.slice(0, 10)}`,
    rule(...BLOCK, `reason: "${reason}"`),
    `6:13-6:${
      15 + (reason?.length ?? 0)
    } rule.schema reason must be 1 to 200 characters in one line, without control ` +
    `characters, found the string "${shown}"`,
  ]),
];

const HOOKS: readonly Refused[] = [
  [
    "enrich missing",
    rule(...ENRICH),
    '3:5-3:5 rule.schema missing member "enrich" of a rule | ' +
    "a rule of action enrich names its hook: enrich: {script: <path>}",
  ],
  [
    "enrich of another action",
    rule(...ALLOW, "enrich: {script: a.sh}"),
    '6:5-6:11 rule.schema a rule of action "allow" cannot have the member "enrich"',
  ],
  [
    "enrich as a text",
    rule(...ENRICH, "enrich: a.sh"),
    '6:13-6:17 rule.schema enrich must be a map, found the string "a.sh"',
  ],
  ["no script", rule(...ENRICH, "enrich: {}"), '6:13-6:13 rule.schema missing member "script" of enrich'],
  [
    "an unknown member",
    rule(...ENRICH, "enrich: {script: a.sh, timeout: 1}"),
    '6:28-6:35 rule.schema unknown member "timeout" of enrich | did you mean "timeout_ms"?',
  ],
  ...["0", "60001", "1.5"].map((timeout): Refused => [
    `time limit ${timeout}`,
    rule(...ENRICH, `enrich: {script: a.sh, timeout_ms: ${timeout}}`),
    `6:40-6:${
      40 + timeout.length
    } rule.schema timeout_ms must be an integer from 1 to 60000, found the number ${timeout}`,
  ]),
  [
    "an empty script",
    rule(...ENRICH, "enrich: {script: ''}"),
    "6:22-6:24 rule.schema script must be a path of 1 to 4096 characters in one line, without control characters, " +
    'found the string ""',
  ],
];

describe.each([
  { what: "a file", cases: FILE },
  { what: "definitions", cases: DEFINITIONS },
  { what: "rules", cases: RULES },
  { what: "hooks", cases: HOOKS },
])("parseRuleFile reports of $what", ({ cases }) => {
  test.each(cases.map(([note, text, ...findings]) => ({ note, text, findings })))("$note", ({ text, findings }) => {
    expect(findingsOf(text)).toEqual([...findings]);
  });
});
