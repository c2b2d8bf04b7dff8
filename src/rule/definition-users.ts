// Finds the rules that use a definition, directly or through other definitions. A finding in a definition is reported once
// and names its users.
import { findReferences } from "../cel/scan-tokens.ts";
import { quote } from "../core/quote.ts";
import type { DefinitionDocument } from "./document.ts";

/** A condition with the id of its rule, or null if the id is unreadable. */
type User = { readonly id: string | null; readonly condition: { readonly text: string } };

/** The step limit for counting users in one file, which may have thousands of definitions with findings. */
const COUNTING_STEPS = 1_000_000;

/** The users of the definitions of one file. */
export class DefinitionUsers {
  /** The id of the first rule that uses a definition, or null if that id is unreadable. */
  readonly #first = new Map<string, string | null>();
  /** The definitions that each rule names directly. */
  readonly #ofRules: (readonly string[])[] = [];
  readonly #ofDefinitions: ReadonlyMap<string, readonly string[]>;
  readonly #labels = new Map<string, string>();
  #namedBy: ReadonlyMap<string, readonly string[]> | undefined;
  #steps = COUNTING_STEPS;

  constructor(definitions: readonly DefinitionDocument[], rules: readonly User[]) {
    this.#ofDefinitions = new Map(definitions.map(({ name, expression }) => [name, namesIn(expression.text)]));
    for (const { id, condition } of rules) {
      const names = namesIn(condition.text);
      if (names.length === 0) continue;
      this.#ofRules.push(names);
      const waiting = [...names];
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        if (this.#first.has(next)) continue;
        this.#first.set(next, id);
        waiting.push(...(this.#ofDefinitions.get(next) ?? []));
      }
    }
  }

  /** Whether a rule uses the definition. */
  has(name: string): boolean {
    return this.#first.has(name);
  }

  /** The id of the first rule that uses the definition; undefined if there is none or its id is unreadable. */
  firstOf(name: string): string | undefined {
    return this.#first.get(name) ?? undefined;
  }

  /** Names the users, for example `rule "a" and 2 other rules`. */
  label(name: string): string {
    const known = this.#labels.get(name);
    if (known !== undefined) return known;
    const label = this.#describe(name);
    this.#labels.set(name, label);
    return label;
  }

  #describe(name: string): string {
    const id = this.#first.get(name) ?? null;
    const first = id === null ? "rule" : `rule ${quote(id)}`;
    const count = this.#count(name);
    if (count === undefined) return `${first} and others`;
    return count < 2 ? first : `${first} and ${count - 1} other rule${count === 2 ? "" : "s"}`;
  }

  // Counts the rules that use the definition; undefined once the step limit is reached.
  #count(name: string): number | undefined {
    const reaching = new Set([name]);
    for (const each of reaching) {
      for (const user of this.#usersAmongDefinitions(each)) reaching.add(user);
      if (--this.#steps < 0) return undefined;
    }
    this.#steps -= this.#ofRules.length;
    return this.#steps < 0
      ? undefined
      : this.#ofRules.filter((names) => names.some((each) => reaching.has(each))).length;
  }

  #usersAmongDefinitions(name: string): readonly string[] {
    this.#namedBy ??= invert(this.#ofDefinitions);
    const users = this.#namedBy.get(name) ?? [];
    this.#steps -= users.length;
    return users;
  }
}

function namesIn(text: string): readonly string[] {
  return findReferences(text).map(({ name }) => name);
}

function invert(names: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, readonly string[]> {
  const namedBy = new Map<string, string[]>();
  for (const [user, targets] of names) {
    for (const target of targets) {
      const users = namedBy.get(target);
      if (users === undefined) namedBy.set(target, [user]);
      else users.push(user);
    }
  }
  return namedBy;
}
