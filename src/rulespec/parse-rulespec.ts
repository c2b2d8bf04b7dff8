// Text of a rulespec -> Rulespec, or all errors at once, each with its place.
import { compareFindings, type Finding, hasErrors } from "../core/finding.ts";
import { didYouMean } from "../core/nearest.ts";
import { quote } from "../core/quote.ts";
import { sourceText } from "../yaml/scalar-place.ts";
import { FINDINGS_LIMIT } from "../yaml/compose.ts";
import { foundText } from "../yaml/found-text.ts";
import type { YamlMap, YamlNode } from "../yaml/node.ts";
import { isBlank } from "./blank.ts";
import { Members } from "./members.ts";
import { OPERATOR_TEXT, readYaml, type TextLimits } from "./read-yaml.ts";
import { readTest } from "./read-test.ts";
import { SOURCES } from "../wire/rulespec-file.ts";
import type { Claim, Predicate, Rulespec, Source, When } from "./rulespec.ts";
import { FACTS_PREFIX, isPrefixed, parseSelector, type Selector } from "./selector.ts";

/** The rulespec of a file, null if a finding is an error. The findings are sorted by place. */
export type ParsedRulespec = { readonly rulespec: Rulespec | null; readonly findings: readonly Finding[] };

/** Parses a rulespec; `file` is its name in every place. */
export function parseRulespec(
  file: string,
  source: Uint8Array | string,
  limits: TextLimits = OPERATOR_TEXT,
): ParsedRulespec {
  const { root, findings } = readYaml(file, source, limits);
  if (root === null) return { rulespec: null, findings };
  const reader = new RulespecReader();
  const rulespec = reader.read(root);
  const all = bounded([...findings, ...reader.findings]);
  return { rulespec: hasErrors(all) ? null : rulespec, findings: all };
}

function bounded(findings: readonly Finding[]): readonly Finding[] {
  const sorted = findings.toSorted(compareFindings);
  const next = sorted[FINDINGS_LIMIT];
  if (next === undefined) return sorted;
  const message = `over ${FINDINGS_LIMIT} findings; the others are not shown`;
  return [...sorted.slice(0, FINDINGS_LIMIT), {
    code: "rulespec.limit",
    severity: "error",
    message,
    place: next.place,
  }];
}

/** Reads one file. The result is usable only if no finding is an error. */
class RulespecReader {
  readonly #members = new Members();
  /** Claims by name; null for a claim with an error, which must not be reported as undefined as well. */
  readonly #claims = new Map<string, Claim | null>();

  get findings(): readonly Finding[] {
    return this.#members.findings;
  }

  read(root: YamlNode): Rulespec {
    const map = this.#members.map(root, "a rulespec");
    if (map === undefined) return { claims: [], predicates: [] };
    this.#members.refuseUnknown(map, ["claims", "predicates"], "a rulespec");
    for (const [index, node] of this.#members.items(map, "claims").entries()) this.#readClaim(node, index);
    const predicates = this.#members.items(map, "predicates").map((node) => this.#readPredicate(node));
    return {
      claims: [...this.#claims.values()].filter((claim) => claim !== null),
      predicates: predicates.filter((predicate) => predicate !== undefined),
    };
  }

  #readClaim(node: YamlNode, index: number): void {
    const map = this.#members.map(node, "a claim");
    if (map === undefined) return;
    this.#members.refuseUnknown(map, ["name", "selector"], "a claim");
    const name = this.#members.text(map, "name", "a claim");
    const selector = this.#readSelector(map);
    if (name === undefined) return;
    if (this.#claims.has(name.value)) {
      const message = `claim ${quote(name.value)} is defined twice`;
      this.#members.report({ code: "rulespec.duplicate-claim", message, place: name.place });
      return;
    }
    this.#claims.set(name.value, selector === undefined ? null : { index, name: name.value, selector });
  }

  #readSelector(claim: YamlMap): Selector | undefined {
    const node = claim.members.get("selector")?.node;
    const isEmpty = node?.kind === "scalar" && typeof node.value === "string" && isBlank(node.value);
    const text = isEmpty ? node : this.#members.text(claim, "selector", "a claim");
    if (text === undefined) return undefined;
    const selector = parseSelector(text.text);
    if (!selector.ok) {
      const { message, span } = selector.error;
      const inside = sourceText(text.text, text.written()).place(span.start, span.end);
      const wrong = isEmpty
        ? { message, place: text.place }
        : { message: `${message} in selector ${quote(text.text)}`, place: inside };
      this.#members.report({ code: "rulespec.selector", ...wrong });
      return undefined;
    }
    if (isPrefixed(selector.value)) {
      const hint = `selectors begin below ${FACTS_PREFIX}: ${selector.value.text.slice(FACTS_PREFIX.length + 1)}`;
      const message = `selector ${quote(text.text)} begins with ${quote(`${FACTS_PREFIX}.`)}`;
      this.#members.report({ code: "rulespec.facts-prefix", message, place: text.place, hint }, "warning");
    }
    return selector.value;
  }

  #readPredicate(node: YamlNode): Predicate | undefined {
    const map = this.#members.map(node, "a predicate");
    if (map === undefined) return undefined;
    const known = ["claim", "rule", "value", "source", "notes", "when"];
    this.#members.refuseUnknown(map, known, "a predicate");
    const claim = this.#findClaim(map, "a predicate");
    const test = readTest(map, "a predicate", this.#members);
    const source = this.#readSource(map);
    const notes = this.#readNotes(map);
    const when = this.#readWhen(map);
    if (claim === undefined || test === undefined || source === undefined || when === undefined) return undefined;
    return { claim, test, source, notes, when };
  }

  #findClaim(owner: YamlMap, what: string): Claim | undefined {
    const name = this.#members.text(owner, "claim", what);
    if (name === undefined) return undefined;
    const claim = this.#claims.get(name.value);
    if (claim === undefined) {
      const names = [...this.#claims.keys()];
      const hint = didYouMean(name.value, names) ?? "define it under claims";
      const message = `claim ${quote(name.value)} is not defined`;
      this.#members.report({ code: "rulespec.undefined-claim", message, place: name.place, hint });
    }
    return claim ?? undefined;
  }

  #readSource(owner: YamlMap): Source | undefined {
    const wanted = SOURCES.join(" or ");
    const text = this.#members.text(owner, "source", "a predicate", `say where it comes from: ${wanted}`);
    const source = SOURCES.find((each) => each === text?.value);
    if (text === undefined || source !== undefined) return source;
    const message = `source of a predicate must be ${wanted}, found ${foundText(text)}`;
    const hint = didYouMean(text.value, SOURCES);
    this.#members.report({ code: "rulespec.schema", message, place: text.place, hint });
    return undefined;
  }

  #readNotes(owner: YamlMap): string | null {
    const node = this.#members.optional(owner, "notes");
    const isEmpty = typeof node?.value === "string" && isBlank(node.value);
    if (node === undefined || isEmpty) return null;
    return this.#members.string(node, "notes of a predicate")?.value ?? null;
  }

  // Undefined if there is one with an error.
  #readWhen(owner: YamlMap): When | null | undefined {
    const node = this.#members.optional(owner, "when");
    if (node === undefined) return null;
    const map = this.#members.map(node, "when");
    if (map === undefined) return undefined;
    this.#members.refuseUnknown(map, ["claim", "rule", "value"], "when");
    const claim = this.#findClaim(map, "when");
    const test = readTest(map, "when", this.#members);
    return claim === undefined || test === undefined ? undefined : { claim, test };
  }
}
