// `rule-language.md`, from the schema of rule files, the tables of the checker, the limits and the analysis.
import { refusalOf } from "./evaluate-example.ts";
import { block, code, GENERATED, page } from "./markdown.ts";
import { absenceTable, contextParts, requestParts } from "./rule-context.ts";
import { findingTable } from "./findings.ts";
import { RULE_FINDINGS } from "./rule-findings.ts";
import { functionTable, macroTable } from "./rule-functions.ts";
import { limitParts } from "./rule-limits.ts";
import { fileTable, ruleTable } from "./rule-members.ts";
import { operatorTable } from "./rule-operators.ts";

const EXAMPLE = `version: "1"
definitions:
  is_git: action_type == "tool_exec" && run.path == "/usr/bin/git"
rules:
  - id: look
    condition: $is_git && "status" in run.args
    action: allow
`;

/** Two types that are never compared. */
const UNLIKE = 'network.port == "443"';

/** Two types in one list. */
const MIXED = '[443, "https"]';

/** The page. */
export function rulePage(): string {
  return page([
    "# The rule language",
    GENERATED,
    "How rules are written and decided: [rules.md](../rules.md). This page has every member, name, function and limit.",
    "## Rule file",
    block("yaml", EXAMPLE),
    fileTable(),
    "Any other member is an error. An editor takes the JSON Schema that `outcall schema rule-file` prints.",
    "## Rule",
    ruleTable(),
    "## Context",
    "A namespace that a request does not have is absent: a condition that hangs on it is no match. `metadata`, `target`, " +
    "`run`, `http` and `network` of an agent's request are its own words. `dyn` is a value of any type.",
    ...contextParts(),
    "A context of the host (`outcall rule evaluate`) may leave members out; of `run` what is left out is filled in: " +
    "`path` is the tool, `argv` the flags and then the arguments, `parsed` true.",
    "## What an agent's request sets",
    "Each request, and what its context has besides `action_type`, `target`, `metadata`, `agent` and `envelope`:",
    ...requestParts(),
    "## Operators",
    `Those that bind tightest first. Nothing is converted by itself: ${code(UNLIKE)} does not load ` +
    `(${code(refusalOf(UNLIKE).code)}: ${
      refusalOf(UNLIKE).message
    }). The elements of a list literal are of one type, and so ` +
    `are the values of a map literal: ${code(MIXED)} does not load (${refusalOf(MIXED).message}).`,
    operatorTable(),
    "## Functions",
    "Indexes and sizes count characters (code points). `list` and `map` are of any type; what stands in brackets may be left out.",
    functionTable(),
    "## Macros",
    "`x` is a name of your own. `list` may be a map: then they go through its keys.",
    macroTable(),
    "## Absent, and failing",
    "*No value* and a failure are no match for allow and enrich rules. A block rule blocks where its condition fails, and " +
    "does not match where it has no value.",
    absenceTable(),
    "## Limits",
    ...limitParts(),
    "## Findings",
    "An error keeps the rules from loading. A warning is logged and kept. Severities are those of `outcall lint`; in the daemon " +
    "`rule.not-boolean` is a warning, and `rule.ignored-file` is not looked for. What to do: [errors.md](errors.md).",
    findingTable(RULE_FINDINGS),
  ]);
}
