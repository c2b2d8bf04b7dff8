// Completes the context of a test. A context that is refused is a bug of the test.
import { completeContext } from "../../../src/action/complete-context.ts";
import type { Context } from "../../../src/core/context.ts";

/** The context with all derived members. */
export function completed(context: Context): Context {
  const complete = completeContext(context);
  if (!complete.ok) throw new Error(complete.error.message);
  return complete.value;
}
