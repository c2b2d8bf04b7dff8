// Tables of findings. The severity and the message of each code come from analysing an example that has the finding.
import type { Finding, Severity } from "../../src/core/finding.ts";
import { meaningOf, type ProblemCode, PROBLEMS } from "../../src/core/problem.ts";
import { isFindingCode } from "../../src/report/format-sarif.ts";
import { fail } from "../failure.ts";
import { code, table } from "./markdown.ts";

/** Finds what the example of a code has, for the codes of a room. */
export type FindingSource = { readonly room: string; readonly find: (code: ProblemCode) => readonly Finding[] };

/** The table of the findings of a room. */
export function findingTable(source: FindingSource): string {
  const rows = codesOf(source).map((each) => {
    const { severity, message } = findingOf(source, each);
    return [code(each), severity, meaningOf(each).sentence, message];
  });
  return table(["Code", "Severity", "Meaning", "Example message"], rows);
}

/** The severity of each code that an analysis can report. */
export function severitiesOf(sources: readonly FindingSource[]): ReadonlyMap<ProblemCode, Severity> {
  return new Map(sources.flatMap((source) => {
    return codesOf(source).map((each) => [each, findingOf(source, each).severity] as const);
  }));
}

/** Every code of the table of problems. */
export const CODES: readonly ProblemCode[] = Object.keys(PROBLEMS).filter(isCode);

function isCode(name: string): name is ProblemCode {
  return Object.hasOwn(PROBLEMS, name);
}

function codesOf({ room }: FindingSource): readonly ProblemCode[] {
  return CODES.filter((each) => each.startsWith(`${room}.`) && isFindingCode(each));
}

function findingOf(source: FindingSource, wanted: ProblemCode): Finding {
  const found = source.find(wanted);
  const finding = found.find(({ code: each }) => each === wanted);
  return finding ?? fail(`${wanted}: no example has it, found ${found.map((each) => each.message).join("; ")}`);
}
