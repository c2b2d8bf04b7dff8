// The host socket's routes of rule requests (S003-IF-007 to IF-009): the operator alone sees and decides them.
import { type Problem, problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import type { RuleRequests } from "../request/requests.ts";
import { success } from "../wire/answer.ts";
import type { RequestStatus } from "../wire/request-agent.ts";
import { ApproveBody, DenyBody } from "../wire/request-host.ts";
import type { Decider } from "../wire/stored-request.ts";
import { answerProblem, bodyReader, type createApp, readOptionalJson } from "../server/app.ts";
import { exchangeOf } from "../server/exchange.ts";
import { userName } from "./user-name.ts";

/** Adds the routes to an app. */
export function mountHostRequests(app: ReturnType<typeof createApp>, requests: RuleRequests): void {
  app
    .get("/api/v1/rule-requests", ({ request }) => {
      const status = wantedStatus(new URL(request.url).searchParams);
      return answer(status.ok ? requests.list(status.value) : status);
    })
    .get("/api/v1/rule-request/:id", async ({ params }) => answer(await requests.view(params.id)))
    .post("/api/v1/rule-request/:id/approve", async ({ request, params, body }) => {
      const by = deciderOf(request);
      return answer(by.ok ? await requests.approve(params.id, body, by.value) : by);
    }, { body: ApproveBody, parse: bodyReader(readOptionalJson) })
    .post("/api/v1/rule-request/:id/deny", async ({ request, params, body }) => {
      const by = deciderOf(request);
      return answer(by.ok ? await requests.deny(params.id, body.reason ?? null, by.value) : by);
    }, { body: DenyBody, parse: bodyReader(readOptionalJson) });
}

function answer<T>(result: Result<T, Problem>) {
  return result.ok ? success(result.value) : answerProblem(result.error);
}

const STATUSES: Readonly<Record<string, RequestStatus>> = {
  pending: "pending",
  approved: "approved",
  rejected: "rejected",
  denied: "rejected",
};

function wantedStatus(query: URLSearchParams): Result<RequestStatus | null, Problem> {
  const unknown = [...query.keys()].find((name) => name !== "status");
  if (unknown !== undefined) return err(invalid(`unknown parameter ${quote(unknown)}`));
  const [text, ...more] = query.getAll("status");
  if (text === undefined) return ok(null);
  const status = Object.hasOwn(STATUSES, text) ? STATUSES[text] : undefined;
  if (status !== undefined && more.length === 0) return ok(status);
  return err(invalid(`status is one of ${Object.keys(STATUSES).join(", ")}, not ${quote([text, ...more].join(", "))}`));
}

// Who decides is what the kernel says of the connection, never what a body says.
function deciderOf(request: Request): Result<Decider, Problem> {
  const { peer } = exchangeOf(request).connection;
  if (!peer.ok) return peer;
  const { uid } = peer.value.credentials;
  return ok({ uid, name: userName(uid) });
}

function invalid(message: string): Problem {
  return problem("daemon.invalid-request", `invalid request: ${message}`);
}
