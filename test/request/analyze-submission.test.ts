// What an agent may request, and the error texts for everything else: they depend only on the agent's own text.
import { describe, expect, test } from "bun:test";
import { createEnvironment } from "../../src/cel/environment.ts";
import { formatTree } from "../../src/cel/format-tree.ts";
import { NAMESPACES, VARIABLES } from "../../src/core/context.ts";
import { type Analyzed, analyzeSubmission } from "../../src/request/analyze-submission.ts";
import { SUBMISSION_LIMIT_BYTES, SUBMISSION_LIMIT_RULES } from "../../src/request/submission-limits.ts";
import { accessSubmission, digestOfSubmission, ruleSubmission } from "../../src/request/submission.ts";
import { summarize } from "../../src/request/summarize-request.ts";
import type { Submission } from "../../src/wire/stored-request.ts";
import { fileOf, ruleOf } from "../support/request/bench.ts";

const ENVIRONMENT = createEnvironment({ namespaces: NAMESPACES, variables: VARIABLES });

function analyze(submission: Submission): Analyzed {
  const analyzed = analyzeSubmission(submission, ENVIRONMENT);
  if (!analyzed.ok) throw new Error(analyzed.error.message);
  return analyzed.value;
}

function refusal(submission: Submission): string {
  const analyzed = analyzeSubmission(submission, ENVIRONMENT);
  return analyzed.ok ? "accepted" : `${analyzed.error.code}: ${analyzed.error.message}`;
}

const file = (ruleFile: string): Submission => ({ form: "file", ruleFile });

describe("S004-FR-011 a whole rule file", () => {
  test("gives its rules with their definitions in place, and nothing else of them", () => {
    const { rules, warnings, ruleFile } = analyze(file(`version: "1"
definitions: {gh: network.hostname == "github.com", unused: 'true'}
rules:
  - {id: a, condition: '$gh // why', action: allow, description: d, log: true, priority: 7, expires: '2026-12-31T18:00:00Z'}
  - {id: b, condition: run.tool == "x", action: block}
`));
    expect(rules.map(({ tree, ...rule }) => ({ ...rule, condition: formatTree(tree) }))).toEqual([
      {
        ...{ id: "a", action: "allow", written: "$gh // why", condition: 'network.hostname == "github.com"' },
        ...{ priority: 7, log: true, description: "d", expires: "2026-12-31T18:00:00Z" },
      },
      {
        ...{ id: "b", action: "block", written: 'run.tool == "x"', condition: 'run.tool == "x"' },
        ...{ priority: 100, log: false, description: null, expires: null },
      },
    ]);
    expect(warnings).toEqual(['definition "unused" is used by no rule']);
    expect(ruleFile).toStartWith('version: "1"');
  });

  test("a warning about priorities is none for a request", () => {
    expect(analyze(fileOf("id: a, condition: run.parsed, action: allow, priority: 1000000")).warnings).toEqual([]);
  });
});

describe("S004-FR-011 members of one rule, and S003-IF-006 access in words", () => {
  test("a rule without an id", () => {
    const { rules, ruleFile } = analyze(ruleOf('target == "a"', "block", "why: because\n# no comment"));
    expect(rules.map(({ tree: _, ...rule }) => rule)).toEqual([{
      ...{ id: null, action: "block", written: 'target == "a"', priority: 100, log: false },
      description: "why: because\n# no comment",
      expires: null,
    }]);
    expect(ruleFile).toContain('    condition: "target == \\"a\\""\n');
  });

  test("a suggested condition is an allow", () => {
    const access = { form: "access", description: "d", requestedAccess: "npm" } as const;
    const [rule] = analyze({ ...access, suggestedCondition: 'dns.query == "a"' }).rules;
    expect(rule).toMatchObject({ id: null, action: "allow", description: "d", written: 'dns.query == "a"' });
    expect(analyze({ ...access, suggestedCondition: null })).toEqual({ rules: [], ruleFile: null, warnings: [] });
  });
});

describe("refused with 422 and the analysis's message", () => {
  const padding = (bytes: number): string => `version: "1"\nrules: []\n#${"x".repeat(bytes - 24)}`;
  const rules = (count: number): Submission =>
    fileOf(
      ...Array.from({ length: count }, (_, index) => `id: r${index}, condition: run.tool == "${index}", action: allow`),
    );
  const cases: readonly (readonly [note: string, submission: Submission, refusal: string])[] = [
    ["no YAML", file("["), "rule.yaml: request:1:2: "],
    ["no map", file("- a"), "rule.schema: request:1:1: "],
    ["no version", file("rules: []"), 'rule.version: request:1:1: missing member "version"'],
    ["an unknown member", fileOf("id: a, condition: 'true', action: allow, prio: 1"), "rule.schema: request:3:"],
    [
      "an unknown field, with a hint",
      fileOf("id: a, condition: network.hostnam == 'x', action: allow"),
      "rule.unknown-field: ",
    ],
    ["an undefined definition", fileOf("id: a, condition: $nope, action: allow"), "rule.undefined-definition: "],
    ["a definition of an operator's file", ruleOf("$is_github"), "rule.undefined-definition: "],
    ["an unknown action", ruleOf("true", "permit"), 'rule.schema: action must be one of "allow", "block", "enrich"'],
    [
      "two rules of one id",
      fileOf("id: a, condition: 'true', action: allow", "id: a, condition: 'true', action: allow"),
      "rule.duplicate-id: request:4:",
    ],
    ["an id of ours", fileOf("id: rr-0123456789ab, condition: 'true', action: allow"), "rule.schema: "],
    ["no rules", file('version: "1"'), "request.unacceptable: rule request: the rule file has no rules"],
    [
      "definitions alone",
      file('version: "1"\ndefinitions: {a: "true"}'),
      "request.unacceptable: rule request: the rule file has no rules",
    ],
    [
      "an enrich rule",
      fileOf("id: a, condition: 'true', action: enrich, enrich: {script: x.sh}"),
      'request.unacceptable: rule request: rule "a": "enrich" is for',
    ],
    [
      "a condition that is no boolean",
      ruleOf("network.hostname"),
      'rule.not-boolean: rule "request": condition is of type',
    ],
    ["an enrich rule in members", ruleOf("true", "enrich"), "rule.schema: "],
    [
      "egress",
      fileOf("id: a, condition: 'true', action: allow, egress: {mode: proxy}"),
      'request.unacceptable: rule request: rule "a": "egress" is for',
    ],
    [
      "a reason",
      fileOf("id: a, condition: 'true', action: block, reason: because"),
      'request.unacceptable: rule request: rule "a": "reason" is for',
    ],
    [
      "an anchor",
      fileOf("id: &a a, condition: 'true', action: allow"),
      "rule.limit: request:3:10: anchors and aliases are not allowed here",
    ],
    [
      "an alias",
      fileOf("id: a, condition: *a, action: allow"),
      "rule.limit: request:3:24: anchors and aliases are not allowed here",
    ],
    ["a tag", fileOf("id: !!str a, condition: 'true', action: allow"), "rule.yaml: "],
    ["a second document", file('version: "1"\n---\nversion: "1"\n'), "rule.yaml: "],
    ["a merge key", fileOf("<<: {id: a}, condition: 'true', action: allow"), "rule.schema: "],
    ["rules at the limit", rules(SUBMISSION_LIMIT_RULES), "accepted"],
    [
      "rules past the limit",
      rules(SUBMISSION_LIMIT_RULES + 1),
      "request.unacceptable: rule request: 21 rules, at most 20",
    ],
    [
      "bytes at the limit",
      file(padding(SUBMISSION_LIMIT_BYTES)),
      "request.unacceptable: rule request: the rule file has no rules",
    ],
    [
      "bytes past the limit",
      file(padding(SUBMISSION_LIMIT_BYTES + 1)),
      "request.unacceptable: rule request: over 16384 bytes",
    ],
    [
      "bytes of members at the limit",
      ruleOf("true", "allow", "x".repeat(SUBMISSION_LIMIT_BYTES - 9)),
      "accepted",
    ],
    [
      "bytes of members past the limit",
      ruleOf("true", "allow", "é".repeat(SUBMISSION_LIMIT_BYTES / 2)),
      "request.unacceptable: rule request: over",
    ],
    ["half a character", ruleOf('target == "\ud800"'), "request.unacceptable: rule request: text is not well-formed"],
  ];
  for (const [note, submission, expected] of cases) {
    test(note, () => expect(refusal(submission)).toStartWith(expected));
  }

  test("a place is given in a file that the agent has seen, and only there", () => {
    const message = 'rule "request": namespace network has no field "hostnam" (did you mean "hostname"?)';
    expect(refusal(ruleOf("network.hostnam == 'x'"))).toBe(`rule.unknown-field: ${message}`);
  });
});

describe("ruleSubmission", () => {
  const rule = { description: "d", condition: "true", action: "allow" };
  const { description: _, ...nameless } = rule;
  const cases = [
    { note: "a file", body: { rule_file: "x" }, gives: { form: "file", ruleFile: "x" } },
    { note: "members", body: rule, gives: { form: "rule", ...rule } },
    { note: "both", body: { rule_file: "x", action: "allow" }, gives: '"rule_file" and "action" exclude each other' },
    { note: "not all members", body: nameless, gives: 'missing member "description"' },
    { note: "nothing", body: { session_token: "t" }, gives: 'missing member "rule_file"' },
  ];
  for (const { note, body, gives } of cases) {
    test(note, () => {
      const submission = ruleSubmission(body);
      const error = { code: "daemon.invalid-request", message: `invalid request: ${String(gives)}` };
      expect<unknown>(submission.ok ? submission.value : submission.error).toEqual(
        typeof gives === "string" ? error : gives,
      );
    });
  }
});

test("digestOfSubmission is that of the form and its texts", () => {
  const access = accessSubmission({ description: "a", requested_access: "b", suggested_condition: "c" });
  const submissions = [
    access,
    accessSubmission({ description: "a", requested_access: "b" }),
    ruleOf("b", "c", "a"),
    file("a"),
  ];
  expect(new Set(submissions.map(digestOfSubmission)).size).toBe(submissions.length);
  expect(digestOfSubmission({ ...access })).toBe(digestOfSubmission(access));
});

describe("summarize, in the members of the seed", () => {
  const one = "id: a, condition: 'run.parsed', action: allow";
  const cases = [
    { note: "a file", submission: fileOf(one), gives: ["allow a", "allow a", "run.parsed"] },
    { note: "described", submission: fileOf(`${one}, description: d`), gives: ["d", "allow a", "run.parsed"] },
    {
      note: "two rules",
      submission: fileOf(one, one.replace("a", "b")),
      gives: ["allow a, allow b", "allow a, allow b", null],
    },
    { note: "members", submission: ruleOf("true", "block", "d"), gives: ["d", "block", "true"] },
    {
      note: "words",
      submission: accessSubmission({ description: "d", requested_access: "r" }),
      gives: ["d", "r", null],
    },
  ];
  for (const { note, submission, gives } of cases) {
    test(note, () => {
      const { description, requestedAccess, suggestedCondition } = summarize(submission, analyze(submission).rules);
      expect<unknown>([description, requestedAccess, suggestedCondition]).toEqual(gives);
    });
  }
});
