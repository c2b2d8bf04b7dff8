// The command table of outcall, from the file of each command; parsing, help, completions and man pages come from it.
import { DEFAULT_HOST_SOCKET } from "../core/defaults.ts";
import type { Program } from "../command/command.ts";
import { bridgeDown, bridgeStatus, bridgeUp } from "./bridge.ts";
import type { CliCommand } from "./cli-command.ts";
import { complete } from "./complete.ts";
import { completionOf } from "./completion.ts";
import { containerList } from "./container-list.ts";
import { doctor } from "./doctor.ts";
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
  complete,
  version,
];

/** The program. */
export const OUTCALL: Program = {
  name: "outcall",
  summary: "outcall checks, shows and tests the rules by which outcalld judges agents in containers",
  flags: [
    { name: "socket", value: "path", summary: "the daemon's host socket", default: DEFAULT_HOST_SOCKET },
    { name: "json", summary: "print JSON" },
    { name: "color", value: "when", summary: "colour", choices: ["auto", "always", "never"], default: "auto" },
  ],
  commands: CLI_COMMANDS.map((each) => each.command),
  aliases: { rules: "rule" },
  environment: true,
};
