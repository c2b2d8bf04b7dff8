// Record -> the cells of a table row: number, time, outcome or kind, container, rule, and request.
import type { ChainedRow } from "../audit/row.ts";
import type { NamespaceRow } from "../core/context-member.ts";
import { CONTEXT_NAMESPACES } from "../core/context-table.ts";
import { countOf } from "../core/count.ts";
import { DEFAULT_BLOCK } from "../core/decision.ts";
import { isJsonObject, type Json, type JsonObject } from "../core/json.ts";
import { type Cell, wordCell } from "./layout.ts";

/** The headings. */
export const LOG_HEADINGS: readonly string[] = ["NO", "TIME", "WHAT", "CONTAINER", "RULE", "REQUEST"];

/** The least width of each column in a pipe, where rows are printed before the later ones are read. */
export const LOG_WIDTHS: readonly number[] = [6, 24, 10, 16, 20, 0];

/** The cells of a record's row; `body` is the record's parsed body. */
export function recordCells(row: ChainedRow, body: JsonObject, formatTime: (at: Date) => string): readonly Cell[] {
  const { seq, at, rule } = row;
  return [
    String(seq),
    formatTime(new Date(at)),
    whatCell(row, body),
    whoseOf(row, body),
    rule ?? "-",
    requestOf(row, body),
  ];
}

// A decision by its outcome, anything else by its kind.
function whatOf({ kind, decision }: ChainedRow): string {
  return kind === "what-if" ? kind : decision ?? kind;
}

/** The outcome or kind of a record, in the style of its meaning; a failed reload is bad. */
export function whatCell(row: ChainedRow, body: JsonObject): Cell {
  return isFailedReload(row, body) ? { text: row.kind, style: "bad" } : wordCell(whatOf(row));
}

// Only a reload that failed has a reason.
function isFailedReload({ kind }: ChainedRow, { reason }: JsonObject): boolean {
  return kind === "reload" && typeof reason === "string";
}

/** The name of the container that a record is about, else its source: `host` or `daemon`. */
export function whoseOf({ container, name }: ChainedRow, body: JsonObject): string {
  return name ?? container ?? textOf(body["source"]);
}

/** The request of a record in one line; for an event its reason and details. */
export function requestOf(row: ChainedRow, body: JsonObject): string {
  if (body["context"] !== undefined) {
    const outcome = row.kind === "what-if" && row.decision !== null ? `${row.decision}: ` : "";
    return `${outcome}${describeDecision(body, row.rule)}`;
  }
  return `${isFailedReload(row, body) ? "failed: " : ""}${describeEvent(body)}`;
}

/** The form of a time in a pipe: ISO 8601 in UTC. */
export function isoTime(at: Date): string {
  return at.toISOString();
}

/** The form of a time on a terminal: local time, with the day unless it is today. */
export function shortTime(at: Date, now: Date): string {
  const two = (number: number) => String(number).padStart(2, "0");
  const time = `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
  if (at.toDateString() === now.toDateString()) return time;
  const day = `${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${at.getFullYear() === now.getFullYear() ? "" : `${at.getFullYear()}-`}${day} ${time}`;
}

// The reason of a default block repeats the rest of the row, so it is left out.
function describeDecision({ context, reason, errors, expression, result }: JsonObject, rule: string | null): string {
  const asked = describeRequest(isJsonObject(context) ? context : {});
  const why = typeof reason === "string" && rule !== DEFAULT_BLOCK ? ` (${reason})` : "";
  const count = Array.isArray(errors) ? errors.length : 0;
  if (expression !== undefined) return `${textOf(expression)} is ${textOf(result)}${why}, for ${asked}`;
  return `${asked}${why}${count === 0 ? "" : ` [${countOf(count, "error")}]`}`;
}

// The last namespace of the table that the record has and that has a line; the target alone where there is none.
function describeRequest(context: JsonObject): string {
  const action = context["action_type"] === undefined ? "" : `${textOf(context["action_type"])} `;
  for (const [name, { line, unparsedLine }] of LINES) {
    const members = context[name];
    if (line === null || !isJsonObject(members)) continue;
    return `${action}${fillLine(members["parsed"] === false ? unparsedLine ?? line : line, members)}`;
  }
  return `${action}${textOf(context["target"])}`.trim();
}

const LINES: readonly (readonly [name: string, row: NamespaceRow])[] = Object.entries<NamespaceRow>(CONTEXT_NAMESPACES)
  .toReversed();

// The line of the context table with the members in it; a word without a given member is left out.
function fillLine(line: string, members: JsonObject): string {
  return line.split(" ").flatMap((word) => {
    let isGiven = !word.includes("{");
    const filled = word.replaceAll(/\{([^}]*)\}/g, (_, names: string) => {
      const name = names.split("|").find((each) => members[each] !== undefined);
      if (name === undefined) return "";
      isGiven = true;
      const value = members[name];
      return Array.isArray(value) ? value.map(textOf).join(" ") : textOf(value);
    });
    return isGiven && filled !== "" ? [filled] : [];
  }).join(" ");
}

function describeEvent({ reason, detail }: JsonObject): string {
  const members = Object.entries(isJsonObject(detail) ? detail : {}).map(([name, value]) => `${name}=${textOf(value)}`);
  return [...(typeof reason === "string" ? [reason] : []), ...members].join(" ");
}

/** A value of JSON as plain text; nothing for null. */
export function textOf(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
