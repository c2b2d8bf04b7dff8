// Rules -> strata: every relation after those that it negates, so that what is negated is complete before it is asked. A
// relation that depends on its own negation has no stratum, and the program no meaning.
import { type Problem, problem } from "../core/problem.ts";
import { err, ok, type Result } from "../core/result.ts";
import type { Rule } from "./program.ts";

/** The rules by stratum, in their order within each; the error names the circle. */
export function stratify(rules: readonly Rule[]): Result<readonly (readonly Rule[])[], Problem> {
  const uses = usesOf(rules);
  const level = new Map<string, number>([...uses.keys()].map((relation) => [relation, 0]));
  // In a program that has strata no relation is higher than there are relations.
  for (let round = 0; raise(level, uses); round++) {
    if (round <= uses.size) continue;
    const circle = findCircle(uses);
    return err(problem("datalog.stratification", `a relation depends on its own negation: ${circle.join(" -> ")}`));
  }
  const strata: Rule[][] = [];
  for (const rule of rules) (strata[level.get(rule.head.relation) ?? 0] ??= []).push(rule);
  return ok(Array.from(strata, (stratum) => stratum ?? []));
}

/** For each relation that rules derive: what those rules read, and whether any of them negates it. */
type Uses = ReadonlyMap<string, ReadonlyMap<string, boolean>>;

function usesOf(rules: readonly Rule[]): Uses {
  const uses = new Map<string, Map<string, boolean>>();
  for (const { head, body } of rules) {
    const used = uses.get(head.relation) ?? new Map<string, boolean>();
    uses.set(head.relation, used);
    for (const literal of body) {
      if (literal.kind === "differ") continue;
      const { relation } = literal.atom;
      used.set(relation, (used.get(relation) ?? false) || literal.kind === "not");
    }
  }
  return uses;
}

function raise(level: Map<string, number>, uses: Uses): boolean {
  let changed = false;
  for (const [relation, used] of uses) {
    for (const [below, isNegated] of used) {
      const least = (level.get(below) ?? 0) + (isNegated && level.has(below) ? 1 : 0);
      if (least <= (level.get(relation) ?? 0)) continue;
      level.set(relation, least);
      changed = true;
    }
  }
  return changed;
}

// From each negated use, the shortest way back to the relation that negates.
function findCircle(uses: Uses): readonly string[] {
  for (const [relation, used] of uses) {
    for (const [below, isNegated] of used) {
      const back = isNegated ? wayTo(below, relation, uses) : undefined;
      if (back !== undefined) return [relation, ...back];
    }
  }
  return [];
}

function wayTo(from: string, to: string, uses: Uses): readonly string[] | undefined {
  const ways = new Map<string, readonly string[]>([[from, [from]]]);
  for (const [relation, way] of ways) {
    if (relation === to) return way;
    for (const next of uses.get(relation)?.keys() ?? []) {
      if (!ways.has(next)) ways.set(next, [...way, next]);
    }
  }
  return undefined;
}
