// A tree that is written and read again is the same tree, node by node. Covers the official cases of CEL, random
// conditions, and pairs that look alike but differ.
import { describe, expect, test } from "bun:test";
import { formatTree } from "../../src/cel/format-tree.ts";
import { parse } from "../../src/cel/parse-expression.ts";
import { sameTree } from "../../src/cel/same-tree.ts";
import type { Tree } from "../../src/cel/tree.ts";
import { coreCases, stringCases } from "../support/cel/official.ts";
import { ConditionGenerator, NO_SCOPE } from "../support/generate/condition.ts";
import { seededRandom } from "../support/random.ts";
import { CASES } from "../support/cases.ts";

const SEED = Number(process.env["OUTCALL_SEED"] ?? Date.now() % 1_000_000_000);

function treeOf(text: string): Tree {
  const parsed = parse(text);
  if (!parsed.ok) throw new Error(`${text}: ${parsed.error.message}`);
  return parsed.value.tree;
}

test("the official cases, printed and read again, are the same trees", () => {
  const read = [...coreCases(), ...stringCases()].flatMap(({ id, expr }) => {
    const parsed = parse(expr);
    return parsed.ok ? [{ id, tree: parsed.value.tree }] : [];
  });
  expect(read.length).toBeGreaterThan(900);
  const changed = read.filter(({ tree }) => {
    const again = parse(formatTree(tree));
    return !again.ok || !sameTree(again.value.tree, tree);
  });
  expect(changed.map(({ id }) => id)).toEqual([]);
});

test("random conditions, printed and read again, are the same trees", () => {
  const random = seededRandom(SEED);
  const generator = new ConditionGenerator(random);
  let read = 0;
  for (let each = 0; each < CASES; each++) {
    const parsed = parse(generator.bool(random.below(5), NO_SCOPE));
    // The text exceeds a nesting limit.
    if (!parsed.ok) continue;
    read++;
    const text = formatTree(parsed.value.tree);
    const same = sameTree(treeOf(text), parsed.value.tree);
    expect({ seed: SEED, text, same }).toEqual({ seed: SEED, text, same: true });
  }
  expect(read).toBeGreaterThan(CASES / 2);
});

describe("sameTree tells apart", () => {
  const cases: readonly (readonly [note: string, a: string, b: string])[] = [
    ["names", "a", "b"],
    ["kinds of literals", "1", "1u"],
    ["an int and a double", "1", "1.0"],
    ["zero and minus zero", "0.0", "-0.0"],
    ["a string and bytes", '"a"', 'b"a"'],
    ["bytes", 'b"a"', 'b"b"'],
    ["the length of bytes", 'b"a"', 'b"aa"'],
    ["true and a name", "true", "a"],
    ["fields", "a.b", "a.c"],
    ["has and selection", "has(a.b)", "a.b"],
    ["an index and a field", 'a["b"]', "a.b"],
    ["indexes", "a[0]", "a[1]"],
    ["functions", "size(a)", "type(a)"],
    ["a method and a function", "a.size()", "size(a)"],
    ["the number of arguments", "f(a)", "f(a, a)"],
    ["signs", "!a", "a"],
    ["operators", "a < b", "a <= b"],
    ["sides", "a < b", "b < a"],
    ["chains", "a && b", "a || b"],
    ["the length of a chain", "a && b", "a && b && b"],
    ["grouping", "a && (b || c)", "a && b || c"],
    ["branches", "a ? b : c", "a ? c : b"],
    ["conditions", "a ? b : c", "b ? b : c"],
    ["lists", "[a, b]", "[b, a]"],
    ["keys", "{1: a}", "{2: a}"],
    ["values", "{1: a}", "{1: b}"],
    ["macros", "a.all(x, x)", "a.exists(x, x)"],
    ["variables", "a.all(x, true)", "a.all(y, true)"],
    ["ranges", "a.all(x, x)", "b.all(x, x)"],
    ["predicates", "a.all(x, x)", "a.all(x, !x)"],
    ["transforms", "a.map(x, x)", "a.map(x, x + 1)"],
    ["with and without a predicate", "a.map(x, true, x)", "a.map(x, x)"],
  ];
  for (const [note, a, b] of cases) {
    test(note, () => {
      expect(sameTree(treeOf(a), treeOf(b))).toBe(false);
      expect(sameTree(treeOf(b), treeOf(a))).toBe(false);
      expect(sameTree(treeOf(a), treeOf(`  ${a} // spelled otherwise`))).toBe(true);
    });
  }
});
