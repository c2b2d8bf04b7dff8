// The reference graph of one file's definitions: what names what, in which order they can be expanded, how large each gets.
// Everything here works on sizes, before any expanded text is built, so a bomb of definitions costs nothing (S003-FR-006).
import { findReferences, type Reference } from "../cel/scan.ts";
import type { Finding } from "../core/finding.ts";
import { invariant } from "../core/invariant.ts";
import { didYouMean } from "../core/nearest.ts";
import { quote } from "../core/quote.ts";
import type { SourceText } from "../core/source-text.ts";
import type { DefinitionDocument } from "./document.ts";

/** Longest chain of definitions that refer to each other. */
export const DEFINITION_DEPTH = 64;

/** Largest text of one condition or definition after expansion, in UTF-16 units: the 256 KiB of the specification. */
export const EXPANDED_LENGTH = 256 * 1024;

/** A definition whose whole expansion is known to be finite and within the limits. */
export type SoundDefinition = {
  readonly definition: DefinitionDocument;
  readonly references: readonly Reference[];
  /** How many definitions deep its expansion nests, itself counted. */
  readonly depth: number;
  /** Length of the expanded text, its parentheses not counted. */
  readonly length: number;
  /** What closes its parentheses: on a line of its own where a comment at the end would swallow it. */
  readonly close: ")" | "\n)";
};

/** How long a definition is where it stands for its name, parentheses included. */
export function insertedLength({ length, close }: SoundDefinition): number {
  return "(".length + length + close.length;
}

/** The definitions of one file by name; a name that is declared but not sound has its findings elsewhere. */
export type ReferenceGraph = {
  readonly sound: ReadonlyMap<string, SoundDefinition>;
  readonly declared: ReadonlySet<string>;
  readonly findings: readonly DefinitionFinding[];
};

/** A finding about a definition, with the definition's name. */
export type DefinitionFinding = { readonly definition: string; readonly finding: Finding };

/** Builds the graph; undefined names, cycles and sizes over the limits are findings at the definition. */
export function buildReferenceGraph(
  definitions: readonly DefinitionDocument[],
  usable: ReadonlySet<string>,
): ReferenceGraph {
  const byName = new Map(definitions.map((definition) => [definition.name, definition]));
  const references = new Map(definitions.map((each) => [each.name, findReferences(each.expression.text)]));
  const findings: DefinitionFinding[] = [];
  for (const definition of definitions) {
    for (const reference of references.get(definition.name) ?? []) {
      if (byName.has(reference.name)) continue;
      const label = `definition ${quote(definition.name)}`;
      const finding = undefinedName(definition.expression, reference, byName.keys(), label);
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
  return { sound, declared: new Set(byName.keys()), findings };
}

// Depth-first without recursion, since a file may chain thousands of definitions: every name after those it refers to,
// and each cycle once, as the chain that closes it.
function sortByReference(
  definitions: readonly DefinitionDocument[],
  references: ReadonlyMap<string, readonly Reference[]>,
): { order: readonly string[]; cycles: readonly (readonly string[])[] } {
  const order: string[] = [];
  const cycles: string[][] = [];
  const state = new Map<string, "open" | "done">();
  for (const { name: root } of definitions) {
    if (state.has(root)) continue;
    const chain: { readonly name: string; next: number }[] = [{ name: root, next: 0 }];
    state.set(root, "open");
    for (let top = chain.at(-1); top !== undefined; top = chain.at(-1)) {
      const target = references.get(top.name)?.[top.next++]?.name;
      if (target === undefined) {
        state.set(top.name, "done");
        order.push(top.name);
        chain.pop();
      } else if (state.get(target) === "open") {
        const names = chain.map((each) => each.name);
        cycles.push([...names.slice(names.indexOf(target)), target]);
      } else if (!state.has(target) && references.has(target)) {
        state.set(target, "open");
        chain.push({ name: target, next: 0 });
      }
    }
  }
  return { order, cycles };
}

function cycleFinding(cycle: readonly string[], byName: ReadonlyMap<string, DefinitionDocument>): Finding {
  const definition = byName.get(cycle[0] ?? "");
  invariant(definition !== undefined, "a cycle goes through definitions");
  const shown = cycle.length > 12 ? [...cycle.slice(0, 10), "...", ...cycle.slice(-1)] : cycle;
  return {
    code: "rule.definition-cycle",
    severity: "error",
    message: `definitions refer to each other in a circle: ${shown.join(" -> ")}`,
    place: definition.place,
  };
}

// Null where something it refers to has a finding of its own.
function measure(
  definition: DefinitionDocument,
  references: readonly Reference[],
  sound: ReadonlyMap<string, SoundDefinition>,
): SoundDefinition | { readonly message: string } | null {
  const targets = references.map((reference) => sound.get(reference.name));
  if (targets.some((target) => target === undefined)) return null;
  const depth = 1 + Math.max(0, ...targets.map((target) => target?.depth ?? 0));
  if (depth > DEFINITION_DEPTH) return { message: `definitions nest over ${DEFINITION_DEPTH} levels` };
  const length = expandedLength(definition.expression.text, references, sound);
  if (length > EXPANDED_LENGTH) return { message: `expands to over ${EXPANDED_LENGTH / 1024} KiB` };
  const close = definition.expression.text.includes("//") ? "\n)" : ")";
  return { definition, references, depth, length, close };
}

/** The length of a text after expansion, computed from sizes alone. */
export function expandedLength(
  text: string,
  references: readonly Reference[],
  sound: ReadonlyMap<string, SoundDefinition>,
): number {
  let length = text.length;
  for (const { name, span } of references) {
    const target = sound.get(name);
    if (target !== undefined) length += insertedLength(target) - (span.end - span.start);
  }
  return length;
}

/** The finding for a name that no definition of the file has (S003-EC-009); the label says in what it stands. */
export function undefinedName(
  source: SourceText,
  reference: Reference,
  known: Iterable<string>,
  label: string,
): Finding {
  const hint = didYouMean(reference.name, known);
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
