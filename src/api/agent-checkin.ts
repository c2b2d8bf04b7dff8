// POST /v1/checkin: returns the container's session, and restores the envelope that an earlier daemon verified.
import { ok } from "../core/result.ts";
import { CONTEXT_KEYS } from "../wire/agent-api.ts";
import type { AgentHandlers, AgentOptions } from "./agent-options.ts";

/** Makes the handler. */
export function checkinHandler(
  { deps: { log }, sessions, envelopes }: Pick<AgentOptions, "deps" | "sessions" | "envelopes">,
): AgentHandlers["POST /v1/checkin"] {
  return async ({ caller: container }) => {
    const session = sessions.checkIn(container);
    if (!session.ok) return session;
    const { id, name, shortId } = container;
    const problem = await envelopes.restore(container);
    if (problem !== null) log.warning("envelope.error", { container: id, name, reason: problem.message });
    return ok({ container_id: shortId, session_token: session.value.token, context_keys: [...CONTEXT_KEYS] });
  };
}
