// Text of a program in Soufflé's dialect -> statements. Reads the subset that this product writes, one statement a line:
// declarations, outputs, facts, rules and comments. Checks the syntax only.
import { type Problem, problem } from "../core/problem.ts";
import { err, ok, type Result } from "../core/result.ts";
import { LineReader, type Refusal } from "./line-reader.ts";
import { type Atom, type Declaration, isConstant, type Literal, type Statement, type Term } from "./statement.ts";
import { decodeSymbol } from "./symbol-text.ts";

/** Parses a whole program, or names the first line that is not in the subset; `file` is the name of the program in errors. */
export function parseProgram(text: string, file = "program"): Result<readonly Statement[], Problem> {
  const statements: Statement[] = [];
  let line = 0;
  for (let start = 0; start < text.length;) {
    const feed = text.indexOf("\n", start);
    const end = feed === -1 ? text.length : feed;
    line++;
    const statement = parseStatement(text.slice(start, end));
    if (!statement.ok) {
      const { at, message } = statement.error;
      const place = { file, line, column: at + 1, endLine: line, endColumn: end - start + 1 };
      return err(problem("datalog.syntax", `line ${line} of the program: ${message}`, { place }));
    }
    statements.push(statement.value);
    start = end + 1;
  }
  return ok(statements);
}

function parseStatement(line: string): Result<Statement, Refusal> {
  if (line === "") return ok({ kind: "blank" });
  if (line.startsWith("//")) return parseComment(line);
  const reader = new LineReader(line);
  const statement = line.startsWith(".") ? readDirective(reader) : readClause(reader);
  reader.end();
  return reader.refusal === undefined ? ok(statement) : err(reader.refusal);
}

function parseComment(line: string): Result<Statement, Refusal> {
  const text = decodeSymbol(line.slice(line.startsWith("// ") ? 3 : 2));
  return text === undefined ? err({ at: 2, message: "malformed escape in a comment" }) : ok({ kind: "comment", text });
}

function readDirective(reader: LineReader): Statement {
  if (reader.takeIf(".output")) return { kind: "output", relation: reader.name() };
  reader.take(".decl");
  const relation = reader.name();
  const columns: Declaration["columns"][number][] = [];
  reader.take("(");
  do {
    const name = reader.name();
    reader.take(":");
    const isSymbol = reader.takeIf("symbol");
    if (!isSymbol) reader.take("number");
    columns.push({ name, type: isSymbol ? "symbol" : "number" });
  } while (reader.takeIf(","));
  reader.take(")");
  return { kind: "declaration", relation, columns };
}

function readClause(reader: LineReader): Statement {
  const head = readAtom(reader);
  const body: Literal[] = [];
  if (reader.takeIf(":-")) {
    do body.push(readLiteral(reader)); while (reader.takeIf(","));
  }
  reader.take(".");
  if (body.length > 0) return { kind: "rule", head, body };
  const values = head.terms.filter(isConstant);
  if (values.length < head.terms.length) reader.refuse("a fact with a variable");
  return { kind: "fact", relation: head.relation, values };
}

function readLiteral(reader: LineReader): Literal {
  if (reader.takeIf("!")) return { kind: "not", atom: readAtom(reader) };
  if (reader.isAtName()) return { kind: "atom", atom: readAtom(reader) };
  const left = reader.term();
  reader.take("!=");
  return { kind: "differ", left, right: reader.term() };
}

function readAtom(reader: LineReader): Atom {
  const relation = reader.name();
  const terms: Term[] = [];
  reader.take("(");
  do terms.push(reader.term()); while (reader.takeIf(","));
  reader.take(")");
  return { relation, terms };
}
