// The host socket's routes (S003 section 10), for the operator alone.
import { type Problem, problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { err, type Result } from "../core/result.ts";
import type { Peer } from "../peer/peer.ts";
import type { RuleRequests } from "../request/requests.ts";
import { detailRule, summarizeRule } from "../rule/describe-rule.ts";
import type { Rule, RuleSet } from "../rule/rule-set.ts";
import type { Sessions } from "../session/sessions.ts";
import { success } from "../wire/answer.ts";
import { completeContext } from "../action/complete-context.ts";
import { type ContainerList, EvaluateBody, type ReloadData, TestBody } from "../wire/host-api.ts";
import { answerProblem, type App, bodyReader, createApp, readBoundedJson, type ReportBug } from "../server/app.ts";
import { mountBridge } from "./bridge-routes.ts";
import { decide, type DecideDeps } from "../decision/decide.ts";
import { testOnRecord } from "../decision/test-on-record.ts";
import { mountHostEnvelopes } from "./envelope-routes-host.ts";
import type { Envelopes } from "../envelope/envelopes.ts";
import { exchangeOf } from "../server/exchange.ts";
import { opaqueRuleId, type RuleIdKey } from "./opaque-rule-id.ts";
import type { Reloader } from "../reload/reloader.ts";
import { RefusalLog } from "../log/refusal-log.ts";
import { mountHostRequests } from "./request-routes-host.ts";
import { listRoutes } from "../server/routes.ts";
import { healthOf, type ReportStatus, warningTexts } from "./status-report.ts";
import { summarizeRequest } from "../log/summarize-context.ts";

/** Every route of the host socket. */
export const HOST_ROUTES = [
  "POST /api/v1/rule/evaluate",
  "POST /api/v1/rule/test",
  "GET /api/v1/rules",
  "GET /api/v1/rule/:id",
  "POST /api/v1/rules/reload",
  "GET /api/v1/health",
  "GET /api/v1/status",
  "GET /api/v1/rule-requests",
  "GET /api/v1/rule-request/:id",
  "POST /api/v1/rule-request/:id/approve",
  "POST /api/v1/rule-request/:id/deny",
  "GET /api/v1/bridge",
  "POST /api/v1/bridge/up",
  "POST /api/v1/bridge/down",
  "GET /api/v1/containers",
  "GET /api/v1/envelopes",
  "GET /api/v1/envelope/:container",
] as const;

/** What the host socket works with. */
export type HostOptions = {
  readonly deps: DecideDeps;
  readonly reloader: Pick<Reloader, "reload">;
  readonly requests: RuleRequests;
  readonly sessions: Pick<Sessions, "all">;
  readonly envelopes: Envelopes;
  /** Whether a peer may use the socket at all. */
  readonly admit: (peer: Peer) => Result<null, Problem>;
  readonly reportStatus: ReportStatus;
  readonly ruleIdKey: RuleIdKey;
  readonly reportBug: ReportBug;
};

/** An operator's evaluation may take as long as the longest hooks; this only ends what hangs, in milliseconds. */
const HOST_TIMEOUT_MS = 120_000;

/** Makes the app of the host socket. */
export function createHostApp(options: HostOptions): App {
  const { deps } = options;
  const refusals = new RefusalLog(deps.log, deps.audit);
  const noteRefusal = (request: Request, found: Problem) => {
    deps.counts.refused++;
    refusals.note("host.request", found, undefined, summarizeRequest(request));
  };
  const admit = (request: Request) => {
    const { peer } = exchangeOf(request).connection;
    const admitted = peer.ok ? options.admit(peer.value) : err(peer.error);
    return Promise.resolve(admitted.ok ? null : admitted.error);
  };
  const base = createApp({ routes: HOST_ROUTES, admit, noteRefusal, reportBug: options.reportBug });
  const app = base
    .post("/api/v1/rule/evaluate", async ({ body }) => {
      const context = completeContext(body.context);
      if (!context.ok) return answerProblem(context.error);
      const requester = { source: "host", container: null } as const;
      const question = { context: context.value, rawTarget: null, requester, timeoutMs: HOST_TIMEOUT_MS };
      const { outcome } = await decide(question, deps);
      return outcome.ok ? success(outcome.value.decision) : answerProblem(outcome.error);
    }, { body: EvaluateBody, parse: bodyReader(readBoundedJson) })
    .post("/api/v1/rule/test", ({ body }) => {
      const context = completeContext(body.context);
      if (!context.ok) return answerProblem(context.error);
      const tested = testOnRecord(body.expression, context.value, deps);
      return tested.ok ? success(tested.value) : answerProblem(tested.error);
    }, { body: TestBody, parse: bodyReader(readBoundedJson) })
    .get("/api/v1/rules", () => success(deps.rules.current.set.rules.map(summarizeRule)))
    .get("/api/v1/rule/:id", ({ params }) => {
      const rule = findRule(deps.rules.current.set.rules, params.id, options.ruleIdKey);
      if (rule !== undefined) return success(detailRule(rule));
      return answerProblem(problem("rule.not-found", `rule not found: ${quote(params.id)}`));
    })
    .post("/api/v1/rules/reload", async () => {
      const reloaded = await options.reloader.reload("api");
      return reloaded.ok ? success(describeReload(reloaded.value)) : answerProblem(reloaded.error);
    })
    .get("/api/v1/health", () => success(healthOf(options.reportStatus())))
    .get("/api/v1/status", () => success(options.reportStatus()));
  mountHostRequests(base, options.requests);
  mountBridge(base, deps);
  base.get("/api/v1/containers", () => success(listContainers(options.sessions)));
  mountHostEnvelopes(base, options.envelopes);
  return { handle: async (request) => await app.handle(request), routes: listRoutes(app.routes) };
}

function describeReload(set: RuleSet): ReloadData {
  return { files_loaded: set.files, rules_loaded: set.rules.length, warnings: warningTexts(set) };
}

function listContainers(sessions: HostOptions["sessions"]): ContainerList {
  return sessions.all.map(({ container: { id, name, image }, since }) => ({
    id,
    name,
    image,
    since: since.toISOString(),
  }));
}

// By its id, or by what an agent is shown of it: ids of the opaque form are refused to rules, so the two never clash.
function findRule(rules: readonly Rule[], id: string, key: RuleIdKey): Rule | undefined {
  const byId = rules.find((rule) => rule.id === id);
  if (byId !== undefined || !/^rule-[0-9a-f]{12}$/.test(id)) return byId;
  return rules.find((rule) => opaqueRuleId(key, rule.id) === id);
}
