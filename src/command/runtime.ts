// Versions of the runtime -> whether the programs run under it. Node.js can load the source, and some of it would work: a
// daemon without calls of libc, for one, which then refuses everybody. Better one line that says so.
import { type Problem, problem } from "../core/problem.ts";
import { escapeText } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";

/** Versions by name, as `process.versions` has them; Bun and Deno each give their own besides that of Node.js. */
export type Versions = { readonly [name: string]: string | undefined };

/** Nothing under Bun and Deno; elsewhere what to do instead. */
export function checkRuntime(versions: Versions): Result<null, Problem> {
  if (versions["bun"] !== undefined || versions["deno"] !== undefined) return ok(null);
  const node = escapeText(versions["node"] ?? "of no version");
  return err(
    problem("command.runtime", `Node.js ${node} cannot run this from source: use Bun, Deno or the built programs`),
  );
}
