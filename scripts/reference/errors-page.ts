// `errors.md`: every problem code with what it leads to, what it means and what to do.
import type { Severity } from "../../src/core/finding.ts";
import { meaningOf, type ProblemCode } from "../../src/core/problem.ts";
import { REMEDIES } from "../../src/core/remedy.ts";
import { CODES, severitiesOf } from "./findings.ts";
import { code, GENERATED, page, table } from "./markdown.ts";
import { codesOf } from "../../src/wire/route.ts";
import type { SocketReference } from "./route.ts";
import { RULE_FINDINGS } from "./rule-findings.ts";
import { RULESPEC_FINDINGS } from "./rulespec-findings.ts";

/** The page; a status stands where a code is an answer of one of the sockets. */
export function errorsPage(sockets: readonly SocketReference[]): string {
  const answered = new Set<ProblemCode>(sockets.flatMap(({ routes, problems }) => [...codesOf(routes, problems)]));
  const severities = severitiesOf([RULE_FINDINGS, RULESPEC_FINDINGS]);
  const rooms = [...new Set(CODES.map(roomOf))];
  return page([
    "# Errors",
    GENERATED,
    "Every problem has a code. Logs, findings, `outcall lint --json` and the failed answers of both sockets have it as `code`; " +
    "a line of a program has the message alone.",
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
