// Whether output is coloured: what was asked for, else only on a terminal and only where the user does not object.
import type { CliPlan } from "./global-flags.ts";
import type { Io } from "./io.ts";

/** Whether standard output takes colour; `NO_COLOR` counts when it is not empty (https://no-color.org). */
export function isColored(plan: CliPlan, io: Io): boolean {
  const asked = plan.flags.color;
  if (asked !== "auto") return asked === "always";
  return io.isTerminal.stdout && (io.environment["NO_COLOR"] ?? "") === "" && io.environment["TERM"] !== "dumb";
}
