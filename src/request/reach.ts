// Proposal + live rules -> for each of its rules those that always decide before it.
import type { Earlier } from "../rule/cover.ts";
import { findCovers } from "../rule/cover.ts";
import type { RuleSet } from "../rule/rule-set.ts";
import type { Proposal, ProposedRule } from "./propose.ts";

/** A proposed rule with the rules that it can never get past, the first to decide first. */
export type Reach = { readonly rule: ProposedRule; readonly covers: readonly Earlier[] };

/** Looks at every rule of the proposal as if it stood among the live ones, those of the proposal before it included. */
export function reachOf({ file, rules }: Proposal, live: RuleSet): readonly Reach[] {
  const own = rules.map((rule) => ({ ...rule, file, normal: rule.condition, proposed: rule }));
  const all = [...live.rules.map((rule) => ({ ...rule, proposed: null })), ...own];
  all.sort((a, b) => a.priority - b.priority || (a.file === b.file ? 0 : a.file < b.file ? -1 : 1));
  return rules.map((rule) => {
    const earlier = all.slice(0, all.findIndex(({ proposed }) => proposed === rule));
    return { rule, covers: findCovers({ action: rule.action, tree: rule.tree, normal: rule.condition }, earlier) };
  });
}

/** Whether everything that the proposal would allow is allowed by live rules already. */
export function isAlreadyAllowed(proposal: Proposal, reaches: readonly Reach[]): boolean {
  const allows = reaches.filter(({ rule }) => rule.action === "allow");
  const decided = allows.map(({ covers }) => covers.find(({ file }) => file !== proposal.file));
  return decided.length > 0 && decided.every((cover) => cover?.action === "allow");
}
