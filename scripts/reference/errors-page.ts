// `errors.md`: every problem code with what it leads to, what it means and what to do.
import type { Severity } from "../../src/core/finding.ts";
import { meaningOf, type ProblemCode } from "../../src/core/problem.ts";
import { REMEDIES } from "../../src/core/remedy.ts";
import { CODES, severitiesOf } from "./findings.ts";
import { code, GENERATED, page, table } from "./markdown.ts";
import { OF_NO_ROUTE, problemsOf, routesOf, type SocketReference } from "./route.ts";
import { RULE_FINDINGS } from "./rule-findings.ts";
import { RULESPEC_FINDINGS } from "./rulespec-findings.ts";

/** The page; a status stands where a code is an answer of one of the sockets. */
export function errorsPage(sockets: readonly SocketReference[]): string {
  const answered = new Set<ProblemCode>([
    ...OF_NO_ROUTE,
    ...sockets.flatMap((socket) => routesOf(socket).flatMap(({ entry }) => problemsOf(socket, entry))),
  ]);
  const severities = severitiesOf([RULE_FINDINGS, RULESPEC_FINDINGS]);
  const rooms = [...new Set(CODES.map(roomOf))];
  return page([
    "# Errors",
    GENERATED,
    "Every problem has a code. It stands in logs, in findings and in `outcall lint --json`; an answer of a socket and a line " +
    "of a program have the message alone.",
    "- **Status**: of the answer, where a socket gives it ([api.md](api.md)).\n" +
    "- **Exit**: of `outcall-agent`, or of the program that meets it. `outcall` and `outcalld` end with 0, 1 or 2 and " +
    "nothing else.\n" +
    "- Names in brackets are those of S004-FR-017.",
    ...rooms.flatMap((room) => [
      `## ${room}`,
      table(
        ["Code", "Status", "Exit", "Meaning", "What to do"],
        CODES.filter((each) => roomOf(each) === room)
          .map((each) => rowOf(each, answered.has(each), exitText(meaningOf(each).exit, severities.get(each)))),
      ),
    ]),
  ]);
}

// A warning fails a command only where it is asked to, a note never does.
function exitText(exit: number, severity: Severity | undefined): string {
  if (severity === "warning") return "0; 1 with `--strict`";
  return severity === "note" ? "0" : String(exit);
}

function rowOf(each: ProblemCode, isAnswer: boolean, exit: string): readonly string[] {
  const { sentence, status, seed } = meaningOf(each);
  const name = seed === undefined ? "" : ` (${seed})`;
  return [`${code(each)}${name}`, isAnswer ? String(status) : "", exit, sentence, REMEDIES[each]];
}

function roomOf(each: ProblemCode): string {
  return each.split(".")[0] ?? each;
}
