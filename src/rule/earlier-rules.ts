// Finds, for each rule in evaluation order, the first earlier rule that always decides before it. A set may have thousands of
// rules, so candidates are looked up by keys: the text of a part, or a field with a value. Only candidates are compared.
import { formatTree } from "../cel/format-tree.ts";
import { formatLiteral } from "../cel/literal.ts";
import type { LiteralValue, Tree } from "../cel/tree.ts";
import { cannotFail, isTrue } from "./cannot-fail.ts";
import { Implication } from "./implication.ts";
import type { AnalyzedRule } from "./linted-rule.ts";
import { literalValues } from "./lint-scope.ts";
import { mayReadOpenMap, readsHooks } from "./tree-facts.ts";

/** The most pairs of rules, and the most comparisons of their parts: more than a set written by people needs. */
const COMPARISONS = 100_000;

type Placed = { readonly rule: AnalyzedRule; readonly position: number; readonly readsHooks: boolean };

/** The rules that have been added so far. */
export class EarlierRules {
  readonly #byText = new Map<string, Placed[]>();
  readonly #byKey = new Map<string, Placed[]>();
  readonly #implication = new Implication(COMPARISONS);
  #pairs = COMPARISONS;
  #always: AnalyzedRule | undefined;
  #lastHook = -1;
  #count = 0;

  /** Returns the first added rule that always decides before this one, if one is found. */
  find(rule: AnalyzedRule): AnalyzedRule | undefined {
    if (this.#always !== undefined) return this.#always;
    const same = (this.#byText.get(rule.normal) ?? NONE).find((each) => {
      // An allow rule that fails does not match, so a block rule with the same condition could still decide.
      const covers = each.rule.entry.action === rule.entry.action || cannotFail(each.rule.checked.tree);
      return covers && !this.#mayHaveChanged(each);
    });
    const wider = this.#findWider(rule);
    if (same === undefined || wider === undefined) return (same ?? wider)?.rule;
    return (same.position < wider.position ? same : wider).rule;
  }

  /** Adds a rule, which comes after all rules added before. */
  add(rule: AnalyzedRule): void {
    const position = this.#count++;
    if (rule.entry.action === "enrich") {
      this.#lastHook = position;
      return;
    }
    // A rule that expires decides before another one only until then.
    if (rule.entry.expires !== null) return;
    const { tree } = rule.checked;
    if (isTrue(tree)) this.#always ??= rule;
    const placed = { rule, position, readsHooks: mayReadOpenMap(rule.normal) && readsHooks(tree) };
    const same = this.#byText.get(rule.normal) ?? [];
    // One rule of each action is enough, because the earliest covers everything that a later one would.
    if (same.some((each) => each.rule.entry.action === rule.entry.action && !placed.readsHooks)) return;
    this.#byText.set(rule.normal, [...same.slice(-3), placed]);
    for (const key of this.#keysOf(tree)) {
      const others = this.#byKey.get(key);
      if (others === undefined) this.#byKey.set(key, [placed]);
      else others.push(placed);
    }
  }

  // The first rule whose condition is true whenever this rule's is. Block and enrich rules have an effect even when they fail.
  #findWider(rule: AnalyzedRule): Placed | undefined {
    const { tree } = rule.checked;
    let first: Placed | undefined;
    for (const key of probesOf(tree)) {
      for (const each of this.#byKey.get(key) ?? NONE) {
        if (first !== undefined && each.position >= first.position) break;
        if (this.#pairs-- <= 0) return first;
        if (this.#mayHaveChanged(each) || !this.#implication.holds(tree, each.rule.checked.tree)) continue;
        if (rule.entry.action !== "allow" && !cannotFail(tree)) return undefined;
        first = each;
      }
    }
    return first;
  }

  // Whether a later hook may have changed the values that the rule reads.
  #mayHaveChanged({ readsHooks: reads, position }: Placed): boolean {
    return reads && this.#lastHook > position;
  }

  // The keys of a condition: every condition that implies it has at least one of them among its probes.
  #keysOf(tree: Tree): readonly string[] {
    if (tree.kind !== "logical") return atomKeys(tree);
    const each = tree.operands.map((operand) => this.#keysOf(operand));
    if (tree.operator === "||") return each.flat();
    const sizes = each.map((keys) => keys.reduce((sum, key) => sum + 1 + (this.#byKey.get(key)?.length ?? 0), 0));
    return each[sizes.indexOf(Math.min(...sizes))] ?? [];
  }
}

const NONE: readonly Placed[] = [];

// The keys under which the conditions that this one implies are found.
function probesOf(tree: Tree): readonly string[] {
  if (tree.kind !== "logical") return atomKeys(tree).slice(0, 1);
  if (tree.operator === "&&") return tree.operands.flatMap(probesOf);
  const [first] = tree.operands;
  return first === undefined ? [] : probesOf(first);
}

function atomKeys(tree: Tree): readonly string[] {
  const compared = literalValues(tree);
  if (compared === null) return [formatTree(tree)];
  return [...compared.values].map((value) =>
    JSON.stringify([compared.path, isLiteral(value) ? formatLiteral(value) : ""])
  );
}

function isLiteral(value: unknown): value is LiteralValue {
  return typeof value === "string" || typeof value === "bigint" || typeof value === "boolean";
}
