// Keys of open maps: read without asking whether they are there, or read where an agent may have written them.
import type { Tree } from "../cel/tree.ts";
import { children, visit } from "../cel/walk-tree.ts";
import type { Finding } from "../core/finding.ts";
import { escapeText, quote } from "../core/quote.ts";
import { type AnalyzedRule, warningOf } from "./linted-rule.ts";
import { keyGuarded, type KeyRead, keyRead, mayReadOpenMap } from "./tree-facts.ts";

/** Literal keys that are read without `in` or `has` on the same key in an enclosing `&&` or `?:`. */
export function unguardedKeys(rule: AnalyzedRule): readonly Finding[] {
  if (!mayReadOpenMap(rule.normal)) return [];
  const reads: KeyRead[] = [];
  collect(rule.checked.tree, new Set(), reads);
  const seen = new Set<string>();
  return reads.flatMap((read) => {
    const name = guardName(read);
    if (seen.has(name)) return [];
    seen.add(name);
    const message = `reads key ${quote(read.key)} of ${read.map} without asking whether it is there`;
    const guard = `write ${quoteKey(read.key)} in ${read.map} && ...`;
    const hint = rule.entry.action === "block" ? `${guard}; as it is, it blocks every request without the key` : guard;
    return [warningOf(rule, "rule.unguarded-index", message, read.span, hint)];
  });
}

/** What an allow rule reads of `run.context.<key>`, for a set that has hooks: the agent may have written the key itself. */
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

type Guards = ReadonlySet<string>;

function guardName({ map, key }: { readonly map: string; readonly key: string }): string {
  return JSON.stringify([map, key]);
}

function quoteKey(key: string): string {
  return JSON.stringify(escapeText(key));
}

// Goes down with the guards that hold where the node is evaluated to any effect.
function collect(tree: Tree, guards: Guards, reads: KeyRead[]): void {
  const read = keyRead(tree);
  if (read !== null && !guards.has(guardName(read))) reads.push(read);
  if (tree.kind === "logical" && tree.operator === "&&") {
    const inner = union(guards, tree.operands.flatMap((operand) => guardsIn(operand, true)));
    for (const operand of tree.operands) collect(operand, inner, reads);
    return;
  }
  if (tree.kind === "conditional") {
    collect(tree.condition, guards, reads);
    collect(tree.then, union(guards, guardsIn(tree.condition, true)), reads);
    collect(tree.otherwise, union(guards, guardsIn(tree.condition, false)), reads);
    return;
  }
  for (const child of children(tree)) collect(child, guards, reads);
}

// The keys that are there when a condition has the given outcome.
function guardsIn(tree: Tree, outcome: boolean): readonly string[] {
  if (tree.kind === "unary" && tree.operator === "!") return guardsIn(tree.operand, !outcome);
  if (tree.kind === "logical" && (tree.operator === "&&") === outcome) {
    return tree.operands.flatMap((operand) => guardsIn(operand, outcome));
  }
  const guarded = outcome ? keyGuarded(tree) : null;
  return guarded === null ? [] : [guardName(guarded)];
}

function union(guards: Guards, more: readonly string[]): Guards {
  return more.length === 0 ? guards : new Set([...guards, ...more]);
}
