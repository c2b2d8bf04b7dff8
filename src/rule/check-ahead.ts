// Documents -> what their check gives, one by one while others are still read: a document is checked by itself, so that
// the compilation of all of them can take up what is there. Only for documents of an operator, which share no budget.
import { createEnvironment, type Environment } from "../cel/environment.ts";
import { NAMESPACES, VARIABLES } from "../core/context.ts";
import type { Interruptible } from "../core/interruptible.ts";
import { type CheckedFile, checkFile } from "./check-file.ts";
import type { RuleDocument } from "./document.ts";
import { ExpansionBudget } from "./expansion-budget.ts";

/** What conditions of rules may name. */
export function createRuleEnvironment(): Environment {
  return createEnvironment({ namespaces: NAMESPACES, variables: VARIABLES });
}

/** The documents of one load that are checked. */
export class CheckedAhead {
  /** What they are checked against, and must be compiled for. */
  readonly environment = createRuleEnvironment();
  readonly #checked = new Map<RuleDocument, CheckedFile>();

  /** Checks a document; may be put aside between two rules. */
  *check(document: RuleDocument): Interruptible<null> {
    this.#checked.set(document, yield* checkFile(document, this.environment, new ExpansionBudget(Infinity)));
    return null;
  }

  /** What the check of a document gave; undefined for one that was not checked. */
  find(document: RuleDocument): CheckedFile | undefined {
    return this.#checked.get(document);
  }
}
