// `outcall rule request <id>`: everything that an operator needs to decide. The proposal comes first, in the product's own
// words. The agent's text comes last, with every line marked, so that it cannot pass for the product's words.
import { countOf } from "../core/count.ts";
import { formatJson } from "../core/json.ts";
import { quote } from "../core/quote.ts";
import { type ProposalData, type ProposedRuleData, type RuleName, RuleRequestView } from "../wire/request-host.ts";
import { cutToLine, escapeToAscii, showCondition } from "./ascii.ts";
import { ask } from "./ask-daemon.ts";
import { cliCommand, fail } from "./cli-command.ts";
import { formatPairs } from "./layout.ts";

/** The command. */
export const ruleRequest = cliCommand({
  command: {
    usage: "rule request <id>",
    summary: "show a rule request, and what its approval would do",
    completes: { listed: "requests" },
    flags: {},
    examples: [["outcall rule request rr-0a1b2c3d4e5f", "read a request before approving it"]],
  },
  run: async (plan, io) => {
    const view = await ask(plan, { method: "GET", path: requestPath(plan.arguments.id), data: RuleRequestView });
    if (!view.ok) return fail(io, view.error);
    io.stdout(
      plan.flags.json ? `${formatJson({ version: 1, ...view.value })}\n` : formatView(view.value),
    );
    return 0;
  },
});

/** The path of a request on the host socket, or of an action on it. */
export function requestPath(id: string, action?: "approve" | "deny"): string {
  const path = `/api/v1/rule-request/${encodeURIComponent(id.toWellFormed())}`;
  return action === undefined ? path : `${path}/${action}`;
}

/** The view of a request for people. */
function formatView({ request, submission, proposal, problem, decided }: RuleRequestView): string {
  const { container } = request;
  const head = pairs([
    ["Request", request.id],
    ["Status", request.status],
    ["Submitted", request.submitted_at],
    ["Container", container.id],
    ["Name", container.name],
    ["Image", container.image === "" ? "-" : container.image],
    ["Digest", request.digest],
    ...(decided === null ? [] : [
      ["Decided", `${decided.at} by uid ${decided.uid}${decided.name === null ? "" : ` (${decided.name})`}`] as const,
      ["File", decided.file ?? "-"] as const,
    ]),
    ...(request.reason === null ? [] : [["Reason", request.reason] as const]),
    ...(problem === null ? [] : [["Problem", problem] as const]),
  ]);
  const raw = submission.replace(/\n$/, "").split("\n").map((line) => `| ${escapeToAscii(line)}`.trimEnd());
  const heading = "Submitted text, escaped; every line below is written by the agent:";
  return [head, ...(proposal === null ? [] : formatProposal(proposal)), [heading, ...raw, ""].join("\n")].join("\n");
}

function formatProposal({ file, scope, rules, already_allowed, warnings }: ProposalData): readonly string[] {
  const effect = pairs([
    ["Would write", `${file}, ${countOf(rules.length, "rule")}`],
    ["Scope", scope === null ? "none: the rules hold for every container" : showCondition(scope)],
    ["Already allowed", already_allowed ? "yes, by rules in force" : "no"],
    ["Warnings", warnings.length === 0 ? "none" : warnings.map((text) => cutToLine(text, TEXT_LENGTH))],
  ]);
  return [effect, ...rules.map((rule, index) => formatRule(rule, `${index + 1} of ${rules.length}`))];
}

/** Longest description or warning in the view, in characters; the agent's text below shows the rest. */
const TEXT_LENGTH = 1_000;

function formatRule(rule: ProposedRuleData, number: string): string {
  return pairs([
    ["Rule", `${rule.id} (${number})`],
    ["Action", rule.action],
    ["Priority", String(rule.priority)],
    ["Log", String(rule.log)],
    ["Description", rule.description === null ? "-" : cutToLine(rule.description, TEXT_LENGTH)],
    ...(rule.expires === undefined ? [] : [["Expires", rule.expires] as const]),
    ["Condition", showCondition(rule.condition)],
    ...rule.hosts.map(({ text, ascii }) => ["Host", `"${escapeToAscii(text)}" is ${ascii}`] as const),
    ["Always decided by", rule.covered_by.length === 0 ? "-" : rule.covered_by.map(formatName)],
  ]);
}

function formatName({ rule, file, action }: RuleName): string {
  return `rule ${quote(rule)} of ${file} (${action})`;
}

type Pair = readonly [label: string, value: string | readonly string[]];

// Every line is printable ASCII: no foreign text can start a new line.
function pairs(all: readonly Pair[]): string {
  return formatPairs(all.map(([label, value]) => {
    const lines = typeof value === "string" ? [value] : value;
    return [label, lines.map(escapeToAscii).join("\n")];
  }));
}
