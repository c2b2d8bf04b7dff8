// Changes of policy -> entries of the decision log: approvals and denials of rule requests, and reloads with their results.
import type { AuditLog } from "../audit/decision-log.ts";
import { NO_CONTAINER } from "../audit/entry.ts";
import type { Clock } from "../core/clock.ts";
import type { JsonObject } from "../core/json.ts";
import type { Problem } from "../core/problem.ts";
import { ok, type Result } from "../core/result.ts";
import type { RequestEvent } from "../request/event.ts";

/** Records a step of an approval or a denial. */
export async function keepRequestEvent(
  audit: AuditLog,
  clock: Clock,
  event: RequestEvent,
): Promise<Result<null, Problem>> {
  const { kind: step, request, container, by, digest, file, rules, reason } = event;
  const kept = await audit.append({
    kind: "approval",
    at: clock.now(),
    source: "host",
    container: { id: container, name: null },
    reason,
    detail: { step, request, by: { ...by }, digest, file, rules: [...rules] },
  });
  return kept.ok ? ok(null) : kept;
}

/** Records that the rules were reloaded, or why they were not. */
export async function keepReload(
  audit: AuditLog,
  clock: Clock,
  reason: string | null,
  detail: JsonObject,
): Promise<Result<null, Problem>> {
  const source = "daemon";
  const kept = await audit.append({ kind: "reload", at: clock.now(), source, container: NO_CONTAINER, reason, detail });
  return kept.ok ? ok(null) : kept;
}
