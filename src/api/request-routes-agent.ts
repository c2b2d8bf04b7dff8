// The agent socket's routes of rule requests (S004-FR-011, FR-012, S003-IF-006): three forms of asking, one queue, and how a
// container's own request stands. Nothing of them has a part in any evaluation.
import type { Container } from "../container/container.ts";
import type { Clock } from "../core/clock.ts";
import type { Problem } from "../core/problem.ts";
import { err, type Result } from "../core/result.ts";
import { describeAccess, describeState } from "../request/describe-request.ts";
import type { RuleRequests } from "../request/requests.ts";
import { accessSubmission, ruleSubmission } from "../request/submission.ts";
import { success } from "../wire/answer.ts";
import { AccessRequestBody, RuleRequestBody } from "../wire/request-agent.ts";
import type { RuleRequest, Submission } from "../wire/stored-request.ts";
import { answerProblem, bodyReader, type createApp, readJson } from "../server/app.ts";
import { exchangeOf } from "../server/exchange.ts";
import type { Log } from "../log/logger.ts";
import { elapsedMs } from "../log/round-ms.ts";

/** A body that may hold a token. */
export type WithToken = { readonly session_token?: string };

/** Whose request it is, or why it is refused before anything in it is looked at. */
export type Enter = (request: Request, body: WithToken) => Promise<Result<Container, Problem>>;

/** What the routes work with. */
export type AgentRequestsOptions = {
  readonly requests: RuleRequests;
  readonly enter: Enter;
  /** Counts a rule request of the container; the problem where it has had too many. */
  readonly countRequest: (request: Request, container: Container) => Problem | null;
  readonly refuse: (request: Request, found: Problem) => ReturnType<typeof answerProblem>;
  readonly log: Log;
  readonly clock: Clock;
};

/** When to ask again once too many wait, in seconds: an operator decides in minutes, not in milliseconds. */
const RETRY_AFTER_SECONDS = 60;

/** Adds the routes to an app. */
export function mountAgentRequests(app: ReturnType<typeof createApp>, options: AgentRequestsOptions): void {
  const { requests, enter, refuse, log, clock } = options;
  app
    .post("/v1/requests/rules", async ({ request, body, set }) => {
      const submitted = await submit(request, body, ruleSubmission(body));
      if (!submitted.ok) return decline(request, submitted.error);
      set.status = 201;
      return success(describeState(submitted.value));
    }, { body: RuleRequestBody, parse: bodyReader(readJson) })
    .post("/api/v1/agent/rule-request", async ({ request, body, set }) => {
      const submitted = await submit(request, body, { ok: true, value: accessSubmission(body) });
      if (!submitted.ok) return decline(request, submitted.error);
      set.status = 201;
      return success(describeAccess(submitted.value));
    }, { body: AccessRequestBody, parse: bodyReader(readJson) })
    .get("/v1/requests/rules/:id", async ({ request, params }) => {
      const startMs = clock.monotonicMs();
      const entered = await enter(request, {});
      if (!entered.ok) return refuse(request, entered.error);
      const { id: container, name } = entered.value;
      const found = requests.findOf(container, params.id);
      if (!found.ok) return refuse(request, found.error);
      const state = describeState(found.value);
      const asked = { container, name, request: state.id, state: state.status };
      log.info("agent.rule-status", { ...asked, status: 200, duration_ms: elapsedMs(clock, startMs) });
      return success(state);
    });

  async function submit(
    request: Request,
    body: WithToken,
    submission: Result<Submission, Problem>,
  ): Promise<Result<RuleRequest, Problem>> {
    const startMs = clock.monotonicMs();
    if (!submission.ok) return submission;
    const entered = await enter(request, body);
    if (!entered.ok) return err(entered.error);
    const tooOften = options.countRequest(request, entered.value);
    if (tooOften !== null) return err(tooOften);
    const { id, name, shortId, image } = entered.value;
    const submitted = await requests.submit({ id, name, image, named: name !== shortId }, submission.value);
    if (!submitted.ok) return submitted;
    const asked = { container: id, name, request: submitted.value.id, form: submission.value.form };
    log.info("agent.rule-request", { ...asked, status: 201, duration_ms: elapsedMs(clock, startMs) });
    return submitted;
  }

  function decline(request: Request, found: Problem) {
    if (found.code === "request.too-many") exchangeOf(request).retryAfterSeconds = RETRY_AFTER_SECONDS;
    return refuse(request, found);
  }
}
