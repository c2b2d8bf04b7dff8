// `outcall rule approve <id>`: reads the request and approves exactly what it read, by its digest (S003-IF-008, AS-013).
import { defineFlags } from "../command/command.ts";
import type { CliPlan } from "./global-flags.ts";
import { formatJson } from "../core/json.ts";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import { type ApproveBody, RuleRequestData, RuleRequestView } from "../wire/request-host.ts";
import { PRIORITY_RANGE } from "../wire/rule-file.ts";
import { ask } from "./ask-daemon.ts";
import { cliCommand, fail } from "./cli-command.ts";
import { requestPath } from "./rule-request.ts";

/** How long an approval may take, in milliseconds; it reloads the rules directory. */
const TIMEOUT_MS = 120_000;

const APPROVE_FLAGS = defineFlags({
  "rule-id": { value: "id", summary: "id of the rule, instead of the requested one" },
  condition: { value: "expression", summary: "condition of the rule, instead of the requested one" },
  "file-name": { value: "name", summary: "name of the rule file, ending in .yaml" },
  global: { summary: "let the rules apply to every container" },
  priority: { value: "number", summary: "priority of the rules", reads: readPriority },
  force: { summary: "approve even where a rule could never be reached" },
  digest: {
    value: "digest",
    summary: "approve only if the request still has this digest",
    otherwise: "the present one",
  },
});

type ApprovePlan = CliPlan<typeof APPROVE_FLAGS>;

/** The command. */
export const ruleApprove = cliCommand({
  command: {
    usage: "rule approve <id>",
    summary: "approve a rule request, and load its rules",
    details:
      "The rules apply to the container that asked, unless --global is given. To approve only what you have seen, give " +
      "--digest with the digest that outcall rule request shows.",
    completes: { listed: "pending-requests" },
    flags: APPROVE_FLAGS,
    examples: [
      ["outcall rule approve rr-0a1b2c3d4e5f", "add the requested rules and reload"],
      [
        "outcall rule approve rr-0a1b2c3d4e5f --condition 'http.host == \"api.example.com\"'",
        "approve something narrower",
      ],
      ["outcall rule approve rr-0a1b2c3d4e5f --global --priority 10", "add the rules for every container"],
    ],
  },
  run: async (plan, io) => {
    const id = plan.arguments.id;
    const view = await ask(plan, { method: "GET", path: requestPath(id), data: RuleRequestView });
    if (!view.ok) return fail(io, view.error);
    const body: ApproveBody = { digest: view.value.request.digest, ...readOverrides(plan) };
    const question = { method: "POST", path: requestPath(id, "approve"), data: RuleRequestData } as const;
    const approved = await ask(plan, { ...question, body, timeoutMs: TIMEOUT_MS });
    if (!approved.ok) return fail(io, approved.error);
    const rules = ruleIds(view.value, body);
    if (plan.flags.json) {
      io.stdout(`${formatJson({ version: 1, request: approved.value, rules })}\n`);
      return 0;
    }
    const added = `${rules.length === 1 ? "Rule" : "Rules"} ${rules.map((rule) => quote(rule)).join(", ")}`;
    io.stdout(`Rule request ${quote(id)} approved. ${added} added and rules reloaded.\n`);
    return 0;
  },
});

function readOverrides({ flags }: ApprovePlan): Partial<ApproveBody> {
  const { condition, digest, priority } = flags;
  const [ruleId, fileName] = [flags["rule-id"], flags["file-name"]];
  return {
    ...(ruleId === undefined ? {} : { rule_id: ruleId }),
    ...(condition === undefined ? {} : { condition }),
    ...(fileName === undefined ? {} : { file_name: fileName }),
    ...(digest === undefined ? {} : { digest }),
    ...(priority === undefined ? {} : { priority }),
    ...(flags.global ? { global: true } : {}),
    ...(flags.force ? { force: true } : {}),
  };
}

function readPriority(text: string): Result<number, string> {
  const { minimum, maximum } = PRIORITY_RANGE;
  const value = /^-?[0-9]{1,10}$/.test(text) ? Number(text) : NaN;
  if (value >= minimum && value <= maximum) return ok(value);
  return err(`is an integer from ${minimum} to ${maximum}, not ${quote(text)}`);
}

// The ids of the rules that the daemon wrote.
function ruleIds({ request, proposal }: RuleRequestView, { rule_id: ruleId }: ApproveBody): readonly string[] {
  if (ruleId !== undefined) return [ruleId];
  return proposal === null ? [`agent-${request.id}`] : proposal.rules.map(({ id }) => id);
}
