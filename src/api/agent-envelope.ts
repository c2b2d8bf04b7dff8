// POST /v1/envelopes: facts -> the outcome of their verification. Of the rulespec, the agent learns only the notes of failed
// predicates, which the operator wrote for agents.
import { err, ok } from "../core/result.ts";
import type { AgentHandlers, AgentOptions } from "./agent-options.ts";

/** Makes the handler. */
export function envelopeHandler(
  { deps: { log }, envelopes }: Pick<AgentOptions, "deps" | "envelopes">,
): AgentHandlers["POST /v1/envelopes"] {
  return async ({ caller: container, body, note }) => {
    const written = await envelopes.write(container, body.facts);
    const from = { container: container.id, name: container.name };
    if (!written.ok) {
      if (written.error.code !== "rulespec.store") return written;
      log.error("envelope.error", { ...from, code: written.error.code, reason: written.error.message });
      return err({ ...written.error, message: "the envelope cannot be kept" });
    }
    const { summary, error } = written.value;
    if (error !== null) log.error("envelope.error", { ...from, code: error.code, reason: error.message });
    const { outcome, passed, failed, skipped, total } = summary;
    note({ outcome, passed, failed, skipped, total });
    return ok(summary);
  };
}
