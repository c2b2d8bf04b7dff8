// Records -> lines for a person: time, what happened, whose, by which rule, and what was asked, one line each.
import type { ChainedRow } from "../audit/row.ts";
import { cellWidth } from "../core/cell-width.ts";
import { DEFAULT_BLOCK } from "../core/decision.ts";
import { isJsonObject, type Json, type JsonObject } from "../core/json.ts";
import { escapeText } from "../core/quote.ts";

/** Cells of the columns before the last; what is longer pushes its line on. */
const WIDTHS = [24, 10, 16, 20] as const;

/** Longest text of the last column, in characters. */
const REQUEST_LENGTH = 400;

/** Longest text of any other. */
const CELL_LENGTH = 64;

/** The headings. */
export const LOG_HEADINGS = formatLine(["TIME", "WHAT", "CONTAINER", "RULE", "REQUEST"]);

/** The line of a record, with the members of its body. */
export function formatRecord(row: ChainedRow, body: JsonObject): string {
  const { at, kind, container, name, decision, rule } = row;
  const whose = name ?? container ?? textOf(body["source"]);
  const last = body["context"] === undefined ? describeEvent(body) : describeDecision(body, rule);
  return formatLine([
    new Date(at).toISOString(),
    kind === "what-if" ? kind : decision ?? kind,
    whose,
    rule ?? "-",
    last,
  ]);
}

function formatLine(cells: readonly string[]): string {
  const padded = cells.map((cell, column) => {
    const width = WIDTHS[column];
    if (width === undefined) return escapeText(cell, REQUEST_LENGTH);
    const text = escapeText(cell, CELL_LENGTH);
    return `${text}${" ".repeat(Math.max(0, width - cellWidth(text)))}`;
  });
  return `${padded.join("  ").trimEnd()}\n`;
}

// That no rule allowed what was asked says nothing that does not stand beside it.
function describeDecision({ context, reason, errors, expression, result }: JsonObject, rule: string | null): string {
  const asked = describeRequest(isJsonObject(context) ? context : {});
  const why = typeof reason === "string" && rule !== DEFAULT_BLOCK ? ` (${reason})` : "";
  const count = Array.isArray(errors) ? errors.length : 0;
  if (expression !== undefined) return `${textOf(expression)} is ${textOf(result)}${why}, for ${asked}`;
  return `${asked}${why}${count === 0 ? "" : ` [${count} errors]`}`;
}

// The namespace that says most; a target alone where there is none.
function describeRequest(context: JsonObject): string {
  const [run, http, network, dns, docker] = ["run", "http", "network", "dns", "docker"].map((name) => context[name]);
  const action = context["action_type"] === undefined ? "" : `${textOf(context["action_type"])} `;
  if (isJsonObject(run)) return `${action}${wordsOf([...programOf(run), ...listOf(run["argv"])])}`;
  if (isJsonObject(http)) {
    return `${action}${wordsOf([http["method"], `${textOf(http["host"])}${textOf(http["path"])}`])}`;
  }
  if (isJsonObject(network)) {
    return `${action}${textOf(network["hostname"] ?? network["ip"])}:${textOf(network["port"])}`;
  }
  if (isJsonObject(dns)) return `${action}dns ${wordsOf([dns["record_type"], dns["query"]])}`;
  if (isJsonObject(docker)) return `${action}docker ${wordsOf([docker["image"], ...listOf(docker["command"])])}`;
  return `${action}${textOf(context["target"])}`.trim();
}

// A line that was not taken apart names its program itself.
function programOf({ path, tool, parsed }: JsonObject): readonly Json[] {
  const program = path ?? tool;
  return program === undefined || parsed === false ? [] : [program];
}

function describeEvent({ reason, detail }: JsonObject): string {
  const members = Object.entries(isJsonObject(detail) ? detail : {}).map(([name, value]) => `${name}=${textOf(value)}`);
  return [...(typeof reason === "string" ? [reason] : []), ...members].join(" ");
}

function wordsOf(values: readonly (Json | undefined)[]): string {
  return values.filter((value) => value !== undefined).map(textOf).join(" ");
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
