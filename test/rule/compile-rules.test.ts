// Documents -> rule set: order, ids, immutability, and each limit of expressions and sets, at the limit and one above
// it.
import { describe, expect, test } from "bun:test";
import { type Loaded, loadRuleFiles } from "../../src/rule/load-rules.ts";
import { AGENT_EXPANDED_LENGTH, EXPANDED_LENGTH } from "../../src/rule/expansion-budget.ts";
import { RULES_LIMIT } from "../../src/rule/compile-rules.ts";
import { errorsIn, line, rules } from "../support/rule/findings.ts";

function load(files: Readonly<Record<string, string>>): Loaded {
  return loadRuleFiles(Object.entries(files).map(([name, text]) => ({ name, text })));
}

function ids(loaded: Loaded): readonly string[] | undefined {
  return loaded.set?.rules.map(({ id }) => id);
}

const rule = (id: string, more = ""): string => `id: ${id}, condition: dns.query == "${id}", action: block${more}`;

describe("compileRules", () => {
  test("orders by priority, then by the name of the file, then by place", () => {
    const files = {
      "b.yaml": rules(rule("b1"), rule("b2", ", priority: -1"), rule("b3", ", priority: 100")),
      "a.yaml": rules(rule("a1"), rule("a2", ", priority: 99"), rule("a3", ", priority: 2147483647")),
      "B.yaml": rules(rule("B1"), rule("B2", ", priority: -1")),
    };
    expect(ids(load(files))).toEqual(["B2", "b2", "a2", "B1", "a1", "b1", "b3", "a3"]);
  });

  test("an id is unique over all files; each later use is reported with the first", () => {
    const files = { "b.yaml": rules(rule("x"), rule("y")), "a.yaml": rules(rule("y"), rule("y")) };
    const loaded = load(files);
    expect(loaded.set).toBeNull();
    expect(loaded.findings.filter(({ severity }) => severity === "error").map(line)).toEqual([
      'a.yaml:4:10-4:11 error rule.duplicate-id [y] rule id "y" is already used at a.yaml:3',
      'b.yaml:4:10-4:11 error rule.duplicate-id [y] rule id "y" is already used at a.yaml:3',
    ]);
  });

  test("reports the findings of all files, by place", () => {
    const files = {
      "b.yaml": 'version: "3"\n',
      "a.yaml": rules("id: r, condition: x ==, action: block"),
      "c.yaml": "[",
    };
    expect(load(files).findings.map(({ code, place }) => `${place.file}:${place.line} ${code}`)).toEqual([
      "a.yaml:3 rule.cel-syntax",
      "b.yaml:1 rule.version",
      expect.stringMatching(/^c\.yaml:\d+ rule\.yaml$/),
    ]);
  });

  test("findings do not depend on the order in which files come", () => {
    const files = Object.entries({
      "a.yaml": rules("id: all, condition: 'true', action: allow"),
      "b.yaml": rules("id: x, condition: metadata.a == 1, action: block"),
      "c.yaml": rules("id: x2, condition: metadata.a == 1, action: block"),
    });
    const [forwards, backwards] = [load(Object.fromEntries(files)), load(Object.fromEntries(files.toReversed()))];
    expect(backwards.findings.map(line)).toEqual(forwards.findings.map(line));
    expect(forwards.findings.length).toBeGreaterThan(3);
    expect(backwards.set?.digest).toBe(forwards.set?.digest ?? "none");
  });

  test("gives a frozen set, with its warnings", () => {
    const { set } = load({ "a.yaml": rules("id: all, condition: 'true', action: allow", rule("never")) });
    const parts = [set, set?.rules, set?.rules[0], set?.warnings];
    expect(parts.map((part) => Object.isFrozen(part))).toEqual([true, true, true, true]);
    expect(set?.warnings.map(({ code }) => code)).toEqual(["rule.constant", "rule.unscoped-allow", "rule.unreachable"]);
    expect(() => Array.prototype.push.call(set?.rules, set?.rules[0])).toThrow();
  });

  test("keeps what a rule says", () => {
    const text = `version: "1"
definitions: {gh: network.hostname == "github.com"}
rules:
  - {id: a, condition: ' $gh ', action: allow, egress: {mode: proxy}, description: d, log: true, priority: 7, reason: w, expires: 2026-12-31T18:00:00.0009+01:00}
  - {id: e, condition: 'true', action: enrich, enrich: {script: s.sh}}
`;
    expect(load({ "a.yaml": text }).set?.rules.map(({ predicate, ...said }) => said)).toEqual([
      {
        ...{ id: "a", file: "a.yaml", line: 4, action: "allow", condition: " $gh " },
        ...{
          expanded: '(network.hostname == "github.com")',
          normal: 'network.hostname == "github.com"',
          log: true,
          description: "d",
          priority: 7,
          reason: "w",
        },
        ...{ egress: { mode: "proxy" }, enrich: null },
        ...{ expires: "2026-12-31T18:00:00.0009+01:00", expiresMs: Date.UTC(2026, 11, 31, 17) },
      },
      {
        ...{
          id: "e",
          file: "a.yaml",
          line: 5,
          action: "enrich",
          condition: "true",
          expanded: "true",
          normal: "true",
          log: false,
        },
        ...{
          description: null,
          priority: 100,
          reason: null,
          egress: null,
          expires: null,
          expiresMs: null,
          enrich: { script: "s.sh", timeoutMs: 5000 },
        },
      },
    ]);
  });
});

describe("limits of an expression", () => {
  const LIMIT = "rule.limit";
  type Limit = readonly [note: string, make: (size: number) => string, limit: number, past?: number];
  const nested = (open: string, close: string) => (size: number): string =>
    `${open.repeat(size)}true${close.repeat(size)}`;
  const limits: readonly Limit[] = [
    ["bytes as written", (size) => `true${" ".repeat(size - 4)}`, 64 * 1024],
    ["bytes, not characters", (size) => `'é' == ''${" ".repeat(size - 10)}`, 64 * 1024],
    ["nodes", (size) => `${"true||".repeat(size / 2 - 2)}true && !true`, 20_000, 20_002],
    ["brackets", nested("(", ")"), 64],
    ["unary operators", (size) => `${"!".repeat(size)}true`, 64],
    ["elements of a list", (size) => `1 in [${Array.from({ length: size }, () => "1").join(",")}]`, 5_000],
    [
      "entries of a map",
      (size) => `size({${Array.from({ length: size }, (_, at) => `${at}:1`).join(",")}}) == 1`,
      5_000,
    ],
    ["comprehensions", (size) => `${"[1].all(x, ".repeat(size)}true${")".repeat(size)}`, 2],
  ];
  for (const [note, make, limit, past = limit + 1] of limits) {
    test(`${note}: ${limit}, in a condition and in a definition`, () => {
      for (const [size, codes] of [[limit, []], [past, [LIMIT]]] as const) {
        const condition = loadRuleFiles([{ name: "a.yaml", text: fileOf("'true'", make(size)) }]);
        const definition = loadRuleFiles([{ name: "a.yaml", text: fileOf(make(size), "'true'") }]);
        for (const { findings } of [condition, definition]) {
          expect(findings.filter(({ severity }) => severity === "error").map(({ code }) => code)).toEqual([...codes]);
        }
      }
    });
  }

  function fileOf(definition: string, condition: string): string {
    const quoted = (text: string): string => (text.startsWith("'true'") ? text : JSON.stringify(text));
    return `version: "1"\ndefinitions: {d: ${quoted(definition)}}\nrules:\n  - {id: r, condition: ${
      quoted(condition)
    }, action: block}\n`;
  }

  // A definition of 60 KiB used four times; the rest is 'true' in parentheses with white space.
  function expandsTo(length: number): string {
    const definition = `true${" ".repeat(60 * 1024 - 4)}`;
    const used = "$d||$d||$d||$d||true";
    const rest = length - 4 * (definition.length + 2) - (used.length - 8);
    return fileOf(definition, `${used}${" ".repeat(rest)}`);
  }

  test("the length after expansion: 256 KiB", () => {
    expect(errorsIn(expandsTo(EXPANDED_LENGTH))).toEqual([]);
    expect(errorsIn(expandsTo(EXPANDED_LENGTH + 1))).toEqual([
      'a.yaml:4:10-4:11 error rule.limit [r] rule "r": condition expands to over 256 KiB',
    ]);
  });

  test("the parentheses of definitions do not count for the brackets as written", () => {
    const names = Array.from({ length: 63 }, (_, at) => `d${at}`);
    const definitions = names.map((name, at) => `  ${name}: ${at === 0 ? "'true'" : `$d${at - 1}`}\n`);
    const text = `version: "1"\ndefinitions:\n${definitions.join("")}rules:\n  - {id: r, condition: ${
      JSON.stringify(`${"(".repeat(60)}$d62${")".repeat(60)}`)
    }, action: block}\n`;
    expect(errorsIn(text)).toEqual([]);
  });

  test("what an agent's conditions expand to together: 256 KiB", () => {
    const definition = `d: "${"true&&".repeat(2_000)}true"`;
    const one = 2 + 2_000 * 6 + 4;
    const fit = Math.floor(AGENT_EXPANDED_LENGTH / one);
    const many = Array.from({ length: fit + 1 }, (_, at) => `  - {id: r${at}, condition: $d, action: block}\n`);
    const text = (count: number): string =>
      `version: "1"\ndefinitions: {${definition}}\nrules:\n${many.slice(0, count).join("")}`;
    expect(errorsIn(text(fit), { agent: true })).toEqual([]);
    expect(errorsIn(text(fit + 1), { agent: true })).toEqual([
      `a.yaml:${fit + 4}:10-${fit + 4}:${
        `r${fit}`.length + 10
      } error rule.limit [r${fit}] rule "r${fit}": conditions expand to over 256 KiB in all`,
    ]);
    expect(errorsIn(text(fit + 1))).toEqual([]);
  });
});

describe("limits of a set", () => {
  const many = (count: number, from = 0): string =>
    `version: "1"\nrules:\n${
      Array.from({ length: count }, (_, at) => `- {id: r${from + at}, condition: 'false', action: block}\n`).join("")
    }`;

  test("rules of all files: 10,000", () => {
    expect(RULES_LIMIT).toBe(10_000);
    const { set } = load({ "a.yaml": many(6_000), "b.yaml": many(4_000, 6_000) });
    expect(set?.rules.length).toBe(10_000);
    const over = load({ "a.yaml": many(6_000), "b.yaml": many(4_001, 6_000) });
    expect(over.set).toBeNull();
    expect(over.findings.map(line)).toEqual([
      "b.yaml:1:1-1:1 error rule.limit 10001 rules in all files, at most 10000 are allowed",
    ]);
  });
});
