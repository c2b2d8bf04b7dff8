// `rule-language.md`, from the schema of rule files, the checker's tables, the limits and the analysis.
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

/** Compares two types that cannot be compared. */
const UNLIKE = 'network.port == "443"';

/** Mixes two types in one list. */
const MIXED = '[443, "https"]';

/** The page. */
export function rulePage(): string {
  return page([
    "# The rule language",
    GENERATED,
    "[rules.md](../rules.md) explains how to write rules and how they decide. This page lists every member, variable, function " +
    "and limit.",
    "## Rule file",
    block("yaml", EXAMPLE),
    fileTable(),
    "Any other member is an error. For editors, `outcall schema rule-file` prints a JSON Schema.",
    "## Rule",
    ruleTable(),
    "## Context",
    "A namespace that a request does not have is absent, and a condition that depends on it does not match. In an agent's " +
    "request, `metadata`, `target`, `run`, `http` and `network` are the agent's own statements. `dyn` is a value of any type.",
    ...contextParts(),
    "A context given on the host (`outcall rule evaluate`) may omit members. In `run`, omitted members get these values: " +
    "`path` is the tool, `argv` is the flags followed by the arguments, and `parsed` is true.",
    "## What an agent's request sets",
    "Each example shows a request and the members of its context, without `action_type`, `target`, `metadata`, `agent` and " +
    "`envelope`:",
    ...requestParts(),
    "## Operators",
    `From the highest precedence to the lowest. There are no implicit conversions: ${code(UNLIKE)} does not load ` +
    `(${code(refusalOf(UNLIKE).code)}: ${
      refusalOf(UNLIKE).message
    }). The elements of a list literal must have one type, and so ` +
    `must the values of a map literal: ${code(MIXED)} does not load (${refusalOf(MIXED).message}).`,
    operatorTable(),
    "## Functions",
    "Indexes and sizes count characters (code points). `list` and `map` can have elements of any type. Arguments in square " +
    "brackets are optional.",
    functionTable(),
    "## Macros",
    "`x` is a variable name that you choose. `list` may be a map; the macro then visits its keys.",
    macroTable(),
    "## Missing values and failures",
    "An allow or enrich rule does not match if its condition has no value or fails. A block rule does not match if its " +
    "condition has no value, and blocks if it fails.",
    absenceTable(),
    "## Limits",
    ...limitParts(),
    "## Findings",
    "An error keeps the rules from loading. The daemon logs warnings and loads the rules. The table shows the severities of " +
    "`outcall lint`. In the daemon, `rule.not-boolean` is a warning, and `rule.ignored-file` is not checked. Remedies: " +
    "[errors.md](errors.md).",
    findingTable(RULE_FINDINGS),
  ]);
}
