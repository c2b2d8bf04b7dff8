// What a condition's syntax tree tells about the requests that it can match.
import { describe, expect, test } from "bun:test";
import { parse } from "../../src/cel/parse-expression.ts";
import type { Tree } from "../../src/cel/tree.ts";
import { visit } from "../../src/cel/walk-tree.ts";
import { keyGuarded, keyRead, namespacesOf, needs, pathOf, readsHooks } from "../../src/rule/tree-facts.ts";

function tree(text: string): Tree {
  const parsed = parse(text);
  if (!parsed.ok) throw new Error(`${text}: ${parsed.error.message}`);
  return parsed.value.tree;
}

describe("needs: whether a condition can be true only if http is present", () => {
  const cases: readonly (readonly [condition: string, needs: boolean])[] = [
    ['http.method == "GET"', true],
    ['http.method != "GET"', true],
    ['!(http.method == "GET")', true],
    ['http.headers["a"] == "b"', true],
    ['"a" in http.headers', true],
    ["http.path.startsWith(network.hostname)", true],
    ["network.hostname == http.host", true],
    ["has(http.method)", true],
    ["!has(http.method)", false],
    ["has(http.headers.a)", true],
    ["!has(http.headers.a)", true],
    ['dns.query == "x"', false],
    ["true", false],
    ['network.port == 443 && http.method == "GET"', true],
    ['network.port == 443 || http.method == "GET"', false],
    ['http.host == "a" || http.method == "GET"', true],
    // The negation of && is true as soon as one operand is false, whatever the other is.
    ['!(network.port == 443 && http.method == "GET")', false],
    ['!(http.host == "a" && http.method == "GET")', true],
    ['!(network.port == 443 || http.method == "GET")', true],
    ['!!(network.port == 443 && http.method == "GET")', true],
    ['http.method == "GET" ? true : false', true],
    ['network.port == 443 ? http.method == "GET" : http.method == "PUT"', true],
    ['network.port == 443 ? http.method == "GET" : true', false],
    ['network.port == 443 ? http.method == "GET" : false', true],
    ['has(http.method) ? http.method == "GET" : true', false],
    ["has(http.method) ? true : false", true],
    ['(network.port == 443 || http.method == "GET") == true', false],
    ['(network.port == 443 && http.method == "GET") == false', false],
    ["has(http.method) == false", false],
    ['http.headers.exists(h, h == "a")', true],
    ["run.args.exists(a, a == http.host)", false],
    ["[http.host].exists(h, true)", true],
    ["size([http.host]) == 1", true],
    ["-http.body_size < 0", true],
    ['{"a": http.host} == {"a": "b"}', true],
  ];
  for (const [condition, needed] of cases) {
    test(condition, () => expect(needs(tree(condition), "http")).toBe(needed));
  }
});

describe("namespacesOf: every namespace that is named anywhere", () => {
  const cases: readonly (readonly [condition: string, ...namespaces: string[]])[] = [
    ["true"],
    ['action_type == "a" && target == "b" && metadata.x == 1 && enriched.y == 2'],
    ["http.host == network.hostname || has(dns.query)", "http", "network", "dns"],
    ["run.args.exists(a, a == docker.image)", "run", "docker"],
    ["agent.labels.all(l, l in envelope.facts)", "agent", "envelope"],
    ['"http.host" == "x"'],
    ["[1].exists(http, http == 1)"],
    ["[http.host].exists(http, http == dns.query)", "http", "dns"],
  ];
  for (const [condition, ...namespaces] of cases) {
    test(condition, () => expect([...namespacesOf(tree(condition))]).toEqual(namespaces));
  }
});

describe("keys of open maps", () => {
  const reads: readonly (readonly [condition: string, ...reads: string[]])[] = [
    ['http.headers["a"] == "b"', "read http.headers a"],
    ['http.headers.a == "b"', "read http.headers a"],
    ["run.context.a.b == 1", "read run.context a"],
    ['metadata["a"]["b"] == 1', "read metadata a"],
    [
      "enriched.a == agent.labels.b && envelope.facts.c == 1",
      "read enriched a",
      "read agent.labels b",
      "read envelope.facts c",
    ],
    ["has(metadata.a)", "guard metadata a"],
    ['"a" in run.context', "guard run.context a"],
    ["has(metadata.a.b)", "read metadata a"],
    ["http.headers[http.host] == http.path"],
    ["run.context[1] == 1"],
    ['"a" in ["a"] && "a" in run.args'],
    ["target in http.headers"],
  ];
  for (const [condition, ...wanted] of reads) {
    test(condition, () => {
      const found: string[] = [];
      visit(tree(condition), (node) => {
        const read = keyRead(node);
        const guard = keyGuarded(node);
        if (read !== null) found.push(`read ${read.map} ${read.key}`);
        if (guard !== null) found.push(`guard ${guard.map} ${guard.key}`);
      });
      expect(found).toEqual(wanted);
    });
  }
});

describe("readsHooks: what a hook can change", () => {
  const cases: readonly (readonly [condition: string, reads: boolean])[] = [
    ["enriched.a == 1", true],
    ["size(enriched) == 0", true],
    ["has(enriched.a)", true],
    ["run.context.a == 1", true],
    ['"a" in run.context', true],
    ["has(run.context)", true],
    ["has(run.context.a)", true],
    ["run.args.exists(a, a in enriched)", true],
    ['run.tool == "x"', false],
    ["has(run.tool)", false],
    ["metadata.a == 1", false],
  ];
  for (const [condition, reads] of cases) test(condition, () => expect(readsHooks(tree(condition))).toBe(reads));
});

test("pathOf: variables and fields of namespaces, nothing deeper", () => {
  const paths = ["target", "http.host", "run.context.a", 'http["host"]', "size(target)"].map((text) =>
    pathOf(tree(text))
  );
  expect(paths).toEqual(["target", "http.host", null, null, null]);
});
