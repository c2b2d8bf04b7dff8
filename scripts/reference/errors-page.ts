// `errors.md`: every problem code with its HTTP status, its exit code, its meaning and its remedy.
import type { Severity } from "../../src/core/finding.ts";
import { meaningOf, type ProblemCode } from "../../src/core/problem.ts";
import { REMEDIES } from "../../src/core/remedy.ts";
import { CODES, severitiesOf } from "./findings.ts";
import { code, GENERATED, page, table } from "./markdown.ts";
import { codesOf } from "../../src/wire/route.ts";
import type { SocketReference } from "./route.ts";
import { RULE_FINDINGS } from "./rule-findings.ts";
import { RULESPEC_FINDINGS } from "./rulespec-findings.ts";

/** The page. The status is shown for codes that a socket can answer with. */
export function errorsPage(sockets: readonly SocketReference[]): string {
  const answered = new Set<ProblemCode>(sockets.flatMap(({ routes, problems }) => [...codesOf(routes, problems)]));
  const severities = severitiesOf([RULE_FINDINGS, RULESPEC_FINDINGS]);
  const rooms = [...new Set(CODES.map(roomOf))];
  return page([
    "# Errors",
    GENERATED,
    "Every error has a code. Log records, findings, `outcall lint --json` and the error answers of both sockets contain it as " +
    "`code`. On a terminal, programs print the message only.",
    "- **Status**: the HTTP status, if a socket answers with this error ([api.md](api.md)).\n" +
    "- **Exit**: the exit code of `outcall-agent`, or of the program that reports the error. `outcall` and `outcalld` only " +
    "exit with 0, 1 or 2.\n" +
    "- Names in brackets are the error types of S004-FR-017.",
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

// A warning fails a command only with `--strict`; a note never does.
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
