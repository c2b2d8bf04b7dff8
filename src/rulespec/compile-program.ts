// Rulespec and extracted values -> a complete Datalog program of facts and rules. The same input gives the same text, and all
// text from outside is escaped.
import { invariant } from "../core/invariant.ts";
import { type Dialect, formatProgram, formatStatement } from "../datalog/format-program.ts";
import { parseProgram } from "../datalog/parse-program.ts";
import type { Statement } from "../datalog/statement.ts";
import { type Check, computedOf, rulesOf } from "./compile-check.ts";
import type { Extraction } from "./extract.ts";
import type { Matcher } from "./matcher.ts";
import { LIBRARY, RELATIONS } from "./program-rules.ts";
import type { Claim, Predicate, Rulespec, Test } from "./rulespec.ts";
import { ValueFacts } from "./value-facts.ts";
import { treeOf } from "./value-tree.ts";

const HEADER =
  `// A rulespec and the facts it is about, as a Datalog program: pred_pass(I), pred_fail(I) and pred_skip(I) say what
// became of predicate I, exactly one of them for each. In symbols and comments every character but plain printable ASCII
// is its code in braces, such as {22} for a quote, so that no text is ever structure.
`;

const COMPUTED =
  `// Computed, since Datalog has no such operations: numeric order, substrings and RE2 search, for exactly those pairs of a
// selected value and a value of the rulespec that a predicate asks about.
`;

/** How many code points of a text from outside are shown in a comment. */
const COMMENT_LENGTH = 200;

/** Compiles a program in Soufflé's dialect. The program is meaningless if the matcher has failed. */
export function compileProgram(rulespec: Rulespec, extraction: Extraction, matcher: Matcher): string {
  return new Compiler(rulespec, extraction, matcher).compile();
}

/** Translates a compiled program into a dialect. */
export function translateProgram(program: string, dialect: Dialect): string {
  if (dialect === "souffle") return program;
  const statements = parseProgram(program);
  invariant(statements.ok, "a compiled program can be parsed");
  return formatProgram(statements.value, dialect);
}

/** A check with its claim and test. */
type ValuedCheck = Check & { readonly of: Claim; readonly test: Test };

/** A predicate and its checks. */
type CompiledPredicate = {
  readonly index: number;
  readonly predicate: Predicate;
  readonly check: ValuedCheck;
  readonly condition: ValuedCheck | null;
};

/** Compiles one program. */
class Compiler {
  readonly #rulespec: Rulespec;
  readonly #extraction: Extraction;
  readonly #matcher: Matcher;
  readonly #values = new ValueFacts();
  readonly #lines: string[] = [];

  constructor(rulespec: Rulespec, extraction: Extraction, matcher: Matcher) {
    this.#rulespec = rulespec;
    this.#extraction = extraction;
    this.#matcher = matcher;
  }

  compile(): string {
    const { claims, predicates } = this.#rulespec;
    this.#addText(HEADER, RELATIONS);
    for (const claim of claims) this.#addClaim(claim);
    const compiled = predicates.map((predicate, index): CompiledPredicate => {
      const { claim, test, when } = predicate;
      const check = this.#addValue(index, claim, test);
      // The checks of conditions get the numbers after those of all predicates.
      const condition = when === null ? null : this.#addValue(predicates.length + index, when.claim, when.test);
      return { index, predicate, check, condition };
    });
    this.#addText("", COMPUTED);
    for (const { check, condition } of compiled) {
      this.#addComputed(check);
      if (condition !== null) this.#addComputed(condition);
    }
    this.#addText("", LIBRARY);
    for (const each of compiled) this.#addPredicate(each);
    return `${this.#lines.join("\n")}\n`;
  }

  #addClaim(claim: Claim): void {
    const { index, name, selector } = claim;
    this.#comment(`Claim ${index}: ${cut(name)}, by selector ${cut(selector.text)}`);
    this.#extraction.valuesOf(claim).forEach((node, position) => {
      const id = this.#values.idOf(node);
      this.#add([{ kind: "fact", relation: "selected", values: [index, position, id] }]);
      this.#add(this.#values.take());
    });
  }

  #addValue(number: number, of: Claim, test: Test): ValuedCheck {
    if (test.value === null) return { number, claim: of.index, value: NO_VALUE, of, test };
    this.#comment(`The value of check ${number}`);
    const value = this.#values.idOf(treeOf(test.value));
    this.#add(this.#values.take());
    return { number, claim: of.index, value, of, test };
  }

  #addComputed({ of, test, value }: ValuedCheck): void {
    const computed = computedOf(test, this.#matcher);
    if (computed === undefined) return;
    for (const node of this.#extraction.valuesOf(of)) {
      if (computed.has(node)) {
        this.#add([{ kind: "fact", relation: computed.relation, values: [this.#values.idOf(node), value] }]);
      }
    }
  }

  #addPredicate({ index, predicate, check, condition }: CompiledPredicate): void {
    const { claim, test, source, notes, when } = predicate;
    this.#add([{ kind: "blank" }]);
    const from = `${source}${notes === null ? "" : `: ${cut(notes)}`}`;
    this.#comment(`Predicate ${index}: ${test.rule} on claim ${claim.index}, ${cut(claim.name)}; from ${from}`);
    this.#addLines(rulesOf(test, check));
    if (when === null || condition === null) {
      this.#addLines([`pred_pass(${index}) :- holds(${index}).`, `pred_fail(${index}) :- !holds(${index}).`]);
      return;
    }
    const { number } = condition;
    this.#comment(
      `Its condition, check ${number}: ${when.test.rule} on claim ${when.claim.index}, ${cut(when.claim.name)}`,
    );
    this.#addLines(rulesOf(when.test, condition));
    this.#addLines([
      `pred_skip(${index}) :- !holds(${number}).`,
      `pred_pass(${index}) :- holds(${number}), holds(${index}).`,
      `pred_fail(${index}) :- holds(${number}), !holds(${index}).`,
    ]);
  }

  #comment(text: string): void {
    this.#add([{ kind: "comment", text }]);
  }

  #add(statements: readonly Statement[]): void {
    for (const statement of statements) this.#lines.push(formatStatement(statement, "souffle"));
  }

  #addText(...texts: readonly string[]): void {
    this.#addLines(texts.flatMap((text) => text.split("\n")));
  }

  #addLines(lines: readonly string[]): void {
    for (const line of lines) this.#lines.push(line);
  }
}

/** The id for a test without a value. No rule of such a test uses it. */
const NO_VALUE = 0;

function cut(text: string): string {
  return text.length <= COMMENT_LENGTH ? text : `${text.slice(0, COMMENT_LENGTH).toWellFormed()}...`;
}
