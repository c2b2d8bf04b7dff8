// The limits of rules, each by its constant.
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
  ["Condition with its definitions in their places", bytesText(cel.EXPANDED_BYTES)],
  ["Nodes of it", countText(cel.NODES)],
  ["Nesting", countText(cel.NESTING)],
  ["Definitions within one another", countText(DEFINITION_DEPTH)],
  ["Elements of a list literal, entries of a map literal", countText(cel.LIST_ELEMENTS)],
  ["Macros over lists within one another", countText(cel.COMPREHENSION_NESTING)],
  ["Instructions of a pattern", countText(cel.PATTERN_INSTRUCTIONS)],
  ["Instructions of all patterns of a condition", countText(cel.EXPRESSION_INSTRUCTIONS)],
  ["Instructions of all patterns of a rule request", countText(AGENT_INSTRUCTIONS)],
];

const OF_EVALUATIONS: Limits = [
  ["Text that a pattern is tried on", `${bytesText(cel.PATTERN_TEXT_BYTES)}; over it the condition fails`],
  ["Steps of a condition", `${countText(cel.CONDITION_STEPS)}; over it the condition fails`],
  ["Steps of all conditions of a request", `${countText(cel.EVALUATION_STEPS)}; over it the request is blocked`],
  ["Arguments of a program", `${countText(ARGUMENT_COUNT_LIMIT)}; over it the request is refused (422)`],
  ["An argument, all arguments", `${bytesText(ARGUMENT_LIMIT_BYTES)}, ${bytesText(ARGUMENTS_LIMIT_BYTES)}; the same`],
  ["Host name", `${bytesText(HOST_LIMIT_BYTES)}; the same`],
];

const OF_HOOKS: Limits = [
  [
    "Time of a hook",
    `${secondsText(HOOK_TIMEOUT_MS)} if not given, ${HOOK_TIMEOUT_RANGE.minimum} ms to ${
      secondsText(HOOK_TIMEOUT_RANGE.maximum)
    }`,
  ],
  ["Output of a hook", `${bytesText(OUTPUT_BYTES)}, nested ${JSON_DEPTH} deep`],
  ["Hooks that run and wait for one container", `${RUNNING_PER_REQUESTER} and ${WAITING_PER_REQUESTER}`],
  ["Hooks that run over all", countText(RUNNING_IN_ALL)],
];

/** The tables of limits. */
export function limitParts(): readonly string[] {
  return [
    "When rules load, over it is `rule.limit`:",
    table(["Of a condition", "Limit"], OF_CONDITIONS),
    table(["Of files", "Limit"], OF_FILES),
    "In a pattern a class such as `[a-z]` counts what building it costs: one instruction for eight ranges; after `(?i)` one for " +
    "each character of a range; `\\p` and `\\P` 300.",
    "When a request is judged:",
    table(["Of a request", "Limit"], OF_EVALUATIONS),
    table(["Of hooks", "Limit"], OF_HOOKS),
    "A node or an element that a macro looks at is a step; a pattern costs 1 and its instructions times the length of the " +
    `text, by ${cel.STEP_CHARACTERS}. Reading or writing a time costs ${TIME_TEXT_STEPS} steps. The first use of a time zone's ` +
    `name in a request costs ${countText(ZONE_STEPS)} steps, each further use ${ZONE_PART_STEPS}.`,
  ];
}
