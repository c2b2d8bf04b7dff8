// The jobs of the thread that analyses rule requests, and its replies: plain data, because both cross between threads.
import type { Problem } from "../core/problem.ts";
import type { ApproveBody, ProposalData } from "../wire/request-host.ts";
import type { RuleRequest } from "../wire/stored-request.ts";
import type { RequestSummary } from "./summarize-request.ts";

/** The task of a thread that analyses rule requests. */
export type AnalysisTask = { readonly kind: "requests" };

/** The members of a request from which its rules are made. */
export type RequestSource = Pick<RuleRequest, "id" | "requester" | "submission">;

/** The operator's changes to the rules at approval. */
export type Overrides = Omit<ApproveBody, "digest">;

/** One job: check whether a submission is acceptable, or make the proposal of a request. */
export type AnalysisJob =
  | { readonly kind: "submission"; readonly request: RequestSource }
  | {
    readonly kind: "proposal";
    readonly request: RequestSource;
    readonly overrides: Overrides;
    /** The rules in force, as `liveRulesText` writes them. */
    readonly liveRules: string;
  };

/** An acceptable submission, as lists show it. */
export type TakenSubmission = RequestSummary & Pick<RuleRequest, "ruleFile">;

/** The text that an approval writes, and the operator's view of it. */
export type Proposed = { readonly text: string; readonly data: ProposalData };

/** The reply to a job; `refused` means that the submitted text itself is at fault. */
export type AnalysisReply =
  | { readonly kind: "submission"; readonly taken: TakenSubmission }
  | { readonly kind: "proposal"; readonly proposed: Proposed }
  | { readonly kind: "refused"; readonly problem: Problem };
