// Rules in evaluation order -> for each the first rule that always decides before it. Rules may be thousands, so the ones
// that may cover another are found by a key: a part that a condition cannot do without, as a text or as a field with a value.
import { formatTree } from "../cel/format-tree.ts";
import { formatLiteral } from "../cel/literal.ts";
import type { LiteralValue, Tree } from "../cel/tree.ts";
import { cannotFail, isTrue } from "./cannot-fail.ts";
import { Implication } from "./implication.ts";
import type { AnalyzedRule } from "./linted-rule.ts";
import { literalValues } from "./lint-scope.ts";
import { mayReadOpenMap, readsHooks } from "./tree-facts.ts";

/** Pairs of rules that are compared, and comparisons of their parts: enough for any set that a person writes. */
const COMPARISONS = 100_000;

type Placed = { readonly rule: AnalyzedRule; readonly position: number; readonly readsHooks: boolean };

/** The rules so far. */
export class EarlierRules {
  readonly #byText = new Map<string, Placed[]>();
  readonly #byKey = new Map<string, Placed[]>();
  readonly #implication = new Implication(COMPARISONS);
  #pairs = COMPARISONS;
  #always: AnalyzedRule | undefined;
  #lastHook = -1;
  #count = 0;

  /** The first rule of those added that always decides before this one, if one is found. */
  find(rule: AnalyzedRule): AnalyzedRule | undefined {
    if (this.#always !== undefined) return this.#always;
    const same = (this.#byText.get(rule.normal) ?? NONE).find((each) => {
      // An allow that fails does not match and would leave a block of the same text in reach.
      const covers = each.rule.entry.action === rule.entry.action || cannotFail(each.rule.checked.tree);
      return covers && !this.#mayHaveChanged(each);
    });
    const wider = this.#findWider(rule);
    if (same === undefined || wider === undefined) return (same ?? wider)?.rule;
    return (same.position < wider.position ? same : wider).rule;
  }

  /** Adds a rule, which comes after all that were added before. */
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
    // One of each action is enough: the earliest covers whatever a later one of the same action and text would.
    if (same.some((each) => each.rule.entry.action === rule.entry.action && !placed.readsHooks)) return;
    this.#byText.set(rule.normal, [...same.slice(-3), placed]);
    for (const key of this.#keysOf(tree)) {
      const others = this.#byKey.get(key);
      if (others === undefined) this.#byKey.set(key, [placed]);
      else others.push(placed);
    }
  }

  // The first rule whose condition is true wherever this rule's is. A block or enrich rule also counts when it fails.
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

  // Whether a hook ran since that may change what the rule saw.
  #mayHaveChanged({ readsHooks: reads, position }: Placed): boolean {
    return reads && this.#lastHook > position;
  }

  // Of each condition that follows from others, one of these keys is among the probes of those.
  #keysOf(tree: Tree): readonly string[] {
    if (tree.kind !== "logical") return atomKeys(tree);
    const each = tree.operands.map((operand) => this.#keysOf(operand));
    if (tree.operator === "||") return each.flat();
    const sizes = each.map((keys) => keys.reduce((sum, key) => sum + 1 + (this.#byKey.get(key)?.length ?? 0), 0));
    return each[sizes.indexOf(Math.min(...sizes))] ?? [];
  }
}

const NONE: readonly Placed[] = [];

// Under which keys a condition is looked for that follows from this one.
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
