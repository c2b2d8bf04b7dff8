// The one way this room says no. A refusal goes back to the agent: it names what is wrong with the agent's own words and
// knows nothing of policy.
import { type Problem, problem } from "../core/problem.ts";
import { type Err, err } from "../core/result.ts";

/** A request that is well formed and means nothing that can be judged (422); the message is one line, safe to show. */
export function refuse(message: string): Err<Problem> {
  return err(problem("daemon.unprocessable", message));
}
