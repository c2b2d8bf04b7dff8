// Checks documents one by one while the worker still reads the others, so that a load uses two threads. The compilation then
// takes the results. Only for an operator's documents: those of an agent share an expansion budget.
import { createEnvironment, type Environment } from "../cel/environment.ts";
import { NAMESPACES, VARIABLES } from "../core/context.ts";
import type { Interruptible } from "../core/interruptible.ts";
import { type CheckedFile, checkFile } from "./check-file.ts";
import type { RuleDocument } from "./document.ts";
import { ExpansionBudget } from "./expansion-budget.ts";

/** Makes the environment of rules: the names that conditions may use. */
export function createRuleEnvironment(): Environment {
  return createEnvironment({ namespaces: NAMESPACES, variables: VARIABLES });
}

/** The documents of one load that have been checked so far. */
export class CheckedAhead {
  /** The environment they are checked in, and must be compiled for. */
  readonly environment = createRuleEnvironment();
  readonly #checked = new Map<RuleDocument, CheckedFile>();

  /** Checks a document; yields between rules. */
  *check(document: RuleDocument): Interruptible<null> {
    this.#checked.set(document, yield* checkFile(document, this.environment, new ExpansionBudget(Infinity)));
    return null;
  }

  /** The result for a document; undefined if it has not been checked. */
  find(document: RuleDocument): CheckedFile | undefined {
    return this.#checked.get(document);
  }
}
