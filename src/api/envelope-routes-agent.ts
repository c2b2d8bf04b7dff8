// The agent socket's route of envelopes (rulespec.md 6): facts come in, what became of them goes out, and of the rulespec
// nothing but the notes that its operator wrote for whoever fails.
import type { Container } from "../container/container.ts";
import type { Clock } from "../core/clock.ts";
import type { Problem } from "../core/problem.ts";
import { success } from "../wire/answer.ts";
import { EnvelopeBody } from "../wire/envelope-api.ts";
import { answerProblem, bodyReader, type createApp, readJson } from "../server/app.ts";
import type { Envelopes } from "../envelope/envelopes.ts";
import type { Log } from "../log/logger.ts";
import type { Enter } from "./request-routes-agent.ts";
import { elapsedMs } from "../log/round-ms.ts";

/** What the route works with. */
export type AgentEnvelopesOptions = {
  readonly envelopes: Envelopes;
  readonly enter: Enter;
  /** Counts a write of the container; the problem where it has had too many. */
  readonly countEnvelope: (request: Request, container: Container) => Problem | null;
  readonly refuse: (request: Request, found: Problem) => ReturnType<typeof answerProblem>;
  readonly log: Log;
  readonly clock: Clock;
};

/** Adds the route to an app. */
export function mountAgentEnvelopes(app: ReturnType<typeof createApp>, options: AgentEnvelopesOptions): void {
  const { envelopes, enter, countEnvelope, refuse, log, clock } = options;
  app.post("/v1/envelopes", async ({ request, body, set }) => {
    const startMs = clock.monotonicMs();
    const entered = await enter(request, body);
    if (!entered.ok) return refuse(request, entered.error);
    const container = entered.value;
    const tooOften = countEnvelope(request, container);
    if (tooOften !== null) return refuse(request, tooOften);
    const written = await envelopes.write(container, body.facts);
    const who = { container: container.id, name: container.name };
    if (!written.ok) {
      if (written.error.code !== "rulespec.store") return refuse(request, written.error);
      log.error("envelope.error", { ...who, code: written.error.code, reason: written.error.message });
      return refuse(request, { ...written.error, message: "the envelope cannot be kept" });
    }
    const { summary, trouble } = written.value;
    if (trouble !== null) log.error("envelope.error", { ...who, code: trouble.code, reason: trouble.message });
    const { outcome, passed, failed, skipped, total } = summary;
    const done = { outcome, passed, failed, skipped, total, status: 201 };
    log.info("agent.envelope", { ...who, ...done, duration_ms: elapsedMs(clock, startMs) });
    set.status = 201;
    return success(summary);
  }, { body: EnvelopeBody, parse: bodyReader(readJson) });
}
