// `outcall schema <name>`: the JSON Schemas of the files that the product reads and of its `--json` output.
import { formatJson } from "../core/json.ts";
import { didYouMean } from "../core/nearest.ts";
import { problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import type { Schema } from "../wire/decode.ts";
import { CheckOutput } from "../wire/agent-output.ts";
import { ContextSchema } from "../wire/context-schema.ts";
import { LogOutput, LogVerifyOutput } from "../wire/log-output.ts";
import { LintOutput } from "../wire/lint-report.ts";
import {
  BridgeOutput,
  ContainerListOutput,
  DoctorOutput,
  ErrorOutput,
  RuleApproveOutput,
  RuleDenyOutput,
  RuleEvaluateOutput,
  RuleListOutput,
  RuleReloadOutput,
  RuleRequestOutput,
  RuleRequestsOutput,
  RuleShowOutput,
  RuleTestOutput,
  StatusOutput,
  VersionOutput,
} from "../wire/operator-output.ts";
import { RuleFileSchema } from "../wire/rule-file.ts";
import { RulespecFileSchema } from "../wire/rulespec-file.ts";
import {
  RulespecCompileOutput,
  RulespecInstallOutput,
  RulespecPlanVerifyOutput,
  RulespecVerifyOutput,
} from "../wire/rulespec-output.ts";
import { cliCommand, fail } from "./cli-command.ts";

/** Every published schema by its name: a kind of file, or the words of the command that prints it. */
export const SCHEMAS: Readonly<Record<string, Schema>> = {
  "rule-file": RuleFileSchema,
  "rulespec": RulespecFileSchema,
  "context": ContextSchema,
  "lint": LintOutput,
  "rule-list": RuleListOutput,
  "rule-show": RuleShowOutput,
  "rule-reload": RuleReloadOutput,
  "rule-test": RuleTestOutput,
  "rule-evaluate": RuleEvaluateOutput,
  "rule-requests": RuleRequestsOutput,
  "rule-request": RuleRequestOutput,
  "rule-approve": RuleApproveOutput,
  "rule-deny": RuleDenyOutput,
  "log": LogOutput,
  "log-show": LogOutput,
  "log-verify": LogVerifyOutput,
  "rulespec-lint": LintOutput,
  "rulespec-verify": RulespecVerifyOutput,
  "rulespec-compile": RulespecCompileOutput,
  "rulespec-install": RulespecInstallOutput,
  "rulespec-plan-verify": RulespecPlanVerifyOutput,
  "status": StatusOutput,
  "bridge-status": BridgeOutput,
  "bridge-up": BridgeOutput,
  "bridge-down": BridgeOutput,
  "container-list": ContainerListOutput,
  "doctor": DoctorOutput,
  "version": VersionOutput,
  "error": ErrorOutput,
  "agent-check": CheckOutput,
};

/** The dialect that editors and validators support best. */
const DIALECT = "http://json-schema.org/draft-07/schema#";

/** The command. */
export const schema = cliCommand({
  command: {
    usage: "schema <name>",
    summary: "print a JSON Schema",
    details: `The schema is that of a file, or of what a command prints with --json. Names: ${
      Object.keys(SCHEMAS).join(", ")
    }`,
    completes: { words: Object.keys(SCHEMAS) },
    flags: {},
    examples: [["outcall schema rule-file", "print the schema of rule files, for an editor"]],
  },
  run: async (plan, io) => {
    const name = plan.arguments.name;
    const found = Object.hasOwn(SCHEMAS, name) ? SCHEMAS[name] : undefined;
    if (found !== undefined) {
      io.stdout(`${formatJson({ $schema: DIALECT, title: `outcall ${name}`, ...found }, 2)}\n`);
      return 0;
    }
    const names = Object.keys(SCHEMAS);
    const hint = didYouMean(name, names) ?? `one of ${names.join(", ")}`;
    return fail(io, problem("command.usage", `unknown schema ${quote(name)}`, { hint }));
  },
});
