// The reference graph of one file's definitions: their references, the order of expansion, and the size of each expansion
// (S003-FR-006). Sizes are computed before any expanded text is built, so that a definition bomb costs nothing.
import { findReferences, type Reference } from "../cel/scan-tokens.ts";
import type { Finding } from "../core/finding.ts";
import { invariant } from "../core/invariant.ts";
import { didYouMean } from "../core/nearest.ts";
import { escapeText, quote } from "../core/quote.ts";
import type { SourceText } from "../core/source-text.ts";
import type { Span } from "../core/span.ts";
import type { DefinitionDocument } from "./document.ts";
import { EXPANDED_LENGTH } from "./expansion-budget.ts";

/** The longest chain of definitions that refer to each other. */
export const DEFINITION_DEPTH = 64;

/** A definition whose expansion is finite and within the limits. */
export type SoundDefinition = {
  readonly definition: DefinitionDocument;
  /** Its references, with their places in the expanded text. */
  readonly pieces: readonly Piece[];
  /** The nesting depth of its expansion, including itself. */
  readonly depth: number;
  /** The length of the expanded text, without the parentheses around it. */
  readonly length: number;
  /** The closing parenthesis, after a line break if a comment at the end could swallow it. */
  readonly close: ")" | "\n)";
};

/** A reference as written, and the range of the expanded text that replaces it, including the parentheses. */
export type Piece = { readonly name: string; readonly written: Span; readonly start: number; readonly end: number };

/** Computes the ranges of references in the expanded text from sizes alone; all references must be sound. */
export function layOut(
  references: readonly Reference[],
  sound: ReadonlyMap<string, SoundDefinition>,
): readonly Piece[] {
  let shift = 0;
  return references.map(({ name, span }) => {
    const target = sound.get(name);
    invariant(target !== undefined, "only sound definitions are laid out");
    const start = span.start + shift;
    const end = start + "(".length + target.length + target.close.length;
    shift = end - span.end;
    return { name, written: span, start, end };
  });
}

/** The length of a text after expansion. */
export function expandedLength(text: string, pieces: readonly Piece[]): number {
  const last = pieces.at(-1);
  return last === undefined ? text.length : text.length - last.written.end + last.end;
}

/** The definitions of one file. A definition that is declared but not sound has a finding elsewhere. */
export type ReferenceGraph = {
  readonly sound: ReadonlyMap<string, SoundDefinition>;
  readonly declared: DeclaredNames;
  readonly findings: readonly DefinitionFinding[];
};

/** The most name comparisons for hints in one file, which may have thousands of definitions and wrong names. */
const COMPARISONS = 20_000;

/** The names of a file's definitions, with hints for unknown names until the budget of comparisons is spent. */
export class DeclaredNames {
  readonly #names: ReadonlySet<string>;
  #comparisons = COMPARISONS;

  constructor(names: Iterable<string>) {
    this.#names = new Set(names);
  }

  /** Whether a definition has this name. */
  has(name: string): boolean {
    return this.#names.has(name);
  }

  /** The hint for an unknown name. */
  hint(name: string): string | undefined {
    this.#comparisons -= this.#names.size;
    return this.#comparisons < 0 ? undefined : didYouMean(name, this.#names);
  }
}

/** A finding about a definition, with the definition's name. */
type DefinitionFinding = { readonly definition: string; readonly finding: Finding };

/** Builds the graph; undefined names, cycles and sizes over the limits become findings at the definition. */
export function buildReferenceGraph(
  definitions: readonly DefinitionDocument[],
  usable: ReadonlySet<string>,
): ReferenceGraph {
  const byName = new Map(definitions.map((definition) => [definition.name, definition]));
  const references = new Map(definitions.map((each) => [each.name, findReferences(each.expression.text)]));
  const declared = new DeclaredNames(byName.keys());
  const findings: DefinitionFinding[] = [];
  for (const definition of definitions) {
    for (const reference of references.get(definition.name) ?? []) {
      if (declared.has(reference.name)) continue;
      const label = `definition ${quote(definition.name)}`;
      const finding = undefinedName(definition.expression, reference, declared, label);
      findings.push({ definition: definition.name, finding });
    }
  }
  const { order, cycles } = sortByReference(definitions, references);
  for (const cycle of cycles) findings.push({ definition: cycle[0] ?? "", finding: cycleFinding(cycle, byName) });
  const sound = new Map<string, SoundDefinition>();
  for (const name of order) {
    const definition = byName.get(name);
    if (definition === undefined || !usable.has(name)) continue;
    const measured = measure(definition, references.get(name) ?? [], sound);
    if (measured === null) continue;
    if ("message" in measured) findings.push({ definition: name, finding: limitFinding(definition, measured.message) });
    else sound.set(name, measured);
  }
  return { sound, declared, findings };
}

// Sorts names depth-first, each after the names that it refers to, and finds at most one cycle for each name. The walk does not
// recurse, because a file may chain thousands of definitions.
function sortByReference(
  definitions: readonly DefinitionDocument[],
  references: ReadonlyMap<string, readonly Reference[]>,
): { order: readonly string[]; cycles: readonly (readonly string[])[] } {
  const order: string[] = [];
  const cycles = new Map<string, readonly string[]>();
  // A name of the current chain has its position in the chain; other visited names are done.
  const state = new Map<string, number | "done">();
  for (const { name: root } of definitions) {
    if (state.has(root)) continue;
    const chain: Link[] = [{ name: root, next: 0 }];
    state.set(root, 0);
    for (let top = chain.at(-1); top !== undefined; top = chain.at(-1)) {
      const target = references.get(top.name)?.[top.next++]?.name;
      const known = target === undefined ? undefined : state.get(target);
      if (target === undefined) {
        state.set(top.name, "done");
        order.push(top.name);
        chain.pop();
      } else if (typeof known === "number") {
        if (!cycles.has(target)) cycles.set(target, shownCycle(chain, known));
      } else if (known === undefined && references.has(target)) {
        state.set(target, chain.length);
        chain.push({ name: target, next: 0 });
      }
    }
  }
  return { order, cycles: [...cycles.values()] };
}

type Link = { readonly name: string; next: number };

/** The number of names of a long cycle that are shown before the dots. */
const SHOWN = 10;

// The names of a cycle; a long one is cut, so that a cycle of thousands is not copied.
function shownCycle(chain: readonly Link[], from: number): readonly string[] {
  const isLong = chain.length - from > SHOWN + 1;
  const names = chain.slice(from, isLong ? from + SHOWN : chain.length).map(({ name }) => name);
  return [...names, ...(isLong ? ["..."] : []), ...names.slice(0, 1)];
}

function cycleFinding(cycle: readonly string[], byName: ReadonlyMap<string, DefinitionDocument>): Finding {
  const definition = byName.get(cycle[0] ?? "");
  invariant(definition !== undefined, "a cycle goes through definitions");
  return {
    code: "rule.definition-cycle",
    severity: "error",
    message: `definitions refer to each other in a circle: ${cycle.map((name) => escapeText(name)).join(" -> ")}`,
    place: definition.place,
  };
}

// Null if a definition that it refers to has a finding of its own.
function measure(
  definition: DefinitionDocument,
  references: readonly Reference[],
  sound: ReadonlyMap<string, SoundDefinition>,
): SoundDefinition | { readonly message: string } | null {
  const targets = references.map((reference) => sound.get(reference.name));
  if (targets.some((target) => target === undefined)) return null;
  const depth = 1 + Math.max(0, ...targets.map((target) => target?.depth ?? 0));
  if (depth > DEFINITION_DEPTH) return { message: `definitions nest over ${DEFINITION_DEPTH} levels` };
  const pieces = layOut(references, sound);
  const length = expandedLength(definition.expression.text, pieces);
  if (length > EXPANDED_LENGTH) return { message: `expands to over ${EXPANDED_LENGTH / 1024} KiB` };
  const close = definition.expression.text.includes("//") ? "\n)" : ")";
  return { definition, pieces, depth, length, close };
}

/** The finding for an undefined name (S003-EC-009); the label names the rule or definition that contains it. */
export function undefinedName(
  source: SourceText,
  reference: Reference,
  declared: DeclaredNames,
  label: string,
): Finding {
  const hint = declared.hint(reference.name);
  return {
    code: "rule.undefined-definition",
    severity: "error",
    message: `${label}: undefined definition ${quote(`$${reference.name}`)}`,
    place: source.place(reference.span.start, reference.span.end),
    ...(hint === undefined ? {} : { hint }),
  };
}

function limitFinding(definition: DefinitionDocument, message: string): Finding {
  return {
    code: "rule.limit",
    severity: "error",
    message: `definition ${quote(definition.name)} ${message}`,
    place: definition.place,
  };
}
