// Rule requests with arbitrary text. Nothing throws; a refusal has a code and one line of text. What is accepted can be
// written, shown and loaded; it holds for no other container, and for the requesting one exactly when the original
// does.
import { expect, test } from "bun:test";
import { createEnvironment } from "../../src/cel/environment.ts";
import { NAMESPACES, VARIABLES } from "../../src/core/context.ts";
import { PROBLEMS } from "../../src/core/problem.ts";
import { analyzeSubmission } from "../../src/request/analyze-submission.ts";
import { describeProposal } from "../../src/request/describe-request.ts";
import { propose, whyUnwritable } from "../../src/request/propose.ts";
import { liveRulesText, parseLiveRules, reachOf } from "../../src/request/reach.ts";
import { evaluateRules } from "../../src/rule/evaluate-rules.ts";
import { loadRuleFiles } from "../../src/rule/load-rules.ts";
import type { RuleSet } from "../../src/rule/rule-set.ts";
import { ProposalData } from "../../src/wire/request-host.ts";
import { hasShape } from "../../src/wire/shape-errors.ts";
import type { Requester, Submission } from "../../src/wire/stored-request.ts";
import { ConditionGenerator, NO_SCOPE } from "../support/generate/condition.ts";
import { generateContext } from "../support/generate/context.ts";
import { generateSet, writeFiles } from "../support/generate/rules.ts";
import { type Random, seededRandom } from "../support/random.ts";
import { BUILDER, OTHER } from "../support/request/bench.ts";
import { CASES as ALL_CASES } from "../support/cases.ts";

/** Each case is analysed, proposed, written, loaded and evaluated, so this runs a fifth of the gate's cases. */
const CASES = Math.max(1_000, Math.ceil(ALL_CASES / 5));
const SEED = Number(process.env["OUTCALL_SEED"] ?? Date.now() % 1_000_000_000);
const TIMEOUT_MS = 20_000 + 20 * CASES;
const ENVIRONMENT = createEnvironment({ namespaces: NAMESPACES, variables: VARIABLES });

const WORDS: readonly string[] = [
  ..."()[]{}.,:?!-+*/%<>=&|\"'\\$#@`~ \n\t\r\0😀\u2028\ufeff\u202e\ud800".split(/(?:)/u),
  ...[
    "true",
    "false",
    "&&",
    "||",
    ") || (true",
    "//",
    '"""',
    "r'",
    "has(",
    "agent.name",
    "agent",
    "$a",
    "action: block",
  ],
  ...[
    "\n  - id: b",
    "priority: -1",
    "definitions:",
    "<<: ",
    "&a ",
    "*a",
    "!!str ",
    "---\n",
    "%YAML 1.1\n",
    "gіthub.com",
  ],
];

function damage(random: Random, text: string): string {
  let damaged = text;
  for (let count = random.below(4); count > 0; count--) {
    const at = random.below(damaged.length + 1);
    damaged = damaged.slice(0, at) + random.pick(WORDS) + damaged.slice(at + random.pick([0, 0, 0, 1, 5]));
  }
  return damaged;
}

function submissionOf(random: Random): Submission {
  if (random.below(3) === 0) {
    const [file] = writeFiles(generateSet(random).files, random);
    return { form: "file", ruleFile: damage(random, String(file?.text ?? "")) };
  }
  const condition = damage(random, new ConditionGenerator(random).bool(random.below(4), NO_SCOPE));
  const description = damage(random, "a rule");
  if (random.below(3) > 0) return { form: "rule", description, condition, action: random.pick(["allow", "block"]) };
  return { form: "access", description, requestedAccess: description, suggestedCondition: condition };
}

function setOf(name: string, text: string): RuleSet {
  const { set, findings } = loadRuleFiles([{ name, text }]);
  if (set === null) throw new Error(`seed ${SEED}: ${JSON.stringify(findings)}: ${text}`);
  return set;
}

test(`property: any submission (seed ${SEED})`, () => {
  const random = seededRandom(SEED);
  const live = setOf("00.yaml", `version: "1"\nrules: [{id: live, condition: 'run.tool == "git"', action: block}]\n`);
  let accepted = 0;
  for (let each = 0; each < CASES; each++) {
    const submission = submissionOf(random);
    const analyzed = analyzeSubmission(submission, ENVIRONMENT);
    const requester: Requester = { ...BUILDER, name: damage(random, "builder").toWellFormed() || "x" };
    const request = { id: "rr-0123456789ab", requester, submission };
    const proposed = analyzed.ok
      ? propose({ request, rules: analyzed.value.rules, overrides: {}, environment: ENVIRONMENT })
      : analyzed;
    if (analyzed.ok) {
      const asked = { request, rules: analyzed.value.rules, overrides: {}, environment: ENVIRONMENT };
      const note = { seed: SEED, submission };
      // The check at submission and the check at approval give the same result.
      expect({ ...note, writable: whyUnwritable(asked) === null }).toEqual({ ...note, writable: proposed.ok });
    }
    if (!proposed.ok || !analyzed.ok) {
      const { code, message } = proposed.ok ? { code: "", message: "" } : proposed.error;
      const isLine = message !== "" && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u.test(message);
      expect({ seed: SEED, submission, message, isLine, isKnown: code in PROBLEMS })
        .toEqual({ seed: SEED, submission, message, isLine: true, isKnown: true });
      continue;
    }
    accepted++;
    const proposal = proposed.value;
    expect(proposal.text).toMatch(/^[\x20-\x7e\n]+$/);
    expect(
      hasShape(
        ProposalData,
        describeProposal(proposal, reachOf(proposal, parseLiveRules(liveRulesText(live))), analyzed.value),
      ),
    ).toBe(true);
    const written = setOf(proposal.file, proposal.text);
    // The same rules as requested, without the scope and in their original order.
    const plain = propose({
      request,
      rules: analyzed.value.rules,
      overrides: { global: true },
      environment: ENVIRONMENT,
    });
    if (!plain.ok) throw new Error(plain.error.message);
    const unscoped = setOf("global.yaml", plain.value.text);
    for (let asked = 0; asked < 3; asked++) {
      const context = generateContext(random);
      const by = ({ id, name, image }: Requester) => ({ ...context, agent: { id, name, image, labels: {} } });
      const note = { seed: SEED, submission, context: JSON.stringify(context) };
      const others = evaluateRules(written, by({ ...OTHER, name: `not ${requester.name}` }));
      expect({ ...note, rule: others.rule?.id ?? null }).toEqual({ ...note, rule: null });
      const own = evaluateRules(written, by(requester)).decision.decision;
      expect({ ...note, own }).toEqual({ ...note, own: evaluateRules(unscoped, by(requester)).decision.decision });
    }
  }
  console.log(`submissions: seed ${SEED}, ${accepted} of ${CASES} accepted`);
  expect(accepted).toBeGreaterThan(CASES / 10);
}, TIMEOUT_MS);
