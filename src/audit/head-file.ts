// The head: number and hash of the newest record in a file of its own, with a mark that needs the log's key. If the chain of
// the database does not reach the head, records are missing at its end.
import { createHmac, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import { type Problem, problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import { isMissing } from "../core/thrown.ts";
import type { LogKey } from "./key-file.ts";
import type { Link } from "./row.ts";
import { storeProblem } from "./store-problem.ts";

/** The text of the file for the newest record. */
export function formatHead({ seq, hash }: Link, key: LogKey): string {
  return `${JSON.stringify({ version: 1, seq, hash, mark: markOf(["head", seq, hash], key) })}\n`;
}

/** Reads the file; null where there is none. A head without a valid mark is a broken log. */
export function readHead(path: string, key: LogKey): Result<Link | null, Problem> {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    return isMissing(cause) ? ok(null) : err(storeProblem(`cannot read ${quote(path)}`, cause));
  }
  // The file must be exactly what the log writes, so the expected text is made and compared.
  const [, seq = "", hash = ""] = /^\{"version":1,"seq":([0-9]{1,15}),"hash":"([0-9a-f]{64})",/.exec(text) ?? [];
  const head = { seq: Number(seq), hash };
  return sameText(text, formatHead(head, key)) ? ok(head) : err(problem("audit.broken", `${quote(path)} is changed`));
}

/** The mark of values, which cannot be made without the key. */
export function markOf(values: readonly (string | number)[], key: LogKey): string {
  return createHmac("sha256", key.marks).update(JSON.stringify(values)).digest("hex");
}

/** Whether two texts are the same, in a time that does not depend on their content. */
export function sameText(given: string, expected: string): boolean {
  const [a, b] = [new TextEncoder().encode(given), new TextEncoder().encode(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
