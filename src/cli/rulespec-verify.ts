// `outcall rulespec verify`: checks the facts of an envelope against a rulespec, with both evaluators.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../core/clock.ts";
import { formatJson } from "../core/json.ts";
import { type Problem, problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import { reasonOf } from "../file/read-file.ts";
import { replaceFile } from "../file/replace-file.ts";
import { RULESPEC_FILE } from "../rulespec/load-rulespec.ts";
import { formatReport } from "../rulespec/format-report.ts";
import { formatStored, type StoredEnvelope, toStore } from "../rulespec/keep-envelope.ts";
import { VERIFICATION_FILES } from "../rulespec/verification-files.ts";
import { OPERATOR_VERIFY, type Verification, verify } from "../rulespec/verify-envelope.ts";
import type { VerificationOutput } from "../wire/rulespec-output.ts";
import { cliCommand, fail } from "./cli-command.ts";
import { withProgress } from "./progress.ts";
import { readKeyFile } from "./rulespec-key.ts";
import { asFinding, loadInputs, reportNotLoaded } from "./rulespec-load.ts";

/** The session in a stamp that is made without a daemon. */
const LOCAL_SESSION = "local";

/** The command. */
export const rulespecVerify = cliCommand({
  command: {
    usage: "rulespec verify",
    summary: "verify the facts of an envelope against a rulespec",
    flags: {
      rulespec: { value: "file", summary: "the rulespec", default: RULESPEC_FILE },
      envelope: { short: "e", value: "file", summary: "the envelope", required: true },
      out: { short: "o", value: "dir", summary: "write the envelope, the program and the report into this directory" },
      "key-file": { value: "file", summary: "sign the stamp with this key; without it there is no stamp" },
    },
    examples: [
      ["outcall rulespec verify --envelope envelope.yaml", `verify by ${RULESPEC_FILE}`],
      ["outcall rulespec verify --rulespec r.yaml -e envelope.yaml -o out --key-file key", "keep the stamped result"],
    ],
  },
  run: async (plan, io) => {
    const { envelope } = plan.flags;
    const key = readKeyFile(plan.flags["key-file"]);
    if (!key.ok) return fail(io, key.error);
    const path = plan.flags.rulespec;
    const done = withProgress(io, "verifying", () => {
      const inputs = loadInputs(path, envelope);
      if (!inputs.ok) return inputs;
      const { rulespec, facts } = inputs.value;
      const verification = verify(rulespec, facts, OPERATOR_VERIFY);
      if (!verification.ok) return err({ findings: [asFinding(verification.error, path)], sources: new Map() });
      const { outcome, totals } = verification.value;
      const at = systemClock.now();
      const stored = toStore({
        facts,
        outcome,
        totals,
        rulespec,
        session: LOCAL_SESSION,
        name: LOCAL_SESSION,
        at,
        key: key.value,
      });
      return ok({ verification: verification.value, stored });
    });
    if (!done.ok) return reportNotLoaded(done.error, plan, io, "nothing is verified");
    const { verification, stored } = done.value;
    const written = writeOut(plan.flags.out, verification, stored);
    if (!written.ok) return fail(io, written.error);
    io.stdout(plan.flags.json ? formatOutput(verification, stored) : formatReport(verification));
    return verification.outcome === "verified" ? 0 : 1;
  },
});

function formatOutput({ outcome, totals, answers }: Verification, { verified }: StoredEnvelope): string {
  const output: VerificationOutput = {
    version: 1,
    outcome,
    ...totals,
    stamp: verified.stamp,
    predicates: answers.map(({ index, status, predicate, reason }) => {
      const { claim, test, source, notes } = predicate;
      return { index, status, claim: claim.name, rule: test.rule, value: test.value, source, notes, reason };
    }),
  };
  return `${formatJson(output)}\n`;
}

function writeOut(dir: string | undefined, verification: Verification, stored: StoredEnvelope): Result<null, Problem> {
  if (dir === undefined) return ok(null);
  try {
    mkdirSync(dir, { recursive: true });
  } catch (cause) {
    return err(problem("command.input", `cannot make directory ${quote(dir)}: ${reasonOf(cause)}`));
  }
  const files = [
    [VERIFICATION_FILES.program, verification.program],
    [VERIFICATION_FILES.report, formatReport(verification)],
    [VERIFICATION_FILES.envelope, formatStored(stored)],
  ] as const;
  for (const [name, text] of files) {
    const written = replaceFile(join(dir, name), text, OUT_MODE);
    if (!written.ok) return err(problem("command.input", written.error));
  }
  return ok(null);
}

/** The mode of the written files: facts may be confidential, so only their owner can read them. */
const OUT_MODE = 0o600;
