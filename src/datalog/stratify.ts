// Rules -> strata. Relations that depend on each other share a stratum, and each stratum comes after the strata that it reads,
// so that a relation is complete before it is negated. A relation that depends on its own negation is an error.
import { type Problem, problem } from "../core/problem.ts";
import { err, ok, type Result } from "../core/result.ts";
import type { Rule } from "./statement.ts";

/** The rules by stratum, in the order of evaluation. The error names the cycle. */
export function stratify(rules: readonly Rule[]): Result<readonly (readonly Rule[])[], Problem> {
  const uses = usesOf(rules);
  const strata: Rule[][] = [];
  const stratumOf = new Map<string, Rule[]>();
  for (const together of new Components(uses).all()) {
    for (const relation of together) {
      for (const [below, isNegated] of uses.get(relation) ?? []) {
        if (isNegated && together.has(below)) return err(negatedCircle([relation, ...wayTo(below, relation, uses)]));
      }
    }
    const stratum: Rule[] = [];
    strata.push(stratum);
    for (const relation of together) stratumOf.set(relation, stratum);
  }
  for (const rule of rules) stratumOf.get(rule.head.relation)?.push(rule);
  return ok(strata);
}

function negatedCircle(circle: readonly string[]): Problem {
  return problem("datalog.stratification", `a relation depends on its own negation: ${circle.join(" -> ")}`);
}

/** For each derived relation: the derived relations that its rules read, and whether a rule negates them. */
type Uses = ReadonlyMap<string, ReadonlyMap<string, boolean>>;

function usesOf(rules: readonly Rule[]): Uses {
  const uses = new Map(rules.map(({ head }) => [head.relation, new Map<string, boolean>()]));
  for (const { head, body } of rules) {
    const used = uses.get(head.relation);
    for (const literal of body) {
      if (literal.kind === "differ") continue;
      const { relation } = literal.atom;
      if (uses.has(relation)) used?.set(relation, (used.get(relation) ?? false) || literal.kind === "not");
    }
  }
  return uses;
}

/** The strongly connected components of the relations, each after the components that it reads (Tarjan's algorithm). */
class Components {
  readonly #uses: Uses;
  readonly #found: ReadonlySet<string>[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #open: string[] = [];

  constructor(uses: Uses) {
    this.#uses = uses;
  }

  all(): readonly ReadonlySet<string>[] {
    for (const relation of this.#uses.keys()) {
      if (!this.#numbers.has(relation)) this.#visit(relation);
    }
    return this.#found;
  }

  /** Returns the least number of an open relation that this one reaches. */
  #visit(relation: string): number {
    const own = this.#numbers.size;
    this.#numbers.set(relation, own);
    this.#open.push(relation);
    let least = own;
    for (const below of this.#uses.get(relation)?.keys() ?? []) {
      const known = this.#numbers.get(below);
      if (known === undefined) least = Math.min(least, this.#visit(below));
      else if (this.#open.includes(below)) least = Math.min(least, known);
    }
    if (least === own) this.#found.push(new Set(this.#open.splice(this.#open.indexOf(relation))));
    return least;
  }
}

// The shortest path from one relation to another that it reaches.
function wayTo(from: string, to: string, uses: Uses): readonly string[] {
  const ways = new Map<string, readonly string[]>([[from, [from]]]);
  for (const [relation, way] of ways) {
    if (relation === to) return way;
    for (const next of uses.get(relation)?.keys() ?? []) {
      if (!ways.has(next)) ways.set(next, [...way, next]);
    }
  }
  return [];
}
