// Versions of the runtime -> whether the programs run under it. Node.js can load the source, but it cannot call libc, so a
// daemon under it would refuse every peer. The programs stop with one line instead.
import { type Problem, problem } from "../core/problem.ts";
import { escapeText } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";

/** Versions by name, as in `process.versions`. Bun and Deno each add their own to that of Node.js. */
export type Versions = { readonly [name: string]: string | undefined };

/** Succeeds under Bun and Deno; under another runtime the problem names the supported ones. */
export function checkRuntime(versions: Versions): Result<null, Problem> {
  if (versions["bun"] !== undefined || versions["deno"] !== undefined) return ok(null);
  const node = escapeText(versions["node"] ?? "of no version");
  return err(
    problem("command.runtime", `Node.js ${node} cannot run this from source: use Bun, Deno or the built programs`),
  );
}
