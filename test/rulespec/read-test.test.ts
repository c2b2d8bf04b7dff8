// Rules and their values: what is refused, with which place and message.
import { describe } from "bun:test";
import { predicate, type RefusedRulespec, testRefusals } from "../support/rulespec/refused.ts";

const CASES: readonly RefusedRulespec[] = [
  {
    note: "an unknown rule",
    text: predicate("rule: equal, value: 1"),
    code: "rulespec.unknown-rule",
    at: [5, 36],
    says: 'unknown rule "equal"',
    hint: 'did you mean "equals"?',
  },
  {
    note: "a missing value",
    text: predicate("rule: equals"),
    code: "rulespec.value",
    at: [5, 36],
    says: 'rule "equals" needs a value',
  },
  {
    note: "null for a value",
    text: predicate("rule: contains, value: null"),
    code: "rulespec.value",
    at: [5, 53],
    says: 'rule "contains" needs a value',
    hint: "null counts as no value",
  },
  {
    note: "a text for a list",
    text: predicate("rule: any_of, value: json"),
    code: "rulespec.value",
    at: [5, 51],
    says: 'rule "any_of" needs a list as its value, found the string "json"',
    hint: "write it as a list: [json]",
  },
  {
    note: "a map for a list",
    text: predicate("rule: none_of, value: {a: 1}"),
    code: "rulespec.value",
    at: [5, 52],
    says: 'rule "none_of" needs a list as its value, found a map',
  },
  {
    note: "a text for a number",
    text: predicate('rule: greater_than, value: "3"'),
    code: "rulespec.value",
    at: [5, 57],
    says: 'rule "greater_than" needs a number as its value, found the string "3"',
  },
  {
    note: "a boolean for a number",
    text: predicate("rule: less_than, value: true"),
    code: "rulespec.value",
    at: [5, 54],
    says: 'rule "less_than" needs a number as its value, found the boolean true',
  },
  {
    note: "a negative length",
    text: predicate("rule: max_length, value: -1"),
    code: "rulespec.value",
    at: [5, 55],
    says: 'rule "max_length" needs a non-negative integer as its value, found the number -1',
  },
  {
    note: "a fraction for a length",
    text: predicate("rule: min_length, value: 1.5"),
    code: "rulespec.value",
    at: [5, 55],
    says: 'rule "min_length" needs a non-negative integer as its value, found the number 1.5',
  },
  {
    note: "a number for a pattern",
    text: predicate("rule: matches, value: 1"),
    code: "rulespec.value",
    at: [5, 52],
    says: 'rule "matches" needs an RE2 pattern as its value, found the number 1',
  },
  {
    note: "a pattern that RE2 does not know",
    text: predicate("rule: matches, value: '(?=a)'"),
    code: "rulespec.regex",
    at: [5, 52],
    says: "pattern is not RE2",
  },
  {
    note: "a pattern over the limit of instructions",
    text: predicate("rule: matches, value: '(a{1000}){3}'"),
    code: "rulespec.regex",
    at: [5, 52],
    says: "pattern",
  },
  {
    note: "a number that is not finite",
    text: predicate("rule: less_than, value: .inf"),
    code: "rulespec.value",
    at: [5, 54],
    says: "a number that is not finite: .inf",
  },
  {
    note: "a whole number that is not exact",
    text: predicate("rule: equals, value: 9007199254740992"),
    code: "rulespec.value",
    at: [5, 51],
    says: "a whole number beyond 2^53-1: 9007199254740992",
  },
  {
    note: "when without a value",
    text: predicate("rule: exists, when: {claim: c, rule: equals}"),
    code: "rulespec.value",
    at: [5, 67],
    says: 'rule "equals" needs a value',
  },
];

describe("readTest", () => testRefusals(CASES));
