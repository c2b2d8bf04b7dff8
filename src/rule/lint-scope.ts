// Lints rules with an unexpected scope: allow rules that hold for every kind of request, and block rules that an agent avoids
// by leaving out the members that they test.
import type { Tree } from "../cel/tree.ts";
import { exclusiveOf } from "../core/context.ts";
import type { Finding } from "../core/finding.ts";
import type { Interruptible } from "../core/interruptible.ts";
import { quote } from "../core/quote.ts";
import { fact, type Facts, factsWhen, NO_FACTS } from "./facts.ts";
import { type AnalyzedRule, warningOf } from "./linted-rule.ts";
import { namespacesOf, needs, pathOf } from "./tree-facts.ts";

/** Finds an allow rule that neither names a namespace nor tests the action type. */
export function unscopedAllow(rule: AnalyzedRule): readonly Finding[] {
  if (rule.entry.action !== "allow" || namespacesOf(rule.checked.tree).size > 0) return [];
  if (factsWhen(rule.checked.tree, true, testedActions)?.has("action_type") === true) return [];
  const message = "allows without naming a namespace, so it holds for every kind of request";
  return [warningOf(rule, "rule.unscoped-allow", message, rule.checked.tree.span)];
}

function testedActions(leaf: Tree, outcome: boolean): Facts {
  return outcome && literalValues(leaf)?.path === "action_type" ? fact("action_type") : NO_FACTS;
}

/** The most pairs of a block rule and a later allow rule that are compared: more than a set written by people needs. */
const PAIRS_LIMIT = 1_000_000;

/** Finds block rules that need `http`, if a later allow rule could match the same request without it. */
export function* omittableBlocks(rules: readonly AnalyzedRule[]): Interruptible<readonly Finding[]> {
  const allows: { readonly rule: AnalyzedRule; readonly position: number; readonly fixed: Fixed }[] = [];
  // An allow rule before the first such block rule comes after none.
  let isAfterBlock = false;
  for (const [position, rule] of rules.entries()) {
    yield;
    const { tree } = rule.checked;
    isAfterBlock ||= rule.entry.action === "block" && needs(tree, "http");
    if (!isAfterBlock || rule.entry.action !== "allow") continue;
    if (needs(tree, "http") || APART.some((name) => needs(tree, name))) continue;
    allows.push({ rule, position, fixed: fixedBy(tree) });
  }
  if (allows.length === 0) return [];
  const findings: Finding[] = [];
  let pairs = 0;
  for (const [position, rule] of rules.entries()) {
    yield;
    const { tree } = rule.checked;
    if (rule.entry.action !== "block" || !needs(tree, "http") || pairs > PAIRS_LIMIT) continue;
    const fixed = fixedBy(tree);
    const later = allows.find((each) => {
      if (each.position < position) return false;
      pairs++;
      return !disjoint(fixed, each.fixed);
    });
    if (later === undefined) continue;
    const message = `needs http, but the later rule ${quote(later.rule.entry.id)} can allow the ` +
      "same request without it, so an agent can leave http out";
    findings.push(warningOf(rule, "rule.omittable", message, tree.span));
  }
  return findings;
}

// Requests with these namespaces never have `http`.
const APART = exclusiveOf("http");

// For each field, the literal values of which it must have one for the condition to be true.
type Fixed = ReadonlyMap<string, ReadonlySet<unknown>>;

function fixedBy(tree: Tree): Fixed {
  const fixed = new Map<string, ReadonlySet<unknown>>();
  const conjuncts = tree.kind === "logical" && tree.operator === "&&" ? tree.operands : [tree];
  for (const conjunct of conjuncts) {
    const values = literalValues(conjunct);
    if (values !== null && !fixed.has(values.path)) fixed.set(values.path, values.values);
  }
  return fixed;
}

/** The field that a tree compares with literals, and the values that make it true; null for any other tree. */
export function literalValues(tree: Tree): { readonly path: string; readonly values: ReadonlySet<unknown> } | null {
  if (tree.kind !== "binary") return null;
  const { operator, left, right } = tree;
  if (operator === "in" && right.kind === "list" && right.elements.every((each) => each.kind === "literal")) {
    const path = pathOf(left);
    const values = right.elements.map((each) => (each.kind === "literal" ? each.value : null));
    return path === null ? null : { path, values: new Set(values) };
  }
  if (operator !== "==") return null;
  const [field, literal] = left.kind === "literal" ? [right, left] : [left, right];
  const path = pathOf(field);
  return path === null || literal.kind !== "literal" ? null : { path, values: new Set([literal.value]) };
}

function disjoint(a: Fixed, b: Fixed): boolean {
  return [...a].some(([path, values]) => b.get(path)?.isDisjointFrom(values) === true);
}
