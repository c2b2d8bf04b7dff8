// Lints reads of map keys and list elements: reads without a test that the key or element exists, and reads of keys that an
// agent can set.
import type { Tree } from "../cel/tree.ts";
import { visit } from "../cel/walk-tree.ts";
import type { Finding } from "../core/finding.ts";
import { escapeText, quote } from "../core/quote.ts";
import { fact, type Facts, NO_FACTS, strength, visitWithFacts } from "./facts.ts";
import { type AnalyzedRule, warningOf } from "./linted-rule.ts";
import { type ElementRead, elementRead, mayReadElement, sizeWhen } from "./list-facts.ts";
import { keyGuarded, type KeyRead, keyRead, mayReadOpenMap } from "./tree-facts.ts";

/**
 * Finds literal keys of open maps, and in block rules literal list indexes, that are read without a guard. Reading beyond a
 * list is harmless in an allow rule, which then does not match, but a block rule then blocks.
 */
export function unguardedReads(rule: AnalyzedRule): readonly Finding[] {
  const blocks = rule.entry.action === "block";
  if (!mayReadOpenMap(rule.normal) && !(blocks && mayReadElement(rule.normal))) return [];
  const findings = new Map<string, Finding>();
  visitWithFacts(rule.checked.tree, guards, (node, { held }) => {
    const key = keyRead(node);
    if (key !== null) {
      const name = keyName(key);
      if (findings.has(name) || strength(held, name) > 0) return;
      findings.set(name, unguardedKey(rule, key));
    }
    const element = blocks ? elementRead(node) : null;
    if (element !== null) {
      const { list, index } = element;
      if (findings.has(list) || strength(held, list) > index) return;
      findings.set(list, unguardedElement(rule, element));
    }
  });
  return [...findings.values()];
}

function unguardedKey(rule: AnalyzedRule, { map, key, span }: KeyRead): Finding {
  const message = `reads key ${quote(key)} of ${map} without testing that it is there`;
  const guard = `write ${quoteKey(key)} in ${map} && ...`;
  const hint = rule.entry.action === "block"
    ? `${guard}; without it, the rule blocks every request without the key`
    : guard;
  return warningOf(rule, "rule.unguarded-index", message, span, hint);
}

function unguardedElement(rule: AnalyzedRule, { list, index, span }: ElementRead): Finding {
  const message = `reads ${list}[${index}] without testing the size of the list`;
  const few = index === 0 ? `whose ${list} is empty` : `with ${index} or fewer elements in ${list}`;
  const hint = `write size(${list}) > ${index} && ...; without it, the rule blocks every request ${few}`;
  return warningOf(rule, "rule.unguarded-index", message, span, hint);
}

/** Finds the keys of `run.context` that an allow rule reads, for sets with hooks: an agent can set these keys too. */
export function spoofableKeys(rule: AnalyzedRule): readonly Finding[] {
  if (rule.entry.action !== "allow" || !mayReadOpenMap(rule.normal)) return [];
  const findings = new Map<string, Finding>();
  visit(rule.checked.tree, (node) => {
    const read = keyRead(node) ?? keyGuarded(node);
    if (read === null || read.map !== "run.context" || findings.has(read.key)) return;
    const message = `allows by run.context key ${quote(read.key)}, which an agent can set as metadata`;
    const hint = `if a hook sets it, read enriched[${quoteKey(read.key)}]`;
    findings.set(read.key, warningOf(rule, "rule.spoofable", message, node.span, hint));
  });
  return [...findings.values()];
}

// The facts of a test: a key exists, or a list has at least some size. Lists are named by path, keys by `keyName`.
function guards(tree: Tree, outcome: boolean): Facts {
  const size = sizeWhen(tree, outcome);
  if (size !== null) return fact(size.list, size.atLeast);
  const key = outcome ? keyGuarded(tree) : null;
  return key === null ? NO_FACTS : fact(keyName(key));
}

function keyName({ map, key }: { readonly map: string; readonly key: string }): string {
  return JSON.stringify([map, key]);
}

function quoteKey(key: string): string {
  return JSON.stringify(escapeText(key));
}
