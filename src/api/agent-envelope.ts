// POST /v1/envelopes: facts come in, their outcome goes out. Of the rulespec an agent learns the notes of failed predicates,
// which the operator wrote for agents, and nothing else.
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
    const { summary, trouble: problem } = written.value;
    if (problem !== null) log.error("envelope.error", { ...from, code: problem.code, reason: problem.message });
    const { outcome, passed, failed, skipped, total } = summary;
    note({ outcome, passed, failed, skipped, total });
    return ok(summary);
  };
}
