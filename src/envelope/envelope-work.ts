// The work of the thread of envelopes. A write has these steps: parse, store, load the rulespec, compile, extract, evaluate
// both ways, write the two reports, stamp. The envelope is not verified before the last step.
import { join } from "node:path";
import type { Finding } from "../core/finding.ts";
import { type Problem, problem } from "../core/problem.ts";
import { escapeWhole } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import { readFile } from "../file/read-file.ts";
import { NO_TOTALS } from "../rulespec/predicate-answer.ts";
import { type Envelope, parseEnvelope } from "../rulespec/parse-envelope.ts";
import { AGENT_TEXT, OPERATOR_TEXT } from "../rulespec/read-yaml.ts";
import { formatReport } from "../rulespec/format-report.ts";
import type { Rulespec } from "../rulespec/rulespec.ts";
import { formatStored, parseStored, type StoredEnvelope, toStore, whyUnverified } from "../rulespec/keep-envelope.ts";
import { VERIFICATION_FILES } from "../rulespec/verification-files.ts";
import { AGENT_VERIFY, verify } from "../rulespec/verify-envelope.ts";
import type { EnvelopeView } from "../wire/envelope-api.ts";
import { EnvelopePlace, sessionDirectory } from "./envelope-files.ts";
import type { EnvelopeJob, EnvelopeReply, EnvelopeResult, EnvelopeThreadData } from "./envelope-jobs.ts";
import { chooseRulespec, type ChosenRulespec, fingerprintOf, loadChosen } from "./rulespec-source.ts";

/** Does one job. */
export function doEnvelopeJob(data: EnvelopeThreadData, job: EnvelopeJob, now: Date): EnvelopeReply {
  switch (job.kind) {
    case "write":
      return writeEnvelope(data, job, now);
    case "restore":
      return restoreEnvelope(data, job);
    case "view":
      return viewEnvelope(data, job);
  }
}

type WriteJob = Extract<EnvelopeJob, { kind: "write" }>;

function writeEnvelope(data: EnvelopeThreadData, { owner, text, mounts }: WriteJob, now: Date): EnvelopeReply {
  const envelope = parseEnvelope(ENVELOPE_NAME, text, AGENT_TEXT);
  if (!envelope.ok) return { kind: "problem", problem: describeRefusal(envelope.error) };
  const { facts } = envelope.value;
  const place = EnvelopePlace.open(data.stateDir, owner.id);
  if (!place.ok) return { kind: "problem", problem: place.error };
  const kept = { facts, session: owner.instance, name: owner.name, at: now, key: data.key };
  const raw = toStore({ ...kept, outcome: "unverified", totals: NO_TOTALS, rulespec: null });
  const stored = place.value.put("envelope", formatStored(raw));
  if (!stored.ok) return { kind: "problem", problem: stored.error };
  const fingerprint = fingerprintOf(data.source, owner.name);
  const judged = judge(chooseRulespec(data.source, owner.name), envelope.value, mounts);
  const { program, report, rulespec, outcome, totals } = judged;
  const files = [["program", program], ["report", report]] as const;
  for (const [file, content] of files) {
    const written = content === null ? ok(null) : place.value.put(file, content);
    if (!written.ok) return { kind: "problem", problem: written.error };
  }
  const stamped = toStore({ ...kept, outcome, totals, rulespec });
  const last = place.value.put("envelope", formatStored(stamped));
  if (!last.ok) return { kind: "problem", problem: last.error };
  const { failures, error } = judged;
  return { kind: "result", result: { ...resultOf(stamped, fingerprint), failures, error } };
}

/** The name of an agent's text in messages to the agent. */
const ENVELOPE_NAME = "envelope";

/** How many findings an agent gets. The others often follow from these, and the next attempt shows them. */
const FINDINGS_SHOWN = 5;

function describeRefusal(findings: readonly Finding[]): Problem {
  const shown = findings.slice(0, FINDINGS_SHOWN).map(({ place, message, hint }) =>
    `line ${place.line}: ${message}${hint === undefined ? "" : ` (${hint})`}`
  );
  const more = findings.length > FINDINGS_SHOWN ? [`and ${findings.length - FINDINGS_SHOWN} more`] : [];
  return problem("daemon.unprocessable", `the envelope is refused: ${[...shown, ...more].join("; ")}`);
}

/** The result of a verification; without a rulespec there is no program. */
type Judged = Pick<EnvelopeResult, "outcome" | "totals" | "failures" | "error"> & {
  readonly rulespec: Rulespec | null;
  readonly program: string | null;
  readonly report: string | null;
};

const UNJUDGED = { totals: NO_TOTALS, failures: [], rulespec: null, program: null, report: null } as const;

function judge(chosen: ChosenRulespec, { facts }: Envelope, mounts: readonly string[]): Judged {
  if (chosen.kind === "none") return { ...UNJUDGED, outcome: "unverified", error: null };
  if (chosen.kind === "refused") return failed(problem("rulespec.file", chosen.reason));
  const { rulespec, findings } = loadChosen(chosen.path, mounts);
  if (rulespec === null) {
    const [first] = findings;
    const message = `rulespec does not load: ${first?.place.file}:${first?.place.line}: ${first?.message}`;
    return failed(problem(first?.code ?? "rulespec.file", message));
  }
  const verification = verify(rulespec, facts, AGENT_VERIFY);
  if (!verification.ok) return failed(verification.error, rulespec.predicates.length);
  const { outcome, totals, answers, program } = verification.value;
  const notes = answers.filter(({ status }) => status === "fail").map(({ predicate }) => predicate.notes);
  const failures = notes.filter((note) => note !== null);
  return { outcome, totals, failures, error: null, rulespec, program, report: formatReport(verification.value) };
}

// Without a verification the outcome is `failed`: never skipped, and never the outcome of an earlier envelope.
function failed(error: Problem, total = 0): Judged {
  const report = `${escapeWhole(`${error.code}: ${error.message}`)}\n\nOutcome: failed\n`;
  return { ...UNJUDGED, outcome: "failed", totals: { ...NO_TOTALS, total }, error, report };
}

function resultOf({ facts, verified }: StoredEnvelope, fingerprint: string): EnvelopeResult {
  const { outcome, totals, at } = verified;
  return { outcome, totals, failures: [], at, factsJson: JSON.stringify(facts), fingerprint, error: null };
}

type RestoreJob = Extract<EnvelopeJob, { kind: "restore" }>;

// An envelope that an earlier daemon verified counts only if its stamp still holds for this instance of the container.
function restoreEnvelope(data: EnvelopeThreadData, { owner, mounts }: RestoreJob): EnvelopeReply {
  const stored = readStored(data.stateDir, owner.id);
  if (stored === null) return { kind: "nothing" };
  if (!stored.ok) return { kind: "problem", problem: stored.error };
  if (stored.value.verified.session !== owner.instance) return { kind: "nothing" };
  const fingerprint = fingerprintOf(data.source, owner.name);
  const result = resultOf(stored.value, fingerprint);
  if (result.outcome !== "verified") return { kind: "result", result };
  const reason = whyNotHolding(data, stored.value, mounts);
  return { kind: "result", result: reason === null ? result : { ...result, outcome: "unverified", error: reason } };
}

function viewEnvelope(data: EnvelopeThreadData, { id, mounts }: Extract<EnvelopeJob, { kind: "view" }>): EnvelopeReply {
  const stored = readStored(data.stateDir, id);
  if (stored === null) return { kind: "nothing" };
  if (!stored.ok) return { kind: "problem", problem: stored.error };
  const { facts, verified } = stored.value;
  const { outcome, totals, session, at, stamp } = verified;
  const reason = whyNotHolding(data, stored.value, mounts);
  const view: EnvelopeView = {
    container: id,
    session,
    outcome,
    ...totals,
    at,
    stamp,
    holds: reason === null,
    reason: reason?.message ?? null,
    directory: sessionDirectory(data.stateDir, id),
    facts,
  };
  return { kind: "view", view };
}

function whyNotHolding(
  data: EnvelopeThreadData,
  stored: StoredEnvelope,
  mounts: readonly string[],
): Problem | null {
  const chosen = chooseRulespec(data.source, stored.verified.name);
  if (chosen.kind === "refused") return problem("rulespec.unverified", chosen.reason);
  if (chosen.kind === "none") return problem("rulespec.unverified", "no rulespec is configured");
  const { rulespec } = loadChosen(chosen.path, mounts);
  if (rulespec === null) return problem("rulespec.unverified", "the rulespec does not load any more");
  return whyUnverified(stored, rulespec, data.key);
}

// Null if there is no envelope.
function readStored(stateDir: string, id: string): Result<StoredEnvelope, Problem> | null {
  const path = join(sessionDirectory(stateDir, id), VERIFICATION_FILES.envelope);
  const bytes = readFile({ path, limitBytes: OPERATOR_TEXT.sizeBytes });
  if (bytes.ok) return parseStored(path, bytes.value);
  return bytes.error.kind === "missing" ? null : err(problem("rulespec.store", bytes.error.message));
}
