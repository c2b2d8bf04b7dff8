// Inserting definitions, and mapping places of the expanded text back to the file.
import { describe, expect, test } from "bun:test";
import { findReferences } from "../../src/cel/scan-tokens.ts";
import type { SourceText } from "../../src/core/source-text.ts";
import { placeAt } from "../../src/core/span.ts";
import { expand, originOf } from "../../src/rule/expand.ts";
import { buildReferenceGraph, expandedLength, layOut } from "../../src/rule/references.ts";

// Gives each character of the text a place on one line.
function source(file: string, text: string): SourceText {
  return {
    text,
    place: (start, end) => ({ file, line: 1, column: start + 1, endLine: 1, endColumn: end + 1 }),
  };
}

function graphOf(definitions: Readonly<Record<string, string>>) {
  const documents = Object.entries(definitions).map(([name, text]) => {
    return { name, place: placeAt(name), expression: source(name, text) };
  });
  return buildReferenceGraph(documents, new Set(Object.keys(definitions)));
}

function expanded(text: string, definitions: Readonly<Record<string, string>>): string {
  const { sound } = graphOf(definitions);
  return expand(text, layOut(findReferences(text), sound), sound);
}

describe("expand", () => {
  const cases: readonly (readonly [note: string, text: string, definitions: Record<string, string>, out: string])[] = [
    ["nothing to put in", "a && b", {}, "a && b"],
    ["one name", "$a", { a: "x || y" }, "(x || y)"],
    ["at the beginning, within and at the end", "$a&&(!$a)||$a", { a: "x" }, "(x)&&(!(x))||(x)"],
    ["definitions of definitions", "$c", { a: "x", b: "$a+$a", c: "$b*$a" }, "(((x)+(x))*(x))"],
    ["in whatever order they are written", "$c", { c: "$b", b: "$a", a: "x" }, "(((x)))"],
    ["the longest name that stands there", "$ab.$a", { a: "x", ab: "y" }, "(y).(x)"],
    ["a name ends at what is no letter, digit or _", "$a1_.b", { a1_: "x" }, "(x).b"],
    [
      "strings of every kind are left alone",
      `"$a" '$a' r"$a" """$a "$a" """ b'$a' $a`,
      { a: "x" },
      `"$a" '$a' r"$a" """$a "$a" """ b'$a' (x)`,
    ],
    ["an escaped quote does not end a string", `"\\"$a" + $a`, { a: "x" }, `"\\"$a" + (x)`],
    ["comments are left alone, and end with their line", "// $a\n$a // $a", { a: "x" }, "// $a\n(x) // $a"],
    ["a comment at the end of a definition", "$a && $b", { a: "x // )", b: "y" }, "(x // )\n) && (y)"],
    ["two slashes in a string", "$a", { a: '"http://x"' }, '("http://x"\n)'],
    ["white space of a definition stays", "$a", { a: "\n x\n" }, "(\n x\n)"],
    ["characters beyond the first plane", "'😀' + $a + '😀'", { a: "'é😀'" }, "'😀' + ('é😀') + '😀'"],
  ];
  for (const [note, text, definitions, out] of cases) {
    test(note, () => {
      expect(expanded(text, definitions)).toBe(out);
      const { sound } = graphOf(definitions);
      expect(expandedLength(text, layOut(findReferences(text), sound))).toBe(out.length);
    });
  }
});

describe("originOf", () => {
  const definitions = { host: "net.host", gh: '$host == "gh"', both: "a || $gh", note: "x // y" };

  // The origin of the first occurrence of a part in the expanded text, as `definition:text`.
  function origin(text: string, part: string): string {
    const { sound } = graphOf(definitions);
    const pieces = layOut(findReferences(text), sound);
    const whole = expand(text, pieces, sound);
    const start = whole.indexOf(part);
    expect(start, `${part} in ${whole}`).toBeGreaterThanOrEqual(0);
    const found = originOf(source("rule", text), pieces, { start, end: start + part.length }, sound);
    const { file, column, endColumn } = found.place;
    const all: Readonly<Record<string, string>> = { ...definitions, rule: text };
    expect(found.definition).toBe(file === "rule" ? null : file);
    return `${file}:${all[file]?.slice(column - 1, endColumn - 1)}`;
  }

  const cases: readonly (readonly [note: string, text: string, part: string, origin: string])[] = [
    ["before any reference", "x && $gh", "x", "rule:x"],
    ["behind one", "$gh && x", "x", "rule:x"],
    ["behind several", "$gh || $host || $both || last", "last", "rule:last"],
    ["between two", "$gh && x && $gh", "x", "rule:x"],
    ["within a definition", "$gh && x", '"gh"', 'gh:"gh"'],
    ["within the definition of a definition", "$gh && x", "host", "host:host"],
    ["three deep", "1 + $both", "net", "host:net"],
    ["the second use of a definition", "$host + $gh", '== "gh"', 'gh:== "gh"'],
    ["the parentheses belong to the definition", "$host + 1", "(net.host)", "host:net.host"],
    ["from a definition into its own definition", "$gh && x", 'net.host) == "gh"', 'gh: == "gh"'],
    ["from the rule into a definition: the rule's own", "x && $gh", 'x && ((net.host) == "gh"', "rule:x && "],
    ["from a definition into the rule: the rule's own", "$gh && x", '"gh") && x', "rule: && x"],
    ["from one definition into another: what is between", "$host == $gh", "host) == (", "rule: == "],
    ["a line that was added is the definition's", "$note && x", "y\n)", "note:y"],
    ["behind a line that was added", "$note && z", "z", "rule:z"],
  ];
  for (const [note, text, part, out] of cases) test(note, () => expect(origin(text, part)).toBe(out));

  test("a span of nothing at the end of the text", () => {
    const { sound } = graphOf(definitions);
    const text = "$gh &&";
    const pieces = layOut(findReferences(text), sound);
    const end = expandedLength(text, pieces);
    expect(originOf(source("rule", text), pieces, { start: end, end }, sound).place).toMatchObject({
      file: "rule",
      column: text.length + 1,
      endColumn: text.length + 1,
    });
  });

  test("every character of an expanded text comes from where it was written", () => {
    const text = "$both && !($gh || $host == '😀') && $note";
    const { sound } = graphOf(definitions);
    const pieces = layOut(findReferences(text), sound);
    const whole = expand(text, pieces, sound);
    const all: Readonly<Record<string, string>> = { ...definitions, rule: text };
    let compared = 0;
    for (let start = 0; start < whole.length; start++) {
      const { place } = originOf(source("rule", text), pieces, { start, end: start + 1 }, sound);
      const written = all[place.file]?.slice(place.column - 1, place.endColumn - 1) ?? "";
      // The parentheses around a definition, and the line break after a comment, have no place in the file.
      if (written.length !== 1) continue;
      expect(written).toBe(whole.charAt(start));
      compared++;
    }
    expect(compared).toBeGreaterThan(60);
  });

  test("thousands of references and of spans", () => {
    const { sound } = graphOf({ d: "true" });
    const text = Array.from({ length: 5000 }, (_, at) => `$d||a${at}`).join("||");
    const pieces = layOut(findReferences(text), sound);
    const whole = expand(text, pieces, sound);
    for (let at = 0, from = 0; at < 5000; at++) {
      const start = whole.indexOf(`a${at}`, from);
      from = start;
      const { place } = originOf(source("rule", text), pieces, { start, end: start + 2 }, sound);
      expect(text.slice(place.column - 1).startsWith(`a${at}`)).toBe(true);
    }
  });
});
