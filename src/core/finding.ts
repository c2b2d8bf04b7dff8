// Finding: a problem in a file that an operator wrote, with severity, place and rule.
import type { Problem } from "./problem.ts";
import { comparePlaces, type Place } from "./span.ts";

/** An error keeps a rule set from loading, a warning is kept with the set, and only lint reports notes. */
export type Severity = "error" | "warning" | "note";

/** A problem at a place of a file. */
export type Finding = Problem & {
  readonly severity: Severity;
  readonly place: Place;
  /** The id of the rule it belongs to, where there is one. */
  readonly rule?: string;
};

/** Orders findings by place, then by code, so that the same files give the same list. */
export function compareFindings(a: Finding, b: Finding): number {
  return comparePlaces(a.place, b.place) || (a.code < b.code ? -1 : a.code > b.code ? 1 : 0);
}

/** Whether one of the findings is an error. */
export function hasErrors(findings: readonly Finding[]): boolean {
  return findings.some((finding) => finding.severity === "error");
}
