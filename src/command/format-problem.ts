// A problem -> the output of a program on standard error: lines for a person, or one line of JSON (`outcall schema error`).
import { formatJson } from "../core/json.ts";
import type { Problem } from "../core/problem.ts";

/** How errors are printed. */
export type ErrorForm = "text" | "json";

/** The text of a problem, with its line end. */
export function formatProblem({ code, message, hint }: Problem, form: ErrorForm): string {
  if (form === "json") {
    const error = hint === undefined ? { code, message } : { code, message, hint };
    return `${formatJson({ version: 1, error })}\n`;
  }
  return hint === undefined ? `Error: ${message}\n` : `Error: ${message}\nHint: ${hint}\n`;
}

/** Whether a command line, or the environment, asks for JSON; it is read before the command line is known to be right. */
export function formAskedFor(
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): ErrorForm {
  const end = argv.indexOf("--");
  const isGiven = (end < 0 ? argv : argv.slice(0, end)).includes("--json");
  const variable = environment["OUTCALL_JSON"];
  return isGiven || variable === "1" || variable === "true" ? "json" : "text";
}
