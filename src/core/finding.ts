// Finding: a problem of a file that an operator wrote, with its severity, its place and the rule it belongs to.
import type { Problem } from "./problem.ts";
import { comparePlaces, type Place } from "./span.ts";

/** Errors keep a rule set from loading; warnings are kept with it; notes are for lint alone. */
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

/** Whether any of the findings keeps the set from loading. */
export function hasErrors(findings: readonly Finding[]): boolean {
  return findings.some((finding) => finding.severity === "error");
}
