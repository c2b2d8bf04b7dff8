// Conditions that are always the same, and rules that an earlier one always decides before.
import type { Tree } from "../cel/tree.ts";
import { children } from "../cel/walk-tree.ts";
import { NAMESPACES } from "../core/context.ts";
import type { Finding } from "../core/finding.ts";
import type { Interruptible } from "../core/interruptible.ts";
import { quote } from "../core/quote.ts";
import { type AnalyzedRule, warningOf } from "./linted-rule.ts";
import { mayReadOpenMap, readsHooks } from "./tree-facts.ts";

/** A condition that is always true or always false; a block that is literally true is a policy, not a slip. */
export function constantCondition(rule: AnalyzedRule): readonly Finding[] {
  const { tree } = rule.checked;
  const value = constantOf(tree);
  if (value === null || (rule.entry.action === "block" && isTrue(tree))) return [];
  return [warningOf(rule, "rule.constant", `condition is always ${value}`, tree.span)];
}

/** Rules that an earlier one decides before, whatever the request. */
export function* unreachableRules(rules: readonly AnalyzedRule[]): Interruptible<readonly Finding[]> {
  const findings: Finding[] = [];
  const earlier = new Map<string, readonly Placed[]>();
  let always: AnalyzedRule | undefined;
  let lastHook = -1;
  for (const [position, rule] of rules.entries()) {
    yield;
    const reads = mayReadOpenMap(rule.normal) && readsHooks(rule.checked.tree);
    const same = earlier.get(rule.normal) ?? NONE;
    const cover = always ?? same.find((each) => covers(each.rule, rule) && !(reads && lastHook > each.position))?.rule;
    if (cover !== undefined) findings.push(unreachable(rule, cover));
    if (rule.entry.action === "enrich") {
      lastHook = position;
      continue;
    }
    // A rule that ends decides before another one only until then.
    if (rule.entry.expires !== null) continue;
    if (isTrue(rule.checked.tree)) always ??= rule;
    // One of each action is enough: the earliest covers whatever a later one of the same action and text would.
    if (!same.some((each) => each.rule.entry.action === rule.entry.action && !reads)) {
      earlier.set(rule.normal, [...same.slice(-3), { rule, position }]);
    }
  }
  return findings;
}

type Placed = { readonly rule: AnalyzedRule; readonly position: number };

const NONE: readonly Placed[] = [];

function unreachable(rule: AnalyzedRule, cover: AnalyzedRule): Finding {
  const { place, id } = cover.entry;
  const where = `rule ${quote(id)} at ${place.file}:${place.line}`;
  return warningOf(rule, "rule.unreachable", `can never be reached, ${where} decides before it`);
}

// An allow that fails does not match and would leave a block of the same text in reach, hence the second part.
function covers(earlier: AnalyzedRule, later: AnalyzedRule): boolean {
  return earlier.entry.action === later.entry.action || cannotFail(earlier.checked.tree);
}

/** Whether a condition is literally `true`. */
export function isTrue(tree: Tree): boolean {
  return tree.kind === "literal" && tree.value === true;
}

// The value of a condition that does not depend on the request, as far as it can be read off the logic; else null.
function constantOf(tree: Tree): boolean | null {
  switch (tree.kind) {
    case "literal":
      return typeof tree.value === "boolean" ? tree.value : null;
    case "unary": {
      const operand = tree.operator === "!" ? constantOf(tree.operand) : null;
      return operand === null ? null : !operand;
    }
    case "logical": {
      const absorbing = tree.operator === "||";
      const values = tree.operands.map(constantOf);
      if (values.includes(absorbing)) return absorbing;
      return values.includes(null) ? null : !absorbing;
    }
    case "conditional": {
      const condition = constantOf(tree.condition);
      if (condition !== null) return constantOf(condition ? tree.then : tree.otherwise);
      return null;
    }
    case "binary": {
      const { left, right, operator } = tree;
      if (left.kind !== "literal" || right.kind !== "literal") return null;
      if (typeof left.value !== typeof right.value || typeof left.value === "object") return null;
      if (operator === "==") return left.value === right.value;
      return operator === "!=" ? left.value !== right.value : null;
    }
    default:
      return null;
  }
}

const SAFE_CALLS = new Set(["startsWith", "endsWith", "contains", "size", "lowerAscii", "upperAscii"]);
const SAFE_OPERATORS = new Set(["==", "!=", "<", "<=", ">", ">=", "in"]);

/** Whether no request can make the tree fail: no key that may be missing, no arithmetic, no limit that it could meet. */
export function cannotFail(tree: Tree): boolean {
  const safe = isSafeNode(tree);
  return safe && children(tree).every(cannotFail);
}

function isSafeNode(tree: Tree): boolean {
  switch (tree.kind) {
    case "literal":
    case "logical":
    case "conditional":
    case "list":
      return true;
    case "name":
      return tree.name !== "enriched";
    case "has":
      return tree.operand.kind === "name" && !DYNAMIC.has(`${tree.operand.name}.${tree.field}`);
    case "select":
      // A field of a namespace is there whenever the namespace is; a key of `metadata` need not be.
      return tree.operand.kind === "name" && tree.operand.name in NAMESPACES &&
        !DYNAMIC.has(`${tree.operand.name}.${tree.field}`);
    case "unary":
      return tree.operator === "!";
    case "binary":
      return SAFE_OPERATORS.has(tree.operator);
    case "call":
      return SAFE_CALLS.has(tree.name);
    default:
      return false;
  }
}

const DYNAMIC = new Set(["run.context", "envelope.facts"]);
