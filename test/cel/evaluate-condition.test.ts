import { describe, expect, test } from "bun:test";
import type { Context } from "../../src/core/context.ts";
import { outcomeOf } from "../support/cel/rules.ts";

const HTTP: Context = { http: { method: "GET", path: "/v1/users/42", headers: { "x-team": "blue" } } };
const RUN: Context = {
  run: { tool: "git", args: ["push", "-f"], context: { flag: "yes", n: 3, list: [1, 2.5, "a"] } },
};

describe("evaluate", () => {
  const cases: readonly (readonly [note: string, text: string, context: Context, outcome: unknown])[] = [
    ["a field of an absent namespace", 'dns.query == "x"', HTTP, "no-value"],
    ["negated", '!(dns.query == "x")', HTTP, "no-value"],
    ["unequal", 'dns.query != "x"', HTTP, "no-value"],
    ["absorbed by || on the right", 'dns.query == "x" || http.method == "GET"', HTTP, true],
    ["absorbed by || on the left", 'http.method == "GET" || dns.query == "x"', HTTP, true],
    ["absorbed by &&", 'dns.query == "x" && http.method == "PUT"', HTTP, false],
    ["not absorbed", 'dns.query == "x" && http.method == "GET"', HTTP, "no-value"],
    ["has() of an absent namespace", "has(dns.query)", HTTP, false],
    ["has() of a field that was not given", "has(http.host)", HTTP, false],
    ["has() of a field that was given", "has(http.method)", HTTP, true],
    ["has() of a field given empty", "has(http.host)", { http: { host: "" } }, true],
    ["has() of a key", "has(http.headers.nope)", HTTP, false],
    ["has() of a key in an absent namespace", "has(run.context.flag)", HTTP, "no-value"],
    ["has() in an absent variable", "has(metadata.x)", HTTP, "no-value"],
    ["in an absent namespace", '"a" in run.args', HTTP, "no-value"],
    ["a field that was not given", 'http.host == "" && http.body_size == 0', HTTP, true],
    ["a list that was not given", "size(run.flags) == 0", RUN, true],
    ["a key that is missing", 'http.headers["nope"] == "x"', HTTP, 'error: no such key: "nope"'],
    ["a failure absorbed", 'http.headers["nope"] == "x" || http.method == "GET"', HTTP, true],
    [
      "a failure beside an absent namespace",
      'http.headers["nope"] == "x" && dns.query == "x"',
      HTTP,
      'error: no such key: "nope"',
    ],
    [
      "an absent namespace beside a failure",
      'dns.query == "x" && http.headers["nope"] == "x"',
      HTTP,
      'error: no such key: "nope"',
    ],
    [
      "an operand that is no bool",
      "run.tool == 'git' && run.context.flag",
      RUN,
      "error: string where a bool is needed",
    ],
    ["a result that is no bool", "run.context.flag", RUN, "yes"],
    ["JSON numbers", "run.context.n + 1 == 4 && run.context.list[1] == 2.5", RUN, true],
    ["a type error on dyn", "run.context.flag + 1 == 2", RUN, "error: no operator string + int"],
    ["overflow", "9223372036854775807 + http.body_size + 1 == 0", HTTP, "error: integer overflow"],
    ["division by zero", "1 / http.body_size == 0", HTTP, "error: division by zero"],
    ["numbers across types", "network.port < 443.5", { network: { port: 443 } }, true],
    ["exists absorbs failures", 'run.context.list.exists(x, x == "a" || x / 0 == 1)', RUN, true],
    ["all does not find a counter-example", "run.context.list.all(x, x / 0 == 1)", RUN, "error: division by zero"],
    ["code points", 'size("h😀é") == 3 && "h😀é".indexOf("é") == 2 && "h😀é".substring(1, 2) == "😀"', {}, true],
    ["a pattern", 'http.path.matches("^/v1/users/[0-9]+$")', HTTP, true],
    ["the branch that is not taken", "http.method == 'GET' ? true : 1 / 0 == 1", HTTP, true],
    ["an absent condition", "dns.query == '' ? true : true", HTTP, "no-value"],
  ];
  for (const [note, text, context, outcome] of cases) {
    test(note, () => expect(outcomeOf(text, context)).toEqual(outcome));
  }

  test("after a failed hook, enriched and run.context fail in every use", () => {
    const failed = "error: a hook failed";
    for (
      const text of [
        "has(enriched.x)",
        "'x' in enriched",
        "enriched.x == 1",
        "has(run.context)",
        "has(run.context.x)",
        "size(run.context) == 0",
      ]
    ) {
      expect(outcomeOf(text, RUN, "failed")).toBe(failed);
    }
    expect(outcomeOf("run.tool == 'git' || has(enriched.x)", RUN, "failed")).toBe(true);
  });
});
