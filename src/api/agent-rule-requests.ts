// The agent socket's routes of rule requests (S004-FR-011, FR-012, S003-IF-006). Pending requests never affect decisions.
import type { Container } from "../container/container.ts";
import type { Problem } from "../core/problem.ts";
import { ok, type Result } from "../core/result.ts";
import { describeAccess, describeState } from "../request/describe-request.ts";
import { accessSubmission, ruleSubmission } from "../request/submission.ts";
import type { Exchange } from "../server/exchange.ts";
import type { RuleRequest, Submission } from "../wire/stored-request.ts";
import type { AgentHandlers, AgentOptions } from "./agent-options.ts";

/** Makes the handlers. */
export function ruleRequestHandlers({ requests }: Pick<AgentOptions, "requests">): Pick<
  AgentHandlers,
  "POST /v1/requests/rules" | "POST /api/v1/agent/rule-request" | "GET /v1/requests/rules/:id"
> {
  return {
    "POST /v1/requests/rules": async (call) => {
      const submission = ruleSubmission(call.body);
      if (!submission.ok) return submission;
      const submitted = await submit(call, submission.value);
      return submitted.ok ? ok(describeState(submitted.value)) : submitted;
    },
    "POST /api/v1/agent/rule-request": async (call) => {
      const submitted = await submit(call, accessSubmission(call.body));
      return submitted.ok ? ok(describeAccess(submitted.value)) : submitted;
    },
    "GET /v1/requests/rules/:id": ({ caller, params, note }) => {
      const found = requests.findOf(caller.id, params.id);
      if (!found.ok) return found;
      const state = describeState(found.value);
      note({ request: state.id, state: state.status });
      return ok(state);
    },
  };

  async function submit(
    { caller, exchange, note }: Submitting,
    submission: Submission,
  ): Promise<Result<RuleRequest, Problem>> {
    const { id, name, shortId, image } = caller;
    const submitted = await requests.submit({ id, name, image, named: name !== shortId }, submission);
    if (submitted.ok) note({ request: submitted.value.id, form: submission.form });
    else if (submitted.error.code === "request.too-many") exchange.retryAfterSeconds = RETRY_AFTER_SECONDS;
    return submitted;
  }
}

type Submitting = {
  readonly caller: Container;
  readonly exchange: Exchange;
  readonly note: (fields: { readonly request: string; readonly form: string }) => void;
};

/** When to ask again while too many requests are pending, in seconds: an operator decides in minutes. */
const RETRY_AFTER_SECONDS = 60;
