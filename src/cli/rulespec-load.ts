// Loads the files of the rulespec commands, and reports files that do not load.
import type { CliPlan } from "./global-flags.ts";
import { compareFindings, type Finding } from "../core/finding.ts";
import { formatJson } from "../core/json.ts";
import { type Problem, problem } from "../core/problem.ts";
import { placeAt } from "../core/span.ts";
import { toJson } from "../report/format-json.ts";
import { formatText } from "../report/format-text.ts";
import { err, ok, type Result } from "../core/result.ts";
import { loadEnvelope, loadRulespec } from "../rulespec/load-rulespec.ts";
import type { Rulespec } from "../rulespec/rulespec.ts";
import type { JsonObject } from "../core/json.ts";
import type { VerifyErrorOutput } from "../wire/rulespec-output.ts";
import { type ExitCode, fail } from "./cli-command.ts";
import type { Io } from "./io.ts";

/** The findings that stop a command, and the texts of the files they are in. */
export type NotLoaded = { readonly findings: readonly Finding[]; readonly sources: ReadonlyMap<string, string> };

/** A rulespec and the facts of an envelope. */
export type Inputs = { readonly rulespec: Rulespec; readonly facts: JsonObject };

/** Loads both files, or returns all findings of both; without an envelope there are no facts. */
export function loadInputs(rulespecPath: string, envelopePath: string | undefined): Result<Inputs, NotLoaded> {
  const { rulespec, findings, source } = loadRulespec(rulespecPath);
  const sources = new Map([[rulespecPath, source]]);
  if (envelopePath === undefined) {
    return rulespec === null ? err({ findings, sources }) : ok({ rulespec, facts: {} });
  }
  const loaded = loadEnvelope(envelopePath);
  sources.set(envelopePath, loaded.source);
  const { envelope } = loaded;
  if (rulespec !== null && envelope.ok) return ok({ rulespec, facts: envelope.value.facts });
  const all = [...findings, ...(envelope.ok ? [] : envelope.error)];
  return err({ findings: all.toSorted(compareFindings), sources });
}

/** A problem of a whole file as a finding. */
export function asFinding(found: Problem, path: string): Finding {
  return { place: placeAt(path), ...found, severity: "error" };
}

/** Reports files that do not load, as JSON on standard output if that is asked for. */
export function reportNotLoaded({ findings, sources }: NotLoaded, plan: CliPlan, io: Io, what: string): ExitCode {
  if (plan.flags.json) {
    const output: VerifyErrorOutput = { version: 1, outcome: "error", findings: findings.map(toJson) };
    io.stdout(`${formatJson(output)}\n`);
    return 1;
  }
  io.stderr(formatText({ files: sources.size, rules: 0, predicates: 0, findings, sources }, false));
  return fail(io, problem("command.input", what));
}
