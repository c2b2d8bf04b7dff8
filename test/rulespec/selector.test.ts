import { describe, expect, test } from "bun:test";
import type { Json } from "../../src/core/json.ts";
import { select } from "../../src/rulespec/select.ts";
import { parseSelector } from "../../src/rulespec/selector.ts";
import { treeOf } from "../../src/rulespec/value-tree.ts";

const FACTS = {
  a: { b: { c: 1 }, list: [10, null, 30], null: null },
  rows: [{ id: "x", t: [1, 2] }, { id: null }, { t: [] }, "row"],
  "with space": true,
  "": 0,
  deep: [[1, 2], [3], []],
};

function selected(text: string, facts: Json = FACTS): Json {
  const selector = parseSelector(text);
  if (!selector.ok) throw new Error(selector.error.message);
  return select(treeOf(facts), selector.value).map((node) => {
    if (node.type === "list") return `list of ${node.items.length}`;
    return node.type === "map" ? `map of ${node.members.size}` : node.value;
  });
}

describe("select", () => {
  const cases: readonly { readonly note: string; readonly selector: string; readonly gives: Json }[] = [
    { note: "a field", selector: "with space", gives: [true] },
    { note: "a field below fields", selector: "a.b.c", gives: [1] },
    { note: "a whole map", selector: "a.b", gives: ["map of 1"] },
    { note: "an element", selector: "a.list[2]", gives: [30] },
    { note: "an element that is null is one null", selector: "a.list[1]", gives: [null] },
    { note: "a null at the end of a path is one null", selector: "a.null", gives: [null] },
    { note: "a field below null", selector: "a.null.x", gives: [] },
    { note: "an element behind the end", selector: "a.list[3]", gives: [] },
    { note: "all elements, in order, nulls among them", selector: "a.list[*]", gives: [10, null, 30] },
    { note: "a field of all elements that have it", selector: "rows[*].id", gives: ["x", null] },
    { note: "elements of lists of elements", selector: "rows[*].t[*]", gives: [1, 2] },
    { note: "one element of each list", selector: "deep[*][0]", gives: [1, 3] },
    { note: "all elements of all lists", selector: "deep[*][*]", gives: [1, 2, 3] },
    { note: "lists themselves", selector: "deep[*]", gives: ["list of 2", "list of 1", "list of 0"] },
    { note: "a field of a list", selector: "deep.0", gives: [] },
    { note: "an index of a map", selector: "a[0]", gives: [] },
    { note: "all elements of a map", selector: "a[*]", gives: [] },
    { note: "an index of a scalar", selector: "with space[0]", gives: [] },
    { note: "a field that is not there", selector: "nope", gives: [] },
    { note: "a name of objects", selector: "constructor", gives: [] },
    { note: "an index beyond any list", selector: "deep[99999999999999999999]", gives: [] },
  ];
  for (const { note, selector, gives } of cases) test(note, () => expect(selected(selector)).toEqual(gives));

  const prefixed: readonly {
    readonly note: string;
    readonly selector: string;
    readonly facts: Json;
    readonly gives: Json;
  }[] = [
    { note: "tried without it", selector: "facts.a", facts: { a: 1 }, gives: [1] },
    { note: "a fact of that name wins", selector: "facts.a", facts: { facts: { a: 2 }, a: 1 }, gives: [2] },
    { note: "even by a null", selector: "facts.a", facts: { facts: { a: null }, a: 1 }, gives: [null] },
    { note: "one that selects nothing does not", selector: "facts.a", facts: { facts: { b: 2 }, a: 1 }, gives: [1] },
    { note: "it is taken off once", selector: "facts.facts.a", facts: { facts: { a: 1 } }, gives: [1] },
    { note: "alone it is a field", selector: "facts", facts: { a: 1 }, gives: [] },
    { note: "with an index it is a field", selector: "facts[0]", facts: { facts: [7] }, gives: [7] },
  ];
  for (const { note, selector, facts, gives } of prefixed) {
    test(`prefix facts.: ${note}`, () => expect(selected(selector, facts)).toEqual(gives));
  }

  const malformed = [
    { note: "empty", text: "", says: "the selector is empty", at: [0, 0] },
    { note: "blank", text: "  ", says: "the selector is empty", at: [0, 2] },
    { note: "an empty segment", text: "a..b", says: "empty segment", at: [2, 3] },
    { note: "a dot first", text: ".a", says: "empty segment", at: [0, 1] },
    { note: "a dot last", text: "a.", says: "empty segment", at: [2, 3] },
    { note: "a dot before a bracket", text: "a.[0]", says: "empty segment", at: [2, 3] },
    { note: "an index first", text: "[0]", says: "empty segment", at: [0, 1] },
    { note: "an open bracket", text: "a[0", says: "unclosed bracket", at: [1, 3] },
    { note: "an open bracket last", text: "a[", says: "unclosed bracket", at: [1, 2] },
    { note: "a stray bracket", text: "a]", says: "stray bracket", at: [1, 2] },
    { note: "a bracket closed twice", text: "a[0]]", says: "stray bracket", at: [4, 5] },
    { note: "an empty index", text: "a[]", says: "an index is", at: [1, 3] },
    { note: "a negative index", text: "a[-1]", says: "an index is", at: [1, 5] },
    { note: "a signed index", text: "a[+1]", says: "an index is", at: [1, 5] },
    { note: "a fraction", text: "a[1.5]", says: "an index is", at: [1, 6] },
    { note: "a padded index", text: "a[ 1 ]", says: "an index is", at: [1, 6] },
    { note: "leading zeros", text: "a[01]", says: "an index is", at: [1, 5] },
    { note: "a quoted key", text: 'a["b"]', says: "an index is", at: [1, 6] },
    { note: "two stars", text: "a[**]", says: "an index is", at: [1, 5] },
    { note: "a bracket within a bracket", text: "a[[0]]", says: "an index is", at: [1, 5] },
    { note: "a field right behind a bracket", text: "a[0]b", says: "expected a dot, another bracket", at: [4, 5] },
  ];
  for (const { note, text, says, at: [start = 0, end = 0] } of malformed) {
    test(`malformed: ${note}`, () => {
      const selector = parseSelector(text);
      if (selector.ok) throw new Error("accepted");
      expect(selector.error.message).toStartWith(says);
      expect(selector.error.span).toEqual({ start, end });
    });
  }
});
