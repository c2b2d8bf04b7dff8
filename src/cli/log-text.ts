// Records -> lines for a person: time, what happened, whose, by which rule, and what was asked, one line each.
import type { ChainedRow } from "../audit/row.ts";
import { cellWidth } from "../core/cell-width.ts";
import type { NamespaceRow } from "../core/context-member.ts";
import { CONTEXT_NAMESPACES } from "../core/context-table.ts";
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
  const last = kind === "decision" ? describeDecision(body, rule) : describeEvent(body);
  return formatLine([new Date(at).toISOString(), decision ?? kind, whose, rule ?? "-", last]);
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
function describeDecision({ context, reason, errors }: JsonObject, rule: string | null): string {
  const asked = describeRequest(isJsonObject(context) ? context : {});
  const why = typeof reason === "string" && rule !== DEFAULT_BLOCK ? ` (${reason})` : "";
  const count = Array.isArray(errors) ? errors.length : 0;
  return `${asked}${why}${count === 0 ? "" : ` [${count} errors]`}`;
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

// The line of the context table with the members in it; a word is left out where none of its members is given.
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

function textOf(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
