// The name of a record on a command line -> its number.
import { type Problem, problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";

/** The number of a record. */
const NUMBER = /^[1-9][0-9]{0,14}$/;

/** The number of the record that is named, by its number itself. */
export function findRecordSeq(asked: string): Result<number, Problem> {
  if (NUMBER.test(asked)) return ok(Number(asked));
  const message = `log show: a record is named by its number or by its id rec-..., not ${quote(asked)}`;
  return err(problem("command.usage", message, { hint: "outcall log shows the numbers" }));
}
