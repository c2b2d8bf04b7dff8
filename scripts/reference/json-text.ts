// Formats JSON for people: a value that fits on a line is written on one line.
import type { Json } from "../../src/core/json.ts";

/** The width of a line. */
const WIDTH = 110;

/** The text of a value. */
export function jsonText(value: Json, indent = "", used = 0): string {
  const line = inLine(value);
  if (indent.length + used + line.length <= WIDTH || typeof value !== "object" || value === null) return line;
  const inner = `${indent}  `;
  if (isList(value)) {
    if (value.length === 0) return "[]";
    return `[\n${value.map((each) => `${inner}${jsonText(each, inner)}`).join(",\n")}\n${indent}]`;
  }
  const members = Object.entries(value).map(([name, each]) => {
    const key = `${JSON.stringify(name)}: `;
    return `${inner}${key}${jsonText(each ?? null, inner, key.length + 1)}`;
  });
  return `{\n${members.join(",\n")}\n${indent}}`;
}

function inLine(value: Json): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (isList(value)) return `[${value.map(inLine).join(", ")}]`;
  const members = Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${inLine(each ?? null)}`);
  return `{${members.join(", ")}}`;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
