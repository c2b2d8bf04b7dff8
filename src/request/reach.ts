// Proposal + live rules -> for each of its rules those that always decide before it.
import { CoverSearch, type Earlier } from "../rule/cover.ts";
import type { RuleSet } from "../rule/rule-set.ts";
import type { Proposal, ProposedRule } from "./propose.ts";

/** A proposed rule with the rules that it can never get past, the first to decide first. */
export type Reach = { readonly rule: ProposedRule; readonly covers: readonly Earlier[] };

/** Looks at every rule of the proposal as if it stood among the live ones, those of the proposal before it included. */
export function reachOf({ file, rules }: Proposal, live: RuleSet): readonly Reach[] {
  const own = rules.map((rule) => ({ earlier: { ...rule, file, normal: rule.condition }, rule }));
  const all = [...live.rules.map((earlier) => ({ earlier, rule: null })), ...own];
  all.sort(({ earlier: a }, { earlier: b }) => a.priority - b.priority || compareNames(a.file, b.file));
  const ordered = all.map(({ earlier }) => earlier);
  const search = new CoverSearch();
  return rules.map((rule) => {
    const before = ordered.slice(0, all.findIndex((each) => each.rule === rule));
    return { rule, covers: search.find({ action: rule.action, tree: rule.tree, normal: rule.condition }, before) };
  });
}

function compareNames(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** Whether everything that the proposal would allow is allowed by live rules already. */
export function isAlreadyAllowed(proposal: Proposal, reaches: readonly Reach[]): boolean {
  const allows = reaches.filter(({ rule }) => rule.action === "allow");
  const decided = allows.map(({ covers }) => covers.find(({ file }) => file !== proposal.file));
  return decided.length > 0 && decided.every((cover) => cover?.action === "allow");
}
