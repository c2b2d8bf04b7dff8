// Proposal and rules in force -> for each rule of the proposal the rules that always decide before it.
import { CoverSearch, type Earlier } from "../rule/cover.ts";
import type { Rule, RuleSet } from "../rule/rule-set.ts";
import type { Proposal, ProposedRule } from "./propose.ts";

/** A proposed rule with the rules that always decide before it, in evaluation order. */
export type Reach = { readonly rule: ProposedRule; readonly covers: readonly Earlier[] };

/** The members of a rule in force that show whether it decides before another. */
export type LiveRule = Earlier & Pick<Rule, "priority">;

/** Most characters of conditions in the text of a rule set: as many as the rule files may have bytes. */
const CONDITIONS_LENGTH = 16 * 1024 * 1024;

/** The rules in force as one JSON text, which is copied to another thread faster than thousands of objects. */
export function liveRulesText({ rules }: RuleSet): string {
  let left = CONDITIONS_LENGTH;
  const live = rules.map(({ id, file, action, normal, priority, expires }): LiveRule => {
    left -= normal.length;
    // Rules beyond the limit are not compared. At worst an approved rule is never reached, which allows nothing.
    return { id, file, action, normal: left < 0 ? "" : normal, priority, expires };
  });
  return JSON.stringify(live);
}

/** The rules in force from their text. */
export function parseLiveRules(text: string): readonly LiveRule[] {
  return JSON.parse(text);
}

/** For each rule of the proposal, the rules that always decide before it: rules in force and earlier rules of the proposal. */
export function reachOf({ file, rules }: Proposal, live: readonly LiveRule[]): readonly Reach[] {
  const own = rules.map((rule) => ({ earlier: { ...rule, file, normal: rule.condition }, rule }));
  const all = [...live.map((earlier) => ({ earlier, rule: null })), ...own];
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

/** Whether the rules in force already allow everything that the proposal would allow. */
export function isAlreadyAllowed(proposal: Proposal, reaches: readonly Reach[]): boolean {
  const allows = reaches.filter(({ rule }) => rule.action === "allow");
  const decided = allows.map(({ covers }) => covers.find(({ file }) => file !== proposal.file));
  return decided.length > 0 && decided.every((cover) => cover?.action === "allow");
}
