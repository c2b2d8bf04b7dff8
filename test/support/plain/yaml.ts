// Plain rule files -> YAML text, with each string in one of YAML's styles; and a rule set as a conformance case.
import type { JsonObject } from "../../../src/core/json.ts";
import type { PlainFile, PlainRule } from "./rules.ts";

/** A rules directory: its files, and the output of each hook, or null for a hook that fails. */
export type PlainSet = {
  readonly files: readonly PlainFile[];
  readonly hooks: Readonly<Record<string, JsonObject | null>>;
};

/** A style for strings in YAML. */
export type Spelling = "double" | "single" | "literal" | "folded";

/** Every style. */
export const SPELLINGS: readonly Spelling[] = ["double", "single", "literal", "folded"];

/** A rule file as text; `spell` chooses the style of each string. */
export function writeYaml({ definitions, rules }: PlainFile, spell: () => Spelling = () => "double"): string {
  const names = Object.entries(definitions);
  return [
    'version: "1"',
    ...(names.length === 0 ? [] : ["definitions:"]),
    ...names.map(([name, text]) => `  ${name}: ${scalar(text, spell(), "    ")}`),
    rules.length === 0 ? "rules: []" : "rules:",
    ...rules.map((rule) => writeRule(rule, spell)),
    "",
  ].join("\n");
}

function writeRule(rule: PlainRule, spell: () => Spelling): string {
  const { id, condition, action, priority, log, reason, description, script } = rule;
  const members = [
    `id: ${JSON.stringify(id)}`,
    `condition: ${scalar(condition, spell(), "        ")}`,
    `action: ${action}`,
    ...(priority === undefined ? [] : [`priority: ${priority}`]),
    ...(log === undefined ? [] : [`log: ${log}`]),
    ...(reason === undefined ? [] : [`reason: ${JSON.stringify(reason)}`]),
    ...(description === undefined ? [] : [`description: ${JSON.stringify(description)}`]),
    ...(script === undefined ? [] : [`enrich: {script: ${JSON.stringify(script)}}`]),
  ];
  return `  - ${members.join("\n    ")}`;
}

function scalar(text: string, spelling: Spelling, indent: string): string {
  const isOneLine = /^[!-~]([ -~]*[!-~])?$/.test(text);
  if (!isOneLine || spelling === "double") return JSON.stringify(text);
  if (spelling === "single") return `'${text.replaceAll("'", "''")}'`;
  return `${spelling === "literal" ? "|" : ">-"}\n${indent}${text}`;
}
