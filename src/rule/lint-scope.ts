// Rules that reach further, or less far, than they seem to: allows about nothing, blocks that an agent steps around by
// leaving out what they look at.
import type { Tree } from "../cel/tree.ts";
import { exclusiveOf } from "../core/context.ts";
import type { Finding } from "../core/finding.ts";
import type { Interruptible } from "../core/interruptible.ts";
import { quote } from "../core/quote.ts";
import { fact, type Facts, factsWhen, NO_FACTS } from "./facts.ts";
import { type AnalyzedRule, warningOf } from "./linted-rule.ts";
import { namespacesOf, needs, pathOf } from "./tree-facts.ts";

/** An allow rule that names neither a namespace nor the kinds of action that it is about. */
export function unscopedAllow(rule: AnalyzedRule): readonly Finding[] {
  if (rule.entry.action !== "allow" || namespacesOf(rule.checked.tree).size > 0) return [];
  if (factsWhen(rule.checked.tree, true, testedActions)?.has("action_type") === true) return [];
  const message = "allows without naming a namespace, so it holds for every kind of request";
  return [warningOf(rule, "rule.unscoped-allow", message, rule.checked.tree.span)];
}

function testedActions(leaf: Tree, outcome: boolean): Facts {
  return outcome && literalValues(leaf)?.path === "action_type" ? fact("action_type") : NO_FACTS;
}

/** Pairs of a block and a later allow that are looked at in all: enough for any set that a person writes. */
const PAIRS_LIMIT = 1_000_000;

/** Block rules that need `http`, with a later allow that could match the same request without it. */
export function* omittableBlocks(rules: readonly AnalyzedRule[]): Interruptible<readonly Finding[]> {
  const allows: { readonly rule: AnalyzedRule; readonly position: number; readonly fixed: Fixed }[] = [];
  // Allows before the first of the blocks are after none.
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
    const message = `needs http, and rule ${quote(later.rule.entry.id)} after it allows without: ` +
      "an agent may simply not say it";
    findings.push(warningOf(rule, "rule.omittable", message, tree.span));
  }
  return findings;
}

// A request that has these has no http.
const APART = exclusiveOf("http");

// The values that a field must have one of for a condition to be true, where literals say so.
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

/** The field that a tree compares with literals, and the values with which it is true; null for any other tree. */
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
