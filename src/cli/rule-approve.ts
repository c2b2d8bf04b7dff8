// `outcall rule approve <id>`: reads the request and approves exactly what it read, by its digest (S003-IF-008, AS-013).
import { flagSwitch, flagText, type RunPlan } from "../command/command.ts";
import { formatJson } from "../core/json.ts";
import { type Problem, problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import { type ApproveBody, RuleRequestData, RuleRequestView } from "../wire/request-host.ts";
import { PRIORITY_RANGE } from "../wire/rule-file.ts";
import { ask } from "./ask-daemon.ts";
import { type CliCommand, fail } from "./cli-command.ts";
import { requestPath } from "./rule-request.ts";

/** How long an approval may take, in milliseconds; it reloads the rules directory. */
const TIMEOUT_MS = 120_000;

/** The command. */
export const ruleApprove: CliCommand = {
  command: {
    path: ["rule", "approve"],
    summary: "approve what an agent asks for, in its container alone",
    arguments: [{ name: "id", required: true, completes: { listed: "pending-requests" } }],
    flags: [
      { name: "rule-id", value: "id", summary: "id of the rule" },
      { name: "condition", value: "expression", summary: "condition in place of the one that was asked for" },
      { name: "file-name", value: "name", summary: "name of the file, ending in .yaml" },
      { name: "global", summary: "for every container" },
      { name: "priority", value: "number", summary: "priority of the rules" },
      { name: "force", summary: "also where a rule could never be reached" },
      { name: "digest", value: "digest", summary: "what was shown; without it, what is shown now" },
    ],
  },
  run: async (plan, io) => {
    const id = plan.arguments[0] ?? "";
    const overrides = readOverrides(plan);
    if (!overrides.ok) return fail(io, overrides.error);
    const view = await ask(plan, { method: "GET", path: requestPath(id), data: RuleRequestView });
    if (!view.ok) return fail(io, view.error);
    const body: ApproveBody = { digest: view.value.request.digest, ...overrides.value };
    const question = { method: "POST", path: requestPath(id, "approve"), data: RuleRequestData } as const;
    const approved = await ask(plan, { ...question, body, timeoutMs: TIMEOUT_MS });
    if (!approved.ok) return fail(io, approved.error);
    const rules = ruleIds(view.value, body);
    if (flagSwitch(plan, "json")) {
      io.stdout(`${formatJson({ version: 1, request: approved.value, rules })}\n`);
      return 0;
    }
    const added = `${rules.length === 1 ? "Rule" : "Rules"} ${rules.map((rule) => quote(rule)).join(", ")}`;
    io.stdout(`Rule request ${quote(id)} approved. ${added} added and rules reloaded.\n`);
    return 0;
  },
};

function readOverrides(plan: RunPlan): Result<ApproveBody, Problem> {
  const priority = readPriority(flagText(plan, "priority"));
  if (!priority.ok) return priority;
  const [ruleId, condition] = [flagText(plan, "rule-id"), flagText(plan, "condition")];
  const [fileName, digest] = [flagText(plan, "file-name"), flagText(plan, "digest")];
  return ok({
    ...(ruleId === undefined ? {} : { rule_id: ruleId }),
    ...(condition === undefined ? {} : { condition }),
    ...(fileName === undefined ? {} : { file_name: fileName }),
    ...(digest === undefined ? {} : { digest }),
    ...(priority.value === null ? {} : { priority: priority.value }),
    ...(flagSwitch(plan, "global") ? { global: true } : {}),
    ...(flagSwitch(plan, "force") ? { force: true } : {}),
  });
}

function readPriority(text: string | undefined): Result<number | null, Problem> {
  if (text === undefined) return ok(null);
  const { minimum, maximum } = PRIORITY_RANGE;
  const value = /^-?[0-9]{1,10}$/.test(text) ? Number(text) : NaN;
  if (value >= minimum && value <= maximum) return ok(value);
  return err(problem("command.usage", `--priority is an integer from ${minimum} to ${maximum}, not ${quote(text)}`));
}

// The ids of the rules that the daemon wrote.
function ruleIds({ request, proposal }: RuleRequestView, { rule_id: ruleId }: ApproveBody): readonly string[] {
  if (ruleId !== undefined) return [ruleId];
  return proposal === null ? [`agent-${request.id}`] : proposal.rules.map(({ id }) => id);
}
