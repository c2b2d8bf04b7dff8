// The tables of limits, filled in from the constants in the source.
import { ARGUMENT_COUNT_LIMIT, ARGUMENT_LIMIT_BYTES, ARGUMENTS_LIMIT_BYTES } from "../../src/action/arguments.ts";
import { HOST_LIMIT_BYTES } from "../../src/action/canonical-host.ts";
import * as cel from "../../src/cel/limits.ts";
import { TIME_TEXT_STEPS } from "../../src/cel/conversions.ts";
import { ZONE_PART_STEPS, ZONE_STEPS } from "../../src/cel/zones.ts";
import { JSON_DEPTH } from "../../src/core/json.ts";
import { RUNNING_IN_ALL, RUNNING_PER_REQUESTER, WAITING_PER_REQUESTER } from "../../src/hook/runner.ts";
import { OUTPUT_BYTES } from "../../src/hook/run-script.ts";
import { HOOK_TIMEOUT_MS } from "../../src/rule/lint-rules.ts";
import { RULES_LIMIT } from "../../src/rule/compile-rules.ts";
import { FILES_LIMIT, TOTAL_SIZE_LIMIT } from "../../src/rule/load-rules.ts";
import { AGENT_INSTRUCTIONS } from "../../src/rule/expansion-budget.ts";
import { OPERATOR_LIMITS } from "../../src/rule/parse-rule-file.ts";
import { DEFINITION_DEPTH } from "../../src/rule/references.ts";
import { HOOK_TIMEOUT_RANGE } from "../../src/wire/rule-file.ts";
import { table } from "./markdown.ts";
import { bytesText, countText, secondsText } from "./quantity-text.ts";

type Limits = readonly (readonly [what: string, limit: string])[];

const OF_FILES: Limits = [
  ["Size of a file", bytesText(OPERATOR_LIMITS.sizeBytes)],
  ["Files", countText(FILES_LIMIT)],
  ["Size of all files", bytesText(TOTAL_SIZE_LIMIT)],
  ["Rules", countText(RULES_LIMIT)],
  ["Nesting of YAML", countText(OPERATOR_LIMITS.depth)],
  ["Anchors and aliases of a file, together", countText(OPERATOR_LIMITS.anchors)],
  ["Tokens of a file", countText(OPERATOR_LIMITS.tokens)],
];

const OF_CONDITIONS: Limits = [
  ["Condition or definition, as written", bytesText(cel.WRITTEN_BYTES)],
  ["Condition with its definitions inserted", bytesText(cel.EXPANDED_BYTES)],
  ["Syntax nodes of a condition", countText(cel.NODES)],
  ["Nesting", countText(cel.NESTING)],
  ["Nesting of definitions", countText(DEFINITION_DEPTH)],
  ["Elements of a list literal, or entries of a map literal", countText(cel.LIST_ELEMENTS)],
  ["Nesting of macros over lists", countText(cel.COMPREHENSION_NESTING)],
  ["Instructions of a pattern", countText(cel.PATTERN_INSTRUCTIONS)],
  ["Instructions of all patterns of a condition", countText(cel.EXPRESSION_INSTRUCTIONS)],
  ["Instructions of all patterns of a rule request", countText(AGENT_INSTRUCTIONS)],
];

const OF_EVALUATIONS: Limits = [
  ["String that a pattern is matched against", `${bytesText(cel.PATTERN_TEXT_BYTES)}; above it, the condition fails`],
  ["Steps of a condition", `${countText(cel.CONDITION_STEPS)}; above it, the condition fails`],
  ["Steps of all conditions of a request", `${countText(cel.EVALUATION_STEPS)}; above it, the request is blocked`],
  ["Arguments of a program", `${countText(ARGUMENT_COUNT_LIMIT)}; above it, the request is refused (422)`],
  ["Size of one argument", `${bytesText(ARGUMENT_LIMIT_BYTES)}; above it, the request is refused (422)`],
  ["Size of all arguments", `${bytesText(ARGUMENTS_LIMIT_BYTES)}; above it, the request is refused (422)`],
  ["Size of a host name", `${bytesText(HOST_LIMIT_BYTES)}; above it, the request is refused (422)`],
];

const OF_HOOKS: Limits = [
  [
    "Run time of a hook",
    `${secondsText(HOOK_TIMEOUT_MS)} by default, configurable from ${HOOK_TIMEOUT_RANGE.minimum} ms to ${
      secondsText(HOOK_TIMEOUT_RANGE.maximum)
    }`,
  ],
  ["Output of a hook", `${bytesText(OUTPUT_BYTES)}, at most ${JSON_DEPTH} levels of nesting`],
  ["Hooks of one container", `${RUNNING_PER_REQUESTER} that run and ${WAITING_PER_REQUESTER} that wait`],
  ["Hooks that run at the same time, in total", countText(RUNNING_IN_ALL)],
];

/** The tables of limits. */
export function limitParts(): readonly string[] {
  return [
    "These limits apply when rules are loaded. Exceeding one is the error `rule.limit`:",
    table(["Of a condition", "Limit"], OF_CONDITIONS),
    table(["Of files", "Limit"], OF_FILES),
    "A character class such as `[a-z]` in a pattern counts what it costs to build: one instruction for eight ranges, after " +
    "`(?i)` one for each character of a range, and 300 for `\\p` and `\\P`.",
    "These limits apply when a request is decided:",
    table(["Of a request", "Limit"], OF_EVALUATIONS),
    table(["Of hooks", "Limit"], OF_HOOKS),
    "Evaluating a syntax node costs one step, and so does each element that a macro visits. Matching a pattern costs one step " +
    `plus its instructions times the length of the string divided by ${cel.STEP_CHARACTERS}. Parsing or formatting a time ` +
    `costs ${TIME_TEXT_STEPS} steps. The first use of a time zone's name in a request costs ${
      countText(ZONE_STEPS)
    } steps, ` +
    `each further use ${ZONE_PART_STEPS}.`,
  ];
}
