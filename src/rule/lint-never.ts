// Lints comparisons with constants that the member never has. Such a comparison is always false, or with `!=` always true, so
// the rule does not do what its author expects.
import type { Binary, Call, Tree } from "../cel/tree.ts";
import { visit } from "../cel/walk-tree.ts";
import type { Finding } from "../core/finding.ts";
import { quote } from "../core/quote.ts";
import type { Span } from "../core/span.ts";
import { fact, factsWhen, NO_FACTS } from "./facts.ts";
import type { Comparison, Impossible } from "./field-spelling.ts";
import { impossibleElement, impossibleKey, impossibleNumber, impossibleText } from "./field-values.ts";
import { literalValues } from "./lint-scope.ts";
import { type AnalyzedRule, warningOf } from "./linted-rule.ts";
import { keyGuarded, keyRead, pathOf } from "./tree-facts.ts";

/** The most constants reported for one rule; a list with thousands of wrong constants has one cause. */
const REPORTED = 20;

/** Finds the comparisons of a rule with constants that the member never has. */
export function impossibleConstants(rule: AnalyzedRule): readonly Finding[] {
  const { tree } = rule.checked;
  const findings: Finding[] = [];
  const report = (what: string, { why, hint }: Impossible, span: Span) => {
    if (findings.length < REPORTED) findings.push(warningOf(rule, "rule.never", `${what}: ${why}`, span, hint));
  };
  visit(tree, (node, scope) => {
    for (const { path, literal, comparison, isNegated = false } of comparisons(node)) {
      if (scope.has(path.replace(/\..*$/s, ""))) continue;
      const found = judge(path, literal, comparison, tree);
      if (found === null) continue;
      const what = `${path} ${WORDS[comparison]} ${shown(literal)}`;
      report(isNegated ? `${what}, so this is always true` : what, found, literal.span);
    }
    const key = keyRead(node) ?? keyGuarded(node);
    const badKey = key === null ? null : impossibleKey(key.map, key.key);
    if (key !== null && badKey !== null) report(`${key.map} never has the key ${quote(key.key)}`, badKey, node.span);
  });
  return findings;
}

type Literal = Extract<Tree, { readonly kind: "literal" }>;

/** A comparison of a member with a constant; `has` stands for a test that a list has an element. */
type Compared = {
  readonly path: string;
  readonly literal: Literal;
  readonly comparison: Comparison | "has";
  readonly isNegated?: boolean;
};

const WORDS: Readonly<Record<Compared["comparison"], string>> = {
  equals: "is never",
  startsWith: "never begins with",
  endsWith: "never ends with",
  contains: "never contains",
  has: "never has the element",
};

function comparisons(node: Tree): readonly Compared[] {
  switch (node.kind) {
    case "call":
      return textTest(node);
    case "binary":
      return node.operator === "in" ? membership(node) : equality(node);
    default:
      return NONE;
  }
}

const NONE: readonly Compared[] = [];

function textTest({ name, receiver, args: [literal] }: Call): readonly Compared[] {
  if (name !== "startsWith" && name !== "endsWith" && name !== "contains") return NONE;
  const path = receiver === null ? null : pathOf(receiver);
  return path === null || literal?.kind !== "literal" ? NONE : [{ path, literal, comparison: name }];
}

function membership({ left, right }: Binary): readonly Compared[] {
  if (left.kind === "literal") {
    const list = pathOf(right);
    return list === null ? NONE : [{ path: list, literal: left, comparison: "has" }];
  }
  const path = pathOf(left);
  if (path === null || right.kind !== "list") return NONE;
  const literals = right.elements.filter((element) => element.kind === "literal");
  return literals.map((literal) => ({ path, literal, comparison: "equals" }));
}

function equality({ operator, left, right }: Binary): readonly Compared[] {
  if (operator !== "==" && operator !== "!=") return NONE;
  const [field, literal] = left.kind === "literal" ? [right, left] : [left, right];
  const path = pathOf(field);
  if (path === null || literal.kind !== "literal") return NONE;
  return [{ path, literal, comparison: "equals", isNegated: operator === "!=" }];
}

function judge(path: string, { value }: Literal, comparison: Compared["comparison"], tree: Tree): Impossible | null {
  if (typeof value === "bigint") return comparison === "equals" ? impossibleNumber(path, value) : null;
  if (typeof value !== "string") return null;
  if (comparison === "has") return impossibleElement(path, value);
  const judged = path === "target" && isNoShellLine(tree) ? "target of no shell line" : path;
  return impossibleText(judged, value, comparison);
}

function shown({ value }: Literal): string {
  return typeof value === "string" ? quote(value) : String(value);
}

// Whether a condition can be true only for actions other than shell lines.
function isNoShellLine(tree: Tree): boolean {
  const facts = factsWhen(tree, true, (leaf, outcome) => {
    const tested = outcome ? literalValues(leaf) : null;
    return tested?.path === "action_type" && !tested.values.has("shell_exec") ? fact("no shell line") : NO_FACTS;
  });
  return facts?.has("no shell line") === true;
}
