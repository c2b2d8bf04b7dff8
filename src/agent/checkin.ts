// outcall-agent checkin: make oneself known and print the container's id. The session token is never printed: every call
// of the shim checks in for itself, and a printed token ends up in a log.
import type { Problem } from "../core/problem.ts";
import { ok, type Result } from "../core/result.ts";
import { checkIn } from "./ask-verdict.ts";
import { print } from "./print-verdict.ts";
import type { Task } from "./task.ts";

/** Checks in and prints. */
export function runCheckin(task: Task): Promise<Result<number, Problem>> {
  return checkIn(task.daemon, (session) => {
    const printed = print(session.containerId);
    return Promise.resolve(printed.ok ? ok(0) : printed);
  });
}
