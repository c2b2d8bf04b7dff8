// Statements -> a checked program: every relation is declared once and used as declared, every rule is safe, and the
// relations are stratified. Only checked programs can be evaluated. All errors are reported at once.
import { type Problem, problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import { formatStatement } from "./format-program.ts";
import {
  ANYTHING,
  type Atom,
  type ColumnType,
  type Constant,
  type Declaration,
  type Fact,
  isVariable,
  type Rule,
  type Statement,
  type Term,
} from "./statement.ts";
import { stratify } from "./stratify.ts";

/** A program that can be evaluated. */
export type CheckedProgram = {
  readonly relations: ReadonlyMap<string, Declaration>;
  readonly facts: readonly Fact[];
  /** The rules of each stratum, from the first that is evaluated to the last. */
  readonly strata: readonly (readonly Rule[])[];
};

/** Checks a program. */
export function checkProgram(statements: readonly Statement[]): Result<CheckedProgram, readonly Problem[]> {
  const problems: Problem[] = [];
  const relations = new Map<string, Declaration>();
  for (const statement of statements) {
    if (statement.kind !== "declaration") continue;
    const { relation } = statement;
    if (relations.has(relation)) problems.push(refuse(`relation ${quote(relation)} is declared twice`));
    relations.set(relation, statement);
  }
  const facts: Fact[] = [];
  const rules: Rule[] = [];
  for (const statement of statements) {
    if (statement.kind === "fact") facts.push(statement);
    if (statement.kind === "rule") rules.push(statement);
    const wrong = whatIsWrong(statement, relations);
    if (wrong !== undefined) problems.push(refuse(`${wrong} in ${quote(formatStatement(statement, "souffle"))}`));
  }
  const strata = stratify(rules);
  if (!strata.ok) problems.push(strata.error);
  return strata.ok && problems.length === 0 ? ok({ relations, facts, strata: strata.value }) : err(problems);
}

function refuse(message: string): Problem {
  return problem("datalog.program", message);
}

type Relations = ReadonlyMap<string, Declaration>;

function whatIsWrong(statement: Statement, relations: Relations): string | undefined {
  switch (statement.kind) {
    case "declaration":
    case "comment":
    case "blank":
      return undefined;
    case "output": {
      const columns = relations.get(statement.relation)?.columns.length;
      return columns === 1 ? undefined : "an output is a relation of one column";
    }
    case "fact":
      return misusedAtom({ relation: statement.relation, terms: statement.values }, relations, new Map());
    case "rule":
      return misusedRule(statement, relations) ?? unsafeVariable(statement);
  }
}

function misusedRule({ head, body }: Rule, relations: Relations): string | undefined {
  const types = new Map<string, ColumnType>();
  const atoms = [head, ...body.flatMap((literal) => literal.kind === "differ" ? [] : [literal.atom])];
  for (const atom of atoms) {
    const wrong = misusedAtom(atom, relations, types);
    if (wrong !== undefined) return wrong;
  }
  for (const literal of body) {
    if (literal.kind !== "differ") continue;
    const [left, right] = [typeOf(literal.left, types), typeOf(literal.right, types)];
    if (left !== undefined && right !== undefined && left !== right) return "a number compared with a symbol";
  }
  return undefined;
}

// A variable has the type of the column in which it occurs first.
function misusedAtom(atom: Atom, relations: Relations, types: Map<string, ColumnType>): string | undefined {
  const columns = relations.get(atom.relation)?.columns;
  if (columns === undefined) return `undeclared relation ${quote(atom.relation)}`;
  if (columns.length !== atom.terms.length) {
    return `${atom.terms.length} terms for relation ${quote(atom.relation)}, which has ${columns.length} columns`;
  }
  for (const [index, { type }] of columns.entries()) {
    const term = atom.terms[index];
    if (term === undefined || (isVariable(term) && term.variable === ANYTHING)) continue;
    const found = typeOf(term, types);
    if (found === undefined && isVariable(term)) types.set(term.variable, type);
    else if (found !== type) return `a ${found} for a ${type} of relation ${quote(atom.relation)}`;
  }
  return undefined;
}

function typeOf(term: Term, types: ReadonlyMap<string, ColumnType>): ColumnType | undefined {
  return isVariable(term) ? types.get(term.variable) : constantType(term);
}

function constantType(value: Constant): ColumnType {
  return typeof value === "number" ? "number" : "symbol";
}

// A variable that no positive atom binds could have infinitely many values, so the rule is unsafe.
function unsafeVariable({ head, body }: Rule): string | undefined {
  const bound = new Set(body.flatMap((literal) => literal.kind === "atom" ? variablesOf(literal.atom.terms) : []));
  const used = [
    ...variablesOf(head.terms),
    ...body.flatMap((literal) => {
      if (literal.kind === "atom") return [];
      return variablesOf(literal.kind === "not" ? literal.atom.terms : [literal.left, literal.right]);
    }),
  ];
  const unsafe = used.find((name) => name === ANYTHING || !bound.has(name));
  return unsafe === undefined ? undefined : `unbound variable ${quote(unsafe)}`;
}

function variablesOf(terms: readonly Term[]): readonly string[] {
  return terms.filter(isVariable).map(({ variable }) => variable);
}
