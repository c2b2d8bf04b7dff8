// Warnings about map keys and indexes: used without a test, or set by the agent.
import { describe, expect, test } from "bun:test";
import { warningsIn } from "../support/rule/findings.ts";

/** The warnings with a code about one rule `r`, without their common parts. */
function about(code: string, condition: string, action: string, more = ""): readonly string[] {
  const text = `version: "1"\nrules:\n  - {id: r, action: ${action}, condition: ${JSON.stringify(condition)}}\n${more}`;
  return warningsIn(text, code).map((each) =>
    each.replace(/^a\.yaml:3:\d+-3:\d+ warning /, "").replace(`${code} [r] rule "r": `, "")
  );
}

describe("rule.unguarded-index", () => {
  const unguarded = (map: string, key: string): string =>
    `reads key "${key}" of ${map} without testing that it is there | write "${key}" in ${map} && ...`;

  const cases:
    readonly (readonly [note: string, condition: string, ...keys: (readonly [map: string, key: string])[]])[] = [
      ["every open map, by index", '[http.headers["a"], agent.labels["b"]] == ["c", "d"]', ["http.headers", "a"], [
        "agent.labels",
        "b",
      ]],
      ["by selection", "run.context.a == metadata.b", ["run.context", "a"], ["metadata", "b"]],
      ["what hooks and envelopes write", 'enriched.a == envelope.facts["b"]', ["enriched", "a"], [
        "envelope.facts",
        "b",
      ]],
      ["guarded by in", '"a" in http.headers && http.headers["a"] == "b"'],
      ["guarded by has", "has(metadata.a) && metadata.a == 1"],
      ["by the other spelling", '"a" in metadata && metadata.a == 1 && has(enriched.b) && enriched["b"] == 1'],
      ["guarded from behind, since && takes either first", 'http.headers["a"] == "b" && "a" in http.headers'],
      ["guarded further out", '"a" in metadata && (dns.query == "x" || metadata.a == 1)'],
      ["guarded within parentheses", '("a" in metadata && dns.query == "x") && metadata.a == 1'],
      ["guarded in a conditional", '"a" in metadata ? metadata.a == 1 : false'],
      ["by its negation", '!("a" in metadata) ? false : metadata.a == 1'],
      ["by the negation of an alternative", '!("a" in metadata) || dns.query == "x" ? true : metadata.a == 1'],
      ["in the wrong branch", '"a" in metadata ? false : metadata.a == 1', ["metadata", "a"]],
      ["by an alternative", '"a" in metadata || metadata.a == 1', ["metadata", "a"]],
      ["by an alternative of guards", '("a" in metadata || "b" in metadata) && metadata.a == 1', ["metadata", "a"]],
      ["by the same key of another map", '"a" in metadata && enriched.a == 1', ["enriched", "a"]],
      ["by another key", '"a" in metadata && metadata.b == 1', ["metadata", "b"]],
      ["in another operand's parentheses", '("a" in metadata && dns.query == "x") || metadata.a == 1', [
        "metadata",
        "a",
      ]],
      ["once for each key", "metadata.a == 1 || metadata.a == 2 || metadata.b == 3", ["metadata", "a"], [
        "metadata",
        "b",
      ]],
      ["the key of a key", "has(metadata.a.b)", ["metadata", "a"]],
      ["within a macro", 'run.args.exists(x, metadata[x] == 1 || metadata["a"] == x)', ["metadata", "a"]],
      ["guarded around a macro", '"a" in metadata && run.args.exists(x, metadata.a == x)'],
      ["A10: guarded by the negation of an alternative", '!("a" in metadata) || metadata.a == 1'],
      ["A10: guarded by has in an alternative", "metadata.a == 1 || !has(metadata.a)"],
      ["A10: guarded by De Morgan", '!(!("a" in metadata) || dns.query == "x") && metadata.a == 1'],
      ["A10: guarded by De Morgan, inside", "!(!has(metadata.a) || metadata.a == 1)"],
      [
        "A10: guarded in both of two alternatives",
        '("a" in metadata && run.parsed || has(metadata.a)) && metadata.a == 1',
      ],
      ["A10: guarded by a conditional", '("a" in metadata ? run.parsed : false) && metadata.a == 1'],
      ["A10: guarded by either branch", '(run.parsed ? "a" in metadata : has(metadata.a)) && metadata.a == 1'],
      ["A10: by one branch alone", '(run.parsed ? "a" in metadata : true) && metadata.a == 1', ["metadata", "a"]],
      ["A10: by the negation in a chain", '!("a" in metadata) && metadata.a == 1', ["metadata", "a"]],
      ["a key that is no literal", 'http.headers[http.host] == "x" && run.context[target] == 1'],
      ["a closed map or a list", 'run.args[0] == "x" && http.host == "y"'],
    ];
  for (const [note, condition, ...keys] of cases) {
    test(note, () => {
      expect(about("rule.unguarded-index", condition, "allow")).toEqual(keys.map(([map, key]) => unguarded(map, key)));
    });
  }

  test("of a block, the hint says what it blocks", () => {
    expect(about("rule.unguarded-index", "metadata.a == 1", "block")).toEqual([
      `${unguarded("metadata", "a")}; without it, the rule blocks every request without the key`,
    ]);
  });

  test("a key that is not printable is shown escaped", () => {
    expect(about("rule.unguarded-index", 'metadata["\\u202e"] == 1', "allow")).toEqual([
      'reads key "\\u{202e}" of metadata without testing that it is there | write "\\\\u{202e}" in metadata && ...',
    ]);
  });

  test("stands where the key is read, also in a definition", () => {
    const text = 'version: "1"\ndefinitions:\n  d: dns.query == "x" ||\n    metadata.a == 1\nrules:\n' +
      "  - {id: r, condition: $d, action: allow}\n";
    expect(warningsIn(text, "rule.unguarded-index")).toEqual([
      `a.yaml:4:5-4:15 warning rule.unguarded-index [r] rule "r", in definition "d": ${unguarded("metadata", "a")}`,
    ]);
  });
});

describe("A4: rule.unguarded-index of lists", () => {
  const element = (list: string, index: number, few: string): string =>
    `reads ${list}[${index}] without testing the size of the list | write size(${list}) > ${index} && ...; ` +
    `without it, the rule blocks every request ${few}`;
  const empty = element("run.argv", 0, "whose run.argv is empty");

  const cases: readonly (readonly [condition: string, ...found: string[]])[] = [
    ['run.argv[0] == "x"', empty],
    ['"x" == run.argv[0] && run.argv[0] != "y"', empty],
    ['run.args[2] == "x"', element("run.args", 2, "with 2 or fewer elements in run.args")],
    ['run.flags[0] == "-x"', element("run.flags", 0, "whose run.flags is empty")],
    ['docker.command[0] == "x"', element("docker.command", 0, "whose docker.command is empty")],
    ['size(run.argv) > 0 && run.argv[0] == "x"'],
    ['run.argv[0] == "x" && run.argv.size() >= 1'],
    ['size(run.argv) != 0 && run.argv[0] == "x"'],
    ['0 < size(run.argv) && run.argv[0] == "x"'],
    ['size(run.argv) == 3 && run.argv[2] == "x"'],
    ['size(run.argv) > 2 && run.argv[2] == "x"'],
    ['size(run.argv) > 1 && run.argv[2] == "x"', element("run.argv", 2, "with 2 or fewer elements in run.argv")],
    ['size(run.argv) < 3 && run.argv[0] == "x"', empty],
    ['size(run.args) > 0 && run.argv[0] == "x"', empty],
    ['size(run.argv) == 0 || run.argv[0] == "x"'],
    ['!(size(run.argv) < 1) && run.argv[0] == "x"'],
    ['"x" in run.argv && run.argv[0] == "x"'],
    ['run.argv.exists(a, a == "x") && run.argv[0] == "x"'],
    ['run.argv.all(a, a == "x") && run.argv[0] == "x"', empty],
    ['run.argv == ["x", "y"] && run.argv[1] == "y"'],
    ['size(run.argv) > 0 ? run.argv[0] == "x" : false'],
    ["run.argv.all(a, run.argv[0] == a)"],
    ["run.args.all(a, run.argv[0] == a)", empty],
  ];
  for (const [condition, ...found] of cases) {
    test(condition, () => {
      expect(about("rule.unguarded-index", condition, "block")).toEqual(found);
      // An allow or enrich rule that reads beyond a list does not match, as intended.
      expect(about("rule.unguarded-index", condition, "allow")).toEqual([]);
    });
  }
});

describe("rule.spoofable", () => {
  const HOOK = '  - {id: hook, condition: dns.query == "x", action: enrich, enrich: {script: a.sh}}\n';
  const spoofable = (key: string): string =>
    `allows by run.context key "${key}", which an agent can set as metadata | if a hook sets it, read enriched["${key}"]`;

  const cases: readonly (readonly [note: string, condition: string, ...keys: string[]])[] = [
    ["a selection", "run.context.a == 1", "a"],
    ["an index", 'run.context["a"] == 1', "a"],
    ["a question whether it is there", 'has(run.context.a) || "b" in run.context', "a", "b"],
    ["each key once", "has(run.context.a) && run.context.a == 1 && run.context.b == 2", "a", "b"],
    ["what only hooks write", "enriched.a == 1"],
    ["what everybody knows to be the agent's", "metadata.a == 1"],
    ["the rest of run", 'run.tool == "a"'],
  ];
  for (const [note, condition, ...keys] of cases) {
    test(note, () => expect(about("rule.spoofable", condition, "allow", HOOK)).toEqual(keys.map(spoofable)));
  }

  test("a set without hooks, and a block, have nothing to fear", () => {
    expect(about("rule.spoofable", "run.context.a == 1", "allow")).toEqual([]);
    expect(about("rule.spoofable", "run.context.a == 1", "block", HOOK)).toEqual([]);
  });
});
