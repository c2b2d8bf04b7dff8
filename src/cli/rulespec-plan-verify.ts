// `outcall rulespec plan-verify`: checks that a verified envelope exists and that its stamp matches the present facts and
// rulespec. It asks the daemon about a container, or checks a directory of files with a key.
import { join } from "node:path";
import { defineFlags } from "../command/command.ts";
import type { CliPlan } from "./global-flags.ts";
import { formatJson } from "../core/json.ts";
import { type Problem, problem } from "../core/problem.ts";
import { escapeWhole, quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import { readFile } from "../file/read-file.ts";
import { loadRulespec, RULESPEC_FILE } from "../rulespec/load-rulespec.ts";
import { OPERATOR_TEXT } from "../rulespec/read-yaml.ts";
import { parseStored, whyUnverified } from "../rulespec/keep-envelope.ts";
import { VERIFICATION_FILES } from "../rulespec/verification-files.ts";
import { EnvelopeView } from "../wire/envelope-api.ts";
import { ask } from "./ask-daemon.ts";
import { cliCommand, fail } from "./cli-command.ts";
import { readKeyFile } from "./rulespec-key.ts";

const PLAN_VERIFY_FLAGS = defineFlags({
  session: {
    value: "session",
    summary: "the container: id, short id or name; with --key-file a directory",
    required: true,
  },
  "key-file": { value: "file", summary: "key of the stamp, to check what rulespec verify --out wrote" },
  rulespec: { value: "file", summary: "the rulespec, with --key-file", default: RULESPEC_FILE },
});

/** The command. */
export const rulespecPlanVerify = cliCommand({
  command: {
    usage: "rulespec plan-verify",
    summary: "check that a container has a verified envelope whose stamp is valid",
    flags: PLAN_VERIFY_FLAGS,
    examples: [
      ["outcall rulespec plan-verify --session builder", "ask the daemon about the container named builder"],
      ["outcall rulespec plan-verify --session out --key-file key", "check the files that rulespec verify --out wrote"],
    ],
  },
  run: async (plan, io) => {
    const { session } = plan.flags;
    const key = readKeyFile(plan.flags["key-file"]);
    if (!key.ok) return fail(io, key.error);
    const checked = key.value === null
      ? await askDaemon(session, plan)
      : checkDirectory(session, plan.flags.rulespec, key.value);
    if (!checked.ok && checked.error.code !== "rulespec.unverified") return fail(io, checked.error);
    if (plan.flags.json) {
      const reason = checked.ok ? null : checked.error.message;
      io.stdout(`${formatJson({ version: 1, verified: checked.ok, reason })}\n`);
      return checked.ok ? 0 : 1;
    }
    if (!checked.ok) return fail(io, checked.error);
    io.stdout(`Session ${quote(session)}: verified ${escapeWhole(checked.value)}, and the stamp holds.\n`);
    return 0;
  },
});

/** When the envelope was verified, or why it does not count as verified. */
type Checked = Result<string, Problem>;

async function askDaemon(session: string, plan: CliPlan): Promise<Checked> {
  const path = `/api/v1/envelope/${encodeURIComponent(session.toWellFormed())}`;
  const view = await ask(plan, { method: "GET", path, data: EnvelopeView });
  if (!view.ok) {
    // An envelope that the daemon does not show is not verified.
    const { code, message } = view.error;
    const isAnswered = code !== "client.unreachable" && code !== "client.bad-answer";
    return isAnswered ? err(problem("rulespec.unverified", message)) : view;
  }
  const { holds, reason, at } = view.value;
  return holds ? ok(at) : err(problem("rulespec.unverified", reason ?? "the envelope is not verified"));
}

function checkDirectory(dir: string, rulespecPath: string, key: Uint8Array): Checked {
  const path = join(dir, VERIFICATION_FILES.envelope);
  const bytes = readFile({ path, limitBytes: OPERATOR_TEXT.sizeBytes });
  if (!bytes.ok) return err(problem("rulespec.unverified", bytes.error.message));
  const stored = parseStored(path, bytes.value);
  if (!stored.ok) return stored;
  const { rulespec } = loadRulespec(rulespecPath);
  if (rulespec === null) return err(problem("rulespec.unverified", `rulespec ${quote(rulespecPath)} does not load`));
  const why = whyUnverified(stored.value, rulespec, key);
  return why === null ? ok(stored.value.verified.at) : err(why);
}
