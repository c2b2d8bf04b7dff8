// Statements -> text of a program, one statement a line, in one of two dialects. The second is a mechanical translation of
// the first, and this file holds all differences between them.
import { type Atom, type Constant, isVariable, type Literal, type Statement, type Term } from "./statement.ts";
import { encodeSymbol } from "./symbol-text.ts";

/** The dialects: Soufflé's language, and the language of answer-set grounders such as gringo. */
export const DIALECTS = ["souffle", "asp"] as const;

/** A dialect. */
export type Dialect = (typeof DIALECTS)[number];

/** Writes a whole program. */
export function formatProgram(statements: Iterable<Statement>, dialect: Dialect): string {
  const lines: string[] = [];
  for (const statement of statements) lines.push(formatStatement(statement, dialect));
  lines.push("");
  return lines.join("\n");
}

/** Writes one statement as a line, without the newline. */
export function formatStatement(statement: Statement, dialect: Dialect): string {
  switch (statement.kind) {
    case "blank":
      return "";
    case "comment":
      return `${dialect === "asp" ? "%" : "//"} ${encodeSymbol(statement.text)}`.trimEnd();
    case "declaration": {
      const { relation, columns } = statement;
      if (dialect === "asp") return `#defined ${relation}/${columns.length}.`;
      return `.decl ${relation}(${columns.map(({ name, type }) => `${name}: ${type}`).join(", ")})`;
    }
    case "output":
      return dialect === "asp" ? `#show ${statement.relation}/1.` : `.output ${statement.relation}`;
    case "fact":
      return `${statement.relation}(${statement.values.map(formatConstant).join(", ")}).`;
    case "rule": {
      const body = statement.body.map((literal) => formatLiteral(literal, dialect));
      return `${formatAtom(statement.head)} :- ${body.join(", ")}.`;
    }
  }
}

function formatLiteral(literal: Literal, dialect: Dialect): string {
  switch (literal.kind) {
    case "atom":
      return formatAtom(literal.atom);
    case "not":
      return `${dialect === "asp" ? "not " : "!"}${formatAtom(literal.atom)}`;
    case "differ":
      return `${formatTerm(literal.left)} != ${formatTerm(literal.right)}`;
  }
}

function formatAtom({ relation, terms }: Atom): string {
  return `${relation}(${terms.map(formatTerm).join(", ")})`;
}

function formatTerm(term: Term): string {
  return isVariable(term) ? term.variable : formatConstant(term);
}

function formatConstant(value: Constant): string {
  return typeof value === "number" ? String(value) : `"${encodeSymbol(value)}"`;
}
