// The command table of outcall. Parsing, help, completions and man pages are made from it.
import type { Program } from "../command/command.ts";
import { bridgeDown, bridgeStatus, bridgeUp } from "./bridge.ts";
import type { CliCommand } from "./cli-command.ts";
import { completeOf } from "./complete.ts";
import { completionOf } from "./completion.ts";
import { containerList } from "./container-list.ts";
import { doctor } from "./doctor.ts";
import { GLOBAL_FLAGS } from "./global-flags.ts";
import { lint } from "./lint.ts";
import { log } from "./log.ts";
import { logShow } from "./log-show.ts";
import { logVerify } from "./log-verify.ts";
import { ruleEvaluate } from "./rule-evaluate.ts";
import { ruleApprove } from "./rule-approve.ts";
import { ruleDeny } from "./rule-deny.ts";
import { ruleList } from "./rule-list.ts";
import { ruleReload } from "./rule-reload.ts";
import { ruleRequest } from "./rule-request.ts";
import { ruleRequests } from "./rule-requests.ts";
import { ruleShow } from "./rule-show.ts";
import { ruleTest } from "./rule-test.ts";
import { rulespecCompile } from "./rulespec-compile.ts";
import { rulespecInstall } from "./rulespec-install.ts";
import { rulespecLint } from "./rulespec-lint.ts";
import { rulespecPlanVerify } from "./rulespec-plan-verify.ts";
import { rulespecVerify } from "./rulespec-verify.ts";
import { schema } from "./schema.ts";
import { status } from "./status.ts";
import { version } from "./version.ts";

/** Every command, in the order of the help. */
export const CLI_COMMANDS: readonly CliCommand[] = [
  ruleList,
  ruleShow,
  ruleReload,
  ruleTest,
  ruleEvaluate,
  ruleRequests,
  ruleRequest,
  ruleApprove,
  ruleDeny,
  lint,
  log,
  logShow,
  logVerify,
  rulespecLint,
  rulespecCompile,
  rulespecVerify,
  rulespecInstall,
  rulespecPlanVerify,
  status,
  doctor,
  bridgeStatus,
  bridgeUp,
  bridgeDown,
  containerList,
  schema,
  completionOf(() => OUTCALL),
  completeOf(() => OUTCALL),
  version,
];

/** The program. */
export const OUTCALL: Program = {
  name: "outcall",
  summary: "outcall shows, checks and tests the rules by which outcalld decides what agents in containers may do.",
  flags: GLOBAL_FLAGS,
  commands: CLI_COMMANDS.map((each) => each.command),
  aliases: { rules: "rule" },
  // Words that people know from docker, journalctl, git, kubectl and other policy tools.
  synonyms: {
    check: "lint",
    eval: "rule evaluate",
    logs: "log",
    ls: "rule list",
    ps: "container list",
    test: "rule test",
    validate: "lint",
  },
  environment: true,
};
