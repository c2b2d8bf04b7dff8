// The colours of output. The command line decides whether there are any; by default, only on a terminal without NO_COLOR.
import type { CliPlan } from "./global-flags.ts";
import type { Io } from "./io.ts";

/** The meaning of a word to the reader, which decides its colour. */
export type Style = "good" | "bad" | "warning" | "dim" | "bold";

/** Gives a text its colour, or leaves it as it is. */
export type Paint = (text: string, style: Style) => string;

const SGR: Readonly<Record<Style, string>> = { good: "32", bad: "1;31", warning: "1;33", dim: "2", bold: "1" };

/** Whether standard output takes colour; `NO_COLOR` counts when it is not empty (https://no-color.org). */
export function isColored(plan: CliPlan, io: Io): boolean {
  const asked = plan.flags.color;
  if (asked !== "auto") return asked === "always";
  return io.isTerminal.stdout && (io.environment["NO_COLOR"] ?? "") === "" && io.environment["TERM"] !== "dumb";
}

/** Leaves every text as it is. */
export const plain: Paint = (text) => text;

/** The paint for standard output. */
export function painter(plan: CliPlan, io: Io): Paint {
  return isColored(plan, io) ? (text, style) => `\u001b[${SGR[style]}m${text}\u001b[0m` : plain;
}

const STYLES: ReadonlyMap<string, Style> = new Map([
  ["allow", "good"],
  ["approval", "good"],
  ["approved", "good"],
  ["block", "bad"],
  ["misuse", "bad"],
  ["log.gap", "bad"],
  ["rejected", "bad"],
  ["refusal", "warning"],
  ["pending", "warning"],
]);

/** The style of a decision, a kind of record or the status of a request; null for words that need none. */
export function styleOf(word: string): Style | null {
  return STYLES.get(word) ?? null;
}
