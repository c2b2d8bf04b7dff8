// The work of the thread that analyses rule requests: everything that parses, checks or compiles an agent's text.
import type { Environment } from "../cel/environment.ts";
import type { Problem } from "../core/problem.ts";
import { ok, type Result } from "../core/result.ts";
import type { AnalysisJob, AnalysisReply, Proposed, TakenSubmission } from "./analysis-jobs.ts";
import { analyzeSubmission } from "./analyze-submission.ts";
import { describeProposal } from "./describe-request.ts";
import { propose, whyUnwritable } from "./propose.ts";
import { parseLiveRules, reachOf } from "./reach.ts";
import { summarize } from "./summarize-request.ts";

/** Does one job. */
export function doAnalysisJob(job: AnalysisJob, environment: Environment): AnalysisReply {
  switch (job.kind) {
    case "submission": {
      const taken = takeSubmission(job, environment);
      return taken.ok ? { kind: "submission", taken: taken.value } : refuse(taken.error);
    }
    case "proposal": {
      const proposed = proposeApproval(job, environment);
      return proposed.ok ? { kind: "proposal", proposed: proposed.value } : refuse(proposed.error);
    }
  }
}

type SubmissionJob = Extract<AnalysisJob, { kind: "submission" }>;

function takeSubmission({ request }: SubmissionJob, environment: Environment): Result<TakenSubmission, Problem> {
  const analyzed = analyzeSubmission(request.submission, environment);
  if (!analyzed.ok) return analyzed;
  const { rules, ruleFile } = analyzed.value;
  if (rules.length > 0) {
    // A submission that could never be approved unchanged is refused.
    const unwritable = whyUnwritable({ request, rules, overrides: {}, environment });
    if (unwritable !== null) return { ok: false, error: unwritable };
  }
  return ok({ ...summarize(request.submission, rules), ruleFile });
}

type ProposalJob = Extract<AnalysisJob, { kind: "proposal" }>;

// Always starts from the submitted text: no result of an earlier analysis is trusted.
function proposeApproval(job: ProposalJob, environment: Environment): Result<Proposed, Problem> {
  const { request, overrides, liveRules } = job;
  const analyzed = analyzeSubmission(request.submission, environment);
  if (!analyzed.ok) return analyzed;
  const proposal = propose({ request, rules: analyzed.value.rules, overrides, environment });
  if (!proposal.ok) return proposal;
  const reaches = reachOf(proposal.value, parseLiveRules(liveRules));
  return ok({ text: proposal.value.text, data: describeProposal(proposal.value, reaches, analyzed.value) });
}

// A problem's cause may not be copyable between threads, and no reader of the reply needs it.
function refuse({ code, message }: Problem): AnalysisReply {
  return { kind: "refused", problem: { code, message } };
}
