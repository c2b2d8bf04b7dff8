// `outcall-agent checkin`: checks in and prints the container's id. The session token is never printed, because printed tokens
// end up in logs. Every command of the shim checks in by itself.
import type { Problem } from "../core/problem.ts";
import { ok, type Result } from "../core/result.ts";
import { checkIn } from "./ask-verdict.ts";
import { print } from "./print-verdict.ts";
import type { Task } from "./task.ts";

/** Checks in and prints the id. */
export function runCheckin(task: Task): Promise<Result<number, Problem>> {
  return checkIn(task.daemon, (session) => {
    const printed = print(session.containerId);
    return Promise.resolve(printed.ok ? ok(0) : printed);
  });
}
