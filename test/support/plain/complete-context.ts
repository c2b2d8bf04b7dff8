// A context of a test, complete; one that is refused is a mistake of the test.
import { completeContext } from "../../../src/action/complete-context.ts";
import type { Context } from "../../../src/core/context.ts";

/** The context with everything that follows from it. */
export function completed(context: Context): Context {
  const complete = completeContext(context);
  if (!complete.ok) throw new Error(complete.error.message);
  return complete.value;
}
