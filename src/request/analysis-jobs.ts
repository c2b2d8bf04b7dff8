// What the thread that analyses rule requests is asked, and what it replies: plain data, no syntax trees.
import type { Problem } from "../core/problem.ts";
import type { ApproveBody, ProposalData } from "../wire/request-host.ts";
import type { RuleRequest } from "../wire/stored-request.ts";
import type { RequestSummary } from "./summarize-request.ts";

/** The task of a thread that analyses rule requests. */
export type AnalysisTask = { readonly kind: "requests" };

/** Of a request, what its rules are made of. */
export type RequestSource = Pick<RuleRequest, "id" | "requester" | "submission">;

/** What the operator wants otherwise than asked for. */
export type Overrides = Omit<ApproveBody, "digest">;

/** What the thread is asked: whether a submission can be taken, or what an approval of a request would write. */
export type AnalysisJob =
  | { readonly kind: "submission"; readonly request: RequestSource }
  | {
    readonly kind: "proposal";
    readonly request: RequestSource;
    readonly overrides: Overrides;
    /** The rules in force, as `liveRulesText` writes them. */
    readonly liveRules: string;
  };

/** A submission that can be taken, as a list shows it. */
export type TakenSubmission = RequestSummary & Pick<RuleRequest, "ruleFile">;

/** What an approval writes, and what the operator is shown of it. */
export type Proposed = { readonly text: string; readonly data: ProposalData };

/** What the thread replies; `refused` where the text itself is the reason. */
export type AnalysisReply =
  | { readonly kind: "submission"; readonly taken: TakenSubmission }
  | { readonly kind: "proposal"; readonly proposed: Proposed }
  | { readonly kind: "refused"; readonly problem: Problem };
