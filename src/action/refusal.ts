// The problem that this room returns. Its message goes back to the agent, names the fault of the request, and reveals nothing
// about policy.
import { type Problem, problem } from "../core/problem.ts";
import { type Err, err } from "../core/result.ts";

/** Refuses a well-formed request that cannot be judged (422); the message is one line and safe to show. */
export function refuse(message: string): Err<Problem> {
  return err(problem("daemon.unprocessable", message));
}
