// Texts of rule files -> documents, in parts that can cross to another thread: every way to load rules parses and gathers them
// here, whether both happen in one thread or in two.
import type { Finding } from "../core/finding.ts";
import type { RuleDocument } from "./document.ts";
import { type DocumentData, openDocument } from "./document-data.ts";
import { checkHooks } from "./hook-script.ts";
import { type ParseLimits, parseToData } from "./parse-rule-file.ts";

/** A part of a rule file with findings; after the last part of each file comes one without a document. */
export type DocumentPart = {
  readonly kind: "document";
  readonly document: DocumentData | null;
  readonly findings: readonly Finding[];
};

/** The options of parsing texts. */
export type PartOptions = {
  readonly limits: ParseLimits;
  /** The directory in which hook scripts are checked; null: they are not checked. */
  readonly below: string | null;
  readonly trust: "owner" | "none";
};

/** Most rules of one part: a thread takes over a thousand rules in a few milliseconds. */
const PART_RULES = 1_000;

/** Parses rule files one by one. */
export function* parseTexts(
  texts: readonly { readonly name: string; readonly text: string | Uint8Array }[],
  { limits, below, trust }: PartOptions,
): Generator<DocumentPart, undefined> {
  for (const { name, text } of texts) {
    const { document, findings } = parseToData(name, text, limits);
    if (document === null) {
      yield { kind: "document", document, findings };
      continue;
    }
    const hooks = below === null ? [] : checkHooks(below, [document], trust);
    yield { kind: "document", document: { ...document, rules: document.rules.slice(0, PART_RULES) }, findings };
    for (let from = PART_RULES; from < document.rules.length; from += PART_RULES) {
      const rules = document.rules.slice(from, from + PART_RULES);
      yield { kind: "document", document: { ...document, definitions: [], misshapen: [], rules }, findings: [] };
    }
    yield { kind: "document", document: null, findings: hooks };
  }
}

/** The documents of one load, gathered from their parts. */
export class GatheredDocuments {
  readonly documents: RuleDocument[] = [];
  readonly findings: Finding[] = [];
  #begun: DocumentData | null = null;

  /** Takes a part; returns the document that it completes, or null. */
  take({ document, findings }: DocumentPart): RuleDocument | null {
    for (const finding of findings) this.findings.push(finding);
    const begun = this.#begun;
    if (document !== null) {
      this.#begun = begun === null ? document : { ...begun, rules: [...begun.rules, ...document.rules] };
      return null;
    }
    this.#begun = null;
    if (begun === null) return null;
    const whole = openDocument(begun);
    this.documents.push(whole);
    return whole;
  }
}
