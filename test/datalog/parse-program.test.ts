import { describe, expect, test } from "bun:test";
import { formatProgram } from "../../src/datalog/format-program.ts";
import { parseProgram } from "../../src/datalog/parse-program.ts";
import { decodeSymbol, encodeSymbol } from "../../src/datalog/symbol-text.ts";

const PROGRAM = `// a program "as it is written"
.decl edge(from: number, to: number)
.decl named(node: number, name: symbol)
.decl far(node: number)
.output far

edge(0, 1).
edge(1, -2147483648).
edge(1, 2147483647).
named(0, "say {22}hi{22}, {7b}x{7d}").
named(1, "").
//
far(X) :- edge(0, Y), edge(Y, X), X != Y, !named(X, "no").
far(0) :- named(_, "yes"), 1 != 2.
`.replaceAll('"as it is written"', "{22}as it is written{22}").replaceAll("{7d}", "}");

describe("parseProgram", () => {
  test("reads what is written, byte for byte", () => {
    const statements = parseProgram(PROGRAM);
    if (!statements.ok) throw new Error(statements.error.message);
    expect(formatProgram(statements.value, "souffle")).toBe(PROGRAM);
    expect(statements.value).toContainEqual({ kind: "fact", relation: "named", values: [0, 'say "hi", {x}'] });
    expect(statements.value.filter(({ kind }) => kind === "rule")).toHaveLength(2);
  });

  test("the translation for answer-set grounders is mechanical", () => {
    const statements = parseProgram(PROGRAM);
    if (!statements.ok) throw new Error(statements.error.message);
    expect(formatProgram(statements.value, "asp")).toBe(
      PROGRAM
        .replaceAll(/^\/\//gm, "%")
        .replaceAll(/^\.decl (\w+)\(.*,.*$/gm, "#defined $1/2.")
        .replaceAll(/^\.decl (\w+)\(.*$/gm, "#defined $1/1.")
        .replaceAll(/^\.output (\w+)$/gm, "#show $1/1.")
        .replaceAll("!named", "not named"),
    );
  });

  const refused: readonly {
    readonly note: string;
    readonly line: string;
    readonly says: string;
    readonly column: number;
  }[] = [
    { note: "no full stop", line: "p(1)", says: 'expected ".", found the end of the line', column: 5 },
    { note: "two clauses", line: "p(1). p(2).", says: 'expected the end of the line, found "p(2)."', column: 7 },
    { note: "no terms", line: "p().", says: 'expected a term, found ")."', column: 3 },
    { note: "no name", line: "P(1).", says: "expected a name", column: 1 },
    { note: "an empty body", line: "p(1) :- .", says: "expected a term", column: 9 },
    { note: "an open symbol", line: 'p("a).', says: "expected a term", column: 3 },
    { note: "a backslash in a symbol", line: 'p("\\n").', says: "expected a term", column: 3 },
    { note: "half of an escape", line: 'p("{22").', says: "expected whole escapes", column: 8 },
    { note: "an escape of what needs none", line: 'p("{61}").', says: "expected whole escapes", column: 9 },
    { note: "an escape beyond Unicode", line: 'p("{110000}").', says: "expected whole escapes", column: 13 },
    { note: "a number over 32 bits", line: "p(2147483648).", says: "expected 32 bits", column: 13 },
    { note: "a number under 32 bits", line: "p(-2147483649).", says: "expected 32 bits", column: 14 },
    { note: "a fact with a variable", line: "p(X).", says: "a fact with a variable", column: 6 },
    { note: "an equality", line: "p(X) :- q(X), X = 1.", says: 'expected "!="', column: 17 },
    { note: "a directive that is none", line: ".input p", says: 'expected ".decl"', column: 1 },
    { note: "a type that is none", line: ".decl p(a: float)", says: 'expected "number"', column: 12 },
    { note: "a comment with a bad escape", line: "// {zz}", says: "malformed escape in a comment", column: 3 },
    { note: "a carriage return", line: "p(1).\r", says: "expected the end of the line", column: 6 },
  ];
  for (const { note, line, says, column } of refused) {
    test(`refuses ${note}, with its place`, () => {
      const parsed = parseProgram(`p(0).\n${line}\n`, "a.dl");
      if (parsed.ok) throw new Error("accepted");
      expect(parsed.error.code).toBe("datalog.syntax");
      expect(parsed.error.message).toContain(says);
      expect(parsed.error.place).toMatchObject({ file: "a.dl", line: 2, column });
    });
  }
});

describe("encodeSymbol", () => {
  const texts = [
    { note: "plain", text: "handle_csv", written: "handle_csv" },
    { note: "a quote", text: 'a"b', written: "a{22}b" },
    { note: "a backslash at the end", text: "a\\", written: "a{5c}" },
    { note: "the escape itself", text: "{22}", written: "{7b}22}" },
    { note: "a line feed", text: "a\nb", written: "a{a}b" },
    { note: "the ends of comments", text: "*/ // %", written: "*/ // %" },
    { note: "a trigraph", text: "??/", written: "{3f}{3f}/" },
    { note: "NUL, bidi, line separator", text: "\0\u202e\u2028", written: "{0}{202e}{2028}" },
    { note: "beyond the first plane", text: "\u{1f600}", written: "{1f600}" },
    { note: "half of a pair", text: "\ud800", written: "{d800}" },
  ];
  for (const { note, text, written } of texts) {
    test(note, () => {
      expect(encodeSymbol(text)).toBe(written);
      expect(decodeSymbol(written)).toBe(text);
    });
  }
});
