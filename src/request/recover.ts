// Undoes approvals that were interrupted by a kill: removes the file and makes the request pending again. Files are removed
// before any rules are loaded. States change later in the start, once events can be recorded.
import type { Problem } from "../core/problem.ts";
import { err, ok, type Result } from "../core/result.ts";
import type { RuleRequest } from "../wire/stored-request.ts";
import { removeApproved } from "./approved-file.ts";
import type { KeepEvent } from "./event.ts";
import type { RequestStore } from "./request-store.ts";

/** Removes the files of all requests in state `approving` and returns those requests. */
export function removeHalfApproved(store: RequestStore, rulesDir: string): Result<readonly RuleRequest[], Problem> {
  const found = store.list(["approving"]);
  if (!found.ok) return found;
  for (const { id, state } of found.value) {
    if (state.status !== "approving") continue;
    const removed = removeApproved(rulesDir, state.file, id);
    if (!removed.ok) return removed;
  }
  return found;
}

/** Makes all requests in state `approving` pending again and returns them. */
export async function recoverRequests(
  store: RequestStore,
  rulesDir: string,
  keep: KeepEvent,
): Promise<Result<readonly RuleRequest[], Problem>> {
  const found = removeHalfApproved(store, rulesDir);
  if (!found.ok) return found;
  for (const request of found.value) {
    const { id, requester, state } = request;
    if (state.status !== "approving") continue;
    const { at, by, digest, file } = state;
    const why = "the daemon ended during the approval";
    const event = { kind: "reverted", request: id, container: requester.id, at, by, digest, file } as const;
    const kept = await keep({ ...event, rules: [], reason: why });
    if (!kept.ok) return kept;
    const changed = store.change({ ...request, state: { status: "pending" } }, "approving");
    if (!changed.ok) return err(changed.error);
  }
  return ok(found.value);
}
