// Checked program -> model. Each stratum is evaluated to its fixed point, semi-naively: in each round, rules are joined only
// with the facts that were new in the round before. Facts and steps are limited, so every evaluation ends soon.
import { invariant } from "../core/invariant.ts";
import { type Problem, problem } from "../core/problem.ts";
import { err, ok, type Result } from "../core/result.ts";
import type { CheckedProgram } from "./check-program.ts";
import { type Plan, planRule, type Step } from "./plan.ts";
import type { Constant, Rule } from "./statement.ts";
import { type Index, NO_ROW, type Range, Relation } from "./relation.ts";

/** The limits of an evaluation. */
export type EngineLimits = {
  /** Most facts, given and derived. */
  readonly facts: number;
  /** Most rows that joins read. */
  readonly steps: number;
};

/** The facts that hold. */
export type Model = {
  /** The tuples of a relation, in the order in which they were derived; none if the program does not have the relation. */
  readonly tuples: (relation: string) => readonly (readonly Constant[])[];
  readonly facts: number;
  readonly steps: number;
};

/** Runs a program to its fixed point. */
export function evaluateProgram(program: CheckedProgram, limits: EngineLimits): Result<Model, Problem> {
  const engine = new Engine(program, limits);
  engine.run(program);
  const { exceeded } = engine;
  if (exceeded === undefined) return ok(engine.model());
  const unit = exceeded === "facts" ? "facts" : "steps of evaluation";
  return err(problem("datalog.limit", `over ${limits[exceeded]} ${unit}`));
}

/** The state of one evaluation. */
class Engine {
  readonly #limits: EngineLimits;
  readonly #relations: ReadonlyMap<string, Relation>;
  readonly #numbers = new Map<Constant, number>();
  readonly #constants: Constant[] = [];
  #facts = 0;
  #steps = 0;
  exceeded: keyof EngineLimits | undefined;

  constructor({ relations }: CheckedProgram, limits: EngineLimits) {
    this.#limits = limits;
    this.#relations = new Map([...relations].map(([name, { columns }]) => [name, new Relation(columns.length)]));
  }

  run({ facts, strata }: CheckedProgram): void {
    for (const { relation, values } of facts) {
      this.#add(this.#relation(relation), values.map((value) => this.#number(value)));
      if (this.exceeded !== undefined) return;
    }
    for (const rules of strata) this.#runStratum(rules);
  }

  model(): Model {
    const tuples = (name: string) => {
      const relation = this.#relations.get(name);
      if (relation === undefined) return [];
      return Array.from(
        { length: relation.size },
        (_, row) =>
          Array.from({ length: relation.arity }, (_, column) => this.#constants[relation.value(row, column)] ?? 0),
      );
    };
    return { tuples, facts: this.#facts, steps: this.#steps };
  }

  #runStratum(rules: readonly Rule[]): void {
    const derived = new Set(rules.map(({ head }) => head.relation));
    const starts = new Map([...derived].map((name) => [name, this.#relation(name).size]));
    for (const rule of rules) this.#join(planRule(rule), () => undefined);
    const recursive = rules.flatMap((rule) =>
      rule.body.flatMap((literal, at) => {
        const isRecursive = literal.kind === "atom" && derived.has(literal.atom.relation);
        return isRecursive ? [{ plan: planRule(rule, at), at }] : [];
      })
    );
    while (this.exceeded === undefined) {
      const fresh = new Map([...starts].map(([name, from]) => [name, { from, to: this.#relation(name).size }]));
      if (![...fresh.values()].some(({ from, to }) => to > from)) return;
      for (const { plan, at } of recursive) {
        this.#join(plan, (step) => {
          const range = fresh.get(step.relation);
          if (range === undefined) return undefined;
          // With two recursive atoms, a pair of a new and an old row is found once, starting from the new row.
          if (step.at === at) return range;
          return { from: 0, to: step.at < at ? range.to : range.from };
        });
      }
      for (const [name, { to }] of fresh) starts.set(name, to);
    }
  }

  #join(plan: Plan, rangeOf: (step: Scan) => Range | undefined): void {
    const binding = new Array<number>(plan.slots).fill(0);
    plan.constants.forEach((value, slot) => (binding[slot] = this.#number(value)));
    const stages = plan.steps.map((step): Stage => {
      if (step.kind === "differ") return { step };
      const relation = this.#relation(step.relation);
      if (step.kind === "not") return { step, relation };
      const range = rangeOf(step) ?? { from: 0, to: relation.size };
      return { step, relation, range, index: step.mask === 0 ? undefined : relation.index(step.mask) };
    });
    const head = this.#relation(plan.head.relation);
    const derive = () => this.#add(head, plan.head.slots.map((slot) => binding[slot] ?? 0));
    this.#advance(stages, 0, binding, derive);
  }

  #advance(stages: readonly Stage[], depth: number, binding: number[], derive: () => void): void {
    const stage = stages[depth];
    if (stage === undefined) return derive();
    if (!("relation" in stage)) {
      if (binding[stage.step.left] !== binding[stage.step.right]) this.#advance(stages, depth + 1, binding, derive);
      return;
    }
    const { relation } = stage;
    const key = stage.step.key.map((slot) => binding[slot] ?? 0);
    if (!("range" in stage)) {
      if (!relation.has(key)) this.#advance(stages, depth + 1, binding, derive);
      return;
    }
    const { step, range, index } = stage;
    let row = index === undefined ? range.to - 1 : relation.first(index, key, range.to);
    while (row !== NO_ROW && row >= range.from) {
      if (this.#isTooMuch()) return;
      for (const { column, slot } of step.binds) binding[slot] = relation.value(row, column);
      if (step.checks.every(({ column, slot }) => relation.value(row, column) === binding[slot])) {
        this.#advance(stages, depth + 1, binding, derive);
      }
      row = index === undefined ? row - 1 : relation.next(index, key, row);
    }
  }

  #isTooMuch(): boolean {
    if (++this.#steps > this.#limits.steps) this.exceeded ??= "steps";
    return this.exceeded !== undefined;
  }

  #add(relation: Relation, row: readonly number[]): void {
    if (!relation.add(row)) return;
    if (++this.#facts > this.#limits.facts) this.exceeded ??= "facts";
  }

  #relation(name: string): Relation {
    const relation = this.#relations.get(name);
    invariant(relation !== undefined, "a checked program declares its relations");
    return relation;
  }

  #number(value: Constant): number {
    const known = this.#numbers.get(value);
    if (known !== undefined) return known;
    const number = this.#constants.push(value) - 1;
    this.#numbers.set(value, number);
    return number;
  }
}

type Scan = Extract<Step, { kind: "scan" }>;

/** A step with the relation that it reads and, for a scan, the range of rows. */
type Stage =
  | { readonly step: Extract<Step, { kind: "differ" }> }
  | { readonly step: Extract<Step, { kind: "not" }>; readonly relation: Relation }
  | { readonly step: Scan; readonly relation: Relation; readonly range: Range; readonly index: Index | undefined };
