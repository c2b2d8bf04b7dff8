// Members `rule` and `value` of a predicate or a `when` -> a test whose value has the type that its rule needs.
import { compilePattern } from "../cel/pattern.ts";
import { nearestName } from "../core/nearest.ts";
import { escapeText, quote } from "../core/quote.ts";
import { foundText } from "../yaml/found-text.ts";
import type { YamlMap, YamlNode } from "../yaml/node.ts";
import {
  ANY_VALUE_RULES,
  LENGTH_RULES,
  LIST_RULES,
  NUMBER_RULES,
  PATTERN_RULE,
  RULES,
  VALUELESS_RULES,
} from "../wire/rulespec-file.ts";
import { type Members, startOf } from "./members.ts";
import type { Test } from "./rulespec.ts";

/** Reads the test in a map, or reports why there is none. */
export function readTest(owner: YamlMap, what: string, members: Members): Test | undefined {
  const name = members.text(owner, "rule", what, `one of ${RULES.join(", ")}`);
  if (name === undefined) return undefined;
  const rule = RULES.find((each) => each === name.value);
  if (rule === undefined) {
    const nearest = nearestName(name.value, RULES);
    const hint = nearest === undefined ? `known are ${RULES.join(", ")}` : `did you mean "${nearest}"?`;
    members.report({
      code: "rulespec.unknown-rule",
      message: `unknown rule ${quote(name.value)}`,
      place: name.place,
      hint,
    });
    return undefined;
  }
  const value = members.optional(owner, "value");
  const valueless = VALUELESS_RULES.find((each) => each === rule);
  if (valueless !== undefined) {
    if (value !== undefined) {
      const message = `the value of rule ${quote(rule)} is not used`;
      members.report({ code: "rulespec.unused-value", message, place: value.place }, "warning");
    }
    return { rule: valueless, value: null };
  }
  if (value !== undefined) return readValue(rule, value, members);
  const isNull = owner.members.has("value");
  members.report({
    code: "rulespec.value",
    message: `rule ${quote(rule)} needs a value`,
    place: owner.members.get("value")?.node.place ?? name.place,
    hint: isNull ? "null counts as no value" : undefined,
  });
  return undefined;
}

function readValue(rule: Test["rule"], node: YamlNode, members: Members): Test | undefined {
  const free = ANY_VALUE_RULES.find((each) => each === rule);
  if (free !== undefined) return { rule: free, value: node.value };
  const list = LIST_RULES.find((each) => each === rule);
  if (list !== undefined) {
    if (node.kind === "list") return { rule: list, value: node.value };
    const hint = node.kind === "scalar" ? `write it as a list: [${escapeText(node.text)}]` : undefined;
    return wrongType(rule, "a list", node, members, hint);
  }
  const number = NUMBER_RULES.find((each) => each === rule);
  if (number !== undefined) {
    return typeof node.value === "number"
      ? { rule: number, value: node.value }
      : wrongType(rule, "a number", node, members);
  }
  const length = LENGTH_RULES.find((each) => each === rule);
  if (length === undefined) return readPattern(node, members);
  const isLength = typeof node.value === "number" && Number.isInteger(node.value) && node.value >= 0;
  if (isLength && typeof node.value === "number") return { rule: length, value: node.value };
  return wrongType(rule, "a non-negative integer", node, members);
}

function readPattern(node: YamlNode, members: Members): Test | undefined {
  if (typeof node.value !== "string") return wrongType(PATTERN_RULE, "an RE2 pattern", node, members);
  const pattern = compilePattern(node.value);
  if (pattern.ok) return { rule: PATTERN_RULE, value: node.value, pattern: pattern.value };
  members.report({ code: "rulespec.regex", message: pattern.error, place: node.place });
  return undefined;
}

function wrongType(
  rule: string,
  wanted: string,
  node: YamlNode,
  members: Members,
  hint?: string,
): undefined {
  const message = `rule ${quote(rule)} needs ${wanted} as its value, found ${foundText(node)}`;
  members.report({ code: "rulespec.value", message, place: startOf(node), hint });
}
