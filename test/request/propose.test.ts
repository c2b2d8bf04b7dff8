// The rules that an approval writes: their form, scope, priority and names, whatever the text of the request tries.
import { describe, expect, test } from "bun:test";
import { createEnvironment } from "../../src/cel/environment.ts";
import { type Context, NAMESPACES, VARIABLES } from "../../src/core/context.ts";
import type { Overrides } from "../../src/request/analysis-jobs.ts";
import { analyzeSubmission } from "../../src/request/analyze-submission.ts";
import { type Proposal, propose, whyUnwritable } from "../../src/request/propose.ts";
import { evaluateRules } from "../../src/rule/evaluate-rules.ts";
import { loadRuleFiles } from "../../src/rule/load-rules.ts";
import type { Requester, Submission } from "../../src/wire/stored-request.ts";
import { BUILDER, fileOf, OTHER, ruleOf } from "../support/request/bench.ts";

const ENVIRONMENT = createEnvironment({ namespaces: NAMESPACES, variables: VARIABLES });
const ID = "rr-0123456789ab";

type Options = { readonly overrides?: Overrides; readonly requester?: Requester };

function outcome(submission: Submission, { overrides = {}, requester = BUILDER }: Options = {}): Proposal | string {
  const analyzed = analyzeSubmission(submission, ENVIRONMENT);
  if (!analyzed.ok) return analyzed.error.message;
  const request = { id: ID, requester, submission };
  const proposal = propose({ request, rules: analyzed.value.rules, overrides, environment: ENVIRONMENT });
  return proposal.ok ? proposal.value : proposal.error.message;
}

function unwritable(submission: Submission): string | null {
  const analyzed = analyzeSubmission(submission, ENVIRONMENT);
  if (!analyzed.ok) return analyzed.error.message;
  const request = { id: ID, requester: BUILDER, submission };
  return whyUnwritable({ request, rules: analyzed.value.rules, overrides: {}, environment: ENVIRONMENT })?.message ??
    null;
}

function proposalOf(submission: Submission, options: Options = {}): Proposal {
  const proposal = outcome(submission, options);
  if (typeof proposal === "string") throw new Error(proposal);
  return proposal;
}

function conditionOf(submission: Submission, options: Options = {}): string {
  return proposalOf(submission, options).rules[0]?.condition ?? "";
}

describe("S003-FR-026 the rule file that an approval writes", () => {
  test("is our own text, to the letter", () => {
    const submission: Submission = {
      form: "file",
      ruleFile: `version: "1"
definitions: {gh: 'network.hostname == "github.com" || network.hostname == "gitlab.com"'}
rules:
  - id: git
    condition: |
      $gh // the forges
        && network.port==443
    action: allow
    log: true
    description: "say: hi\\n# \\u202e ü"
  - {id: late, condition: run.tool == 'x', action: block, priority: 1000001}
  - {id: ends, condition: run.tool == 'y', action: allow, expires: 2026-12-31T18:00:00+01:00}
`,
    };
    expect(proposalOf(submission)).toMatchObject({ file: `90-agent-${ID}.yaml`, scope: 'agent.name == "builder"' });
    expect(proposalOf(submission).text).toBe(
      `# written by outcalld when rule request ${ID} was approved; without this file its rules are gone
version: "1"
rules:
  - id: "git"
    condition: "agent.name == \\"builder\\" && (network.hostname == \\"github.com\\" || network.hostname == \\"gitlab.com\\") && network.port == 443"
    action: "allow"
    priority: 1000000
    log: true
    description: "say: hi\\x0a# \\u202e \\xfc"
  - id: "late"
    condition: "agent.name == \\"builder\\" && run.tool == \\"x\\""
    action: "block"
    priority: 1000001
    log: false
  - id: "ends"
    condition: "agent.name == \\"builder\\" && run.tool == \\"y\\""
    action: "allow"
    priority: 1000000
    log: false
    expires: "2026-12-31T18:00:00+01:00"
`,
    );
  });

  test("is loaded without a finding", () => {
    const { file, text } = proposalOf(ruleOf('network.hostname == "x"'));
    expect(loadRuleFiles([{ name: file, text }]).findings).toEqual([]);
  });

  const named: readonly (readonly [note: string, requester: Requester, scope: string])[] = [
    ["a name", BUILDER, 'agent.name == "builder"'],
    ["no name of its own", { ...BUILDER, name: "ctr-0123456789ab", named: false }, `agent.id == "${BUILDER.id}"`],
    ["quotes and braces", { ...BUILDER, name: `a" || true || "}` }, 'agent.name == "a\\" || true || \\"}"'],
    ["a backslash at the end", { ...BUILDER, name: "a\\" }, 'agent.name == "a\\\\"'],
    ["a line break", { ...BUILDER, name: "a\n- id: b" }, 'agent.name == "a\\u000a- id: b"'],
    ["letters that look like others", { ...BUILDER, name: "bυilder" }, 'agent.name == "b\\u03c5ilder"'],
  ];
  for (const [note, requester, scope] of named) {
    test(`the scope of a container with ${note}`, () => {
      const proposal = proposalOf(ruleOf("run.parsed || run.parsed"), { requester });
      expect(proposal.scope).toBe(scope);
      expect(proposal.rules[0]?.condition).toBe(`${scope} && (run.parsed || run.parsed)`);
    });
  }

  test("an empty name or id is refused", () => {
    expect(outcome(ruleOf("true"), { requester: { ...BUILDER, name: "" } })).toContain("name is empty");
    const nameless = { ...BUILDER, id: "", named: false };
    expect(outcome(ruleOf("true"), { requester: nameless })).toContain("id is empty");
    expect(conditionOf(ruleOf("true"), { requester: nameless, overrides: { global: true } })).toBe("true");
  });
});

describe("overrides", () => {
  const one = ruleOf("run.parsed");
  const two = fileOf("id: a, condition: run.parsed, action: allow", "id: b, condition: run.parsed, action: block");
  const words: Submission = { form: "access", description: "d", requestedAccess: "r", suggestedCondition: null };
  const accepted: readonly (readonly [note: string, Submission, Overrides, Record<string, unknown>])[] = [
    ["none", one, {}, { id: `agent-${ID}`, action: "allow", priority: 1_000_000, description: "a rule" }],
    ["rule_id", one, { rule_id: "npm" }, { id: "npm" }],
    ["rule_id of a file's rule", fileOf("id: a, condition: run.parsed, action: block"), { rule_id: "b" }, {
      id: "b",
      action: "block",
    }],
    ["condition", one, { condition: " 'a' == target // b" }, { condition: 'agent.name == "builder" && "a" == target' }],
    ["global", one, { global: true }, { condition: "run.parsed" }],
    ["global: false", one, { global: false }, { condition: 'agent.name == "builder" && run.parsed' }],
    ["priority", one, { priority: -5 }, { priority: -5 }],
    ["words and a condition", words, { condition: 'dns.query == "a"' }, {
      ...{ id: `agent-${ID}`, action: "allow", description: "d", log: false },
      condition: 'agent.name == "builder" && dns.query == "a"',
    }],
  ];
  for (const [note, submission, overrides, rule] of accepted) {
    test(note, () => expect(proposalOf(submission, { overrides }).rules).toMatchObject([rule]));
  }

  test("file_name", () =>
    expect(proposalOf(one, { overrides: { file_name: "50-npm.yaml" } }).file).toBe("50-npm.yaml"));

  const refused: readonly (readonly [note: string, Submission, Overrides, string])[] = [
    ["rule_id of two rules", two, { rule_id: "x" }, "it has 2 rules"],
    ["condition of two rules", two, { condition: "true" }, "it has 2 rules"],
    ["words alone", words, {}, "it has no condition; give one with the approval"],
    ["an id that is none", one, { rule_id: "a b" }, "id must be 1 to 128 characters"],
    ["an id of ours", one, { rule_id: ID }, "id must be 1 to 128 characters"],
    ["no condition", one, { condition: "" }, "condition: "],
    [
      "an unknown field",
      one,
      { condition: "run.tol == 'x'" },
      'condition: namespace run has no field "tol" (did you mean "tool"?)',
    ],
    ["a definition", one, { condition: "$gh" }, "condition: "],
    ["a path", one, { file_name: "../a.yaml" }, 'file name "../a.yaml" is not a bare name'],
    ["another ending", one, { file_name: "a.yml" }, "is not a bare name"],
    ["a hidden file", one, { file_name: ".a.yaml" }, "is not a bare name"],
    ["a line break", one, { file_name: "a\n.yaml" }, 'file name "a\\u{a}.yaml" is not a bare name'],
    ["no name", one, { file_name: ".yaml" }, "is not a bare name"],
    ["a long name", one, { file_name: `${"a".repeat(129)}.yaml` }, "is not a bare name"],
  ];
  for (const [note, submission, overrides, message] of refused) {
    test(`${note}: refused`, () => expect(outcome(submission, { overrides })).toContain(message));
  }

  test("the longest file name", () => {
    const name = `${"a".repeat(128)}.yaml`;
    expect(proposalOf(one, { overrides: { file_name: name } }).file).toBe(name);
  });
});

describe("S003-FR-026 attacks by text", () => {
  // Each tries to match for a container that did not ask, or to be read as something else. What is accepted has the
  // scope.
  const HOST = 'network.hostname == "x"';
  const cases: readonly (readonly [note: string, submission: Submission, gives: string])[] = [
    ["a parenthesis that closes ours", ruleOf("true) || (true"), "unexpected character: ')'"],
    ["an alternative", ruleOf("true || true"), "(true || true)"],
    ["a definition that breaks out", fileWith({ gh: "false) || (true" }, "$gh"), 'definition "gh"'],
    ["a definition that ends in a comment", fileWith({ gh: `${HOST} //` }, "$gh || true"), `(${HOST} || true)`],
    ["a comment that swallows the rest", ruleOf("true // && agent.name == 'builder'"), "true"],
    ["a comment before", ruleOf("// agent.name\n true"), "true"],
    ["a conditional", ruleOf("false ? false : true"), "(false ? false : true)"],
    ["another container's name", ruleOf('agent.name == "other"'), 'agent.name == "other"'],
    ["another container's id", ruleOf(`agent.id == "${OTHER.id}"`), `agent.id == "${OTHER.id}"`],
    [
      "a variable named as the namespace",
      ruleOf('["x"].exists(agent, agent == "x")'),
      '["x"].exists(agent, agent == "x")',
    ],
    [
      "letters that look like others",
      ruleOf('network.hostname == "gіthub.com"'),
      'network.hostname == "g\\u0456thub.com"',
    ],
    ["marks that turn the text around", ruleOf('"\u202e" != target'), '"\\u202e" != target'],
    ["padding", ruleOf(`target == "x"${" ".repeat(5000)}\n\n|| true`), '(target == "x" || true)'],
    [
      "a string that ends the YAML text",
      ruleOf('target == "\\"\\n    action: block"'),
      'target == "\\"\\u000a    action: block"',
    ],
    ["a raw string that does not end", ruleOf("target == r'\\'"), "unterminated string"],
    ["a description that begins a rule", ruleOf("true", "allow", '"\n  - id: x\n    condition: "true'), "true"],
    ["a description that is a comment", ruleOf("true", "allow", "# --- !!str &a *a %YAML 1.1"), "true"],
    ["an action that is more", ruleOf("true", 'allow"\n    priority: -1\n    x: "'), "action must be one of"],
    ["YAML that says it twice", fileOf("id: a, condition: 'false', condition: 'true', action: allow"), "condition"],
    ["a name with quotes", fileOf(`id: "a\\" b", condition: 'true', action: allow`), "id must be"],
    ["a folded condition", {
      form: "file",
      ruleFile:
        `version: "1"\nrules:\n  - id: a\n    action: allow\n    condition: >-\n      false\n      ||\n      true\n`,
    }, "(false || true)"],
    ["escapes in YAML", fileOf(`id: a, condition: "tr\\x75e", action: allow`), "true"],
    ["a priority before all others", fileOf("id: a, condition: 'true', action: allow, priority: -2147483648"), "true"],
  ];

  function fileWith(definitions: Readonly<Record<string, string>>, condition: string): Submission {
    return {
      form: "file",
      ruleFile: JSON.stringify({ version: "1", definitions, rules: [{ id: "a", condition, action: "allow" }] }),
    };
  }

  const asked: Context = { network: { hostname: "x" }, target: "x", run: { tool: "x" } };
  const by = ({ id, name, image }: Requester): Context => ({ ...asked, agent: { id, name, image, labels: {} } });

  for (const [note, submission, gives] of cases) {
    test(note, () => {
      const proposal = outcome(submission);
      if (typeof proposal === "string") return expect(proposal).toContain(gives);
      expect(proposal.rules.map(({ condition }) => condition)).toEqual([`agent.name == "builder" && ${gives}`]);
      expect(proposal.rules[0]?.priority).toBe(1_000_000);
      expect(proposal.text).toMatch(/^[\x20-\x7e\n]+$/);
      expect(proposal.text.match(/^ *[a-z# -]+/gm)?.map((start) => start.trim().split(" ")[0])).toEqual([
        ...["#", "version", "rules", "-", "condition", "action", "priority", "log"],
        ...(proposal.rules[0]?.description === null ? [] : ["description"]),
      ]);
      const { set } = loadRuleFiles([{ name: proposal.file, text: proposal.text }]);
      if (set === null) throw new Error("the file does not load");
      expect(evaluateRules(set, by(OTHER)).decision.decision).toBe("block");
      expect(evaluateRules(set, asked).decision.decision).toBe("block");
    });
  }

  test("rules with the scope hold for the container that asked", () => {
    const { file, text } = proposalOf(ruleOf(HOST));
    const { set } = loadRuleFiles([{ name: file, text }]);
    if (set === null) throw new Error("the file does not load");
    expect(evaluateRules(set, by(BUILDER)).decision.decision).toBe("allow");
  });

  test("what could not be written down is refused: nested to the limit, and too long once its definitions are in place", () => {
    const nest = (depth: number): string => "!".repeat(depth) + "run.parsed";
    expect([typeof outcome(ruleOf(nest(62))), unwritable(ruleOf(nest(62)))]).toEqual(["object", null]);
    const tooDeep = `in the file of the approval: rule "agent-${ID}": expression is nested deeper than 64 levels`;
    expect<unknown>([outcome(ruleOf(nest(63))), unwritable(ruleOf(nest(63)))]).toEqual([tooDeep, tooDeep]);
    const text = `version: "1"\ndefinitions: {a: '"${
      "x".repeat(8000)
    }" == target'}\nrules: [{id: r, action: allow, condition: '${
      Array.from({ length: 9 }, () => "$a").join(" || ")
    }'}]\n`;
    const tooLong = 'in the file of the approval: rule "r": expression is larger than 64 KiB';
    const submission = { form: "file", ruleFile: text } as const;
    expect<unknown>([outcome(submission), unwritable(submission)]).toEqual([tooLong, tooLong]);
  });
});
