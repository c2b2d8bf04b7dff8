// Reads and parses a rules directory in a worker, and yields it in parts as plain data, so that the serving thread neither
// waits for a disk nor parses. The serving thread takes a part between two requests.
import { closeSync } from "node:fs";
import type { Finding } from "../core/finding.ts";
import type { DocumentData } from "./document-data.ts";
import { type Fingerprint, fingerprintOf } from "./fingerprint.ts";
import { checkHooks } from "./hook-script.ts";
import { type DirectoryOptions, openDirectory, readDirectory } from "./load-rules.ts";
import { OPERATOR_LIMITS, parseToData } from "./parse-rule-file.ts";

/** A file or a part of one; the last part describes the whole directory, or says why it cannot be read. */
export type DirectoryPart =
  | { readonly kind: "document"; readonly document: DocumentData | null; readonly findings: readonly Finding[] }
  | {
    readonly kind: "read";
    readonly findings: readonly Finding[];
    /** The number of rule files, including unreadable ones. */
    readonly files: number;
    /** The fingerprint of the directory just before it was read. */
    readonly fingerprint: Fingerprint;
  }
  | { readonly kind: "refused"; readonly finding: Finding; readonly fingerprint: Fingerprint };

/** The most rules of one part: taking a thousand blocks the serving thread for a few milliseconds. */
const PART_RULES = 1_000;

/** Reads and parses a rules directory; only the last part is not a `document`. */
export async function* parseDirectory(options: DirectoryOptions): AsyncGenerator<DirectoryPart, undefined> {
  const opened = openDirectory(options.dir);
  if (!opened.ok) {
    yield { kind: "refused", finding: opened.error, fingerprint: await fingerprintOf(options.dir) };
    return;
  }
  try {
    yield* parseBelow(options, `/proc/self/fd/${opened.value}`);
  } finally {
    closeSync(opened.value);
  }
}

async function* parseBelow(options: DirectoryOptions, below: string): AsyncGenerator<DirectoryPart, undefined> {
  const fingerprint = await fingerprintOf(below);
  const read = readDirectory(options, below);
  if (!read.ok) {
    yield { kind: "refused", finding: read.error, fingerprint };
    return;
  }
  const { texts, findings, files } = read.value;
  for (const { name, text } of texts) {
    const { document, findings: found } = parseToData(name, text, OPERATOR_LIMITS);
    if (document === null) {
      yield { kind: "document", document, findings: found };
      continue;
    }
    const hooks = checkHooks(below, [document], options.trust);
    yield { kind: "document", document: { ...document, rules: document.rules.slice(0, PART_RULES) }, findings: found };
    for (let from = PART_RULES; from < document.rules.length; from += PART_RULES) {
      const rules = document.rules.slice(from, from + PART_RULES);
      yield { kind: "document", document: { ...document, definitions: [], misshapen: [], rules }, findings: [] };
    }
    yield { kind: "document", document: null, findings: hooks };
  }
  yield { kind: "read", findings, files, fingerprint };
}

/** Joins the parts of each document, in the order in which they arrived. */
export function joinParts(parts: readonly DocumentData[]): readonly DocumentData[] {
  const whole = new Map<string, DocumentData>();
  for (const part of parts) {
    const begun = whole.get(part.file);
    whole.set(part.file, begun === undefined ? part : { ...begun, rules: [...begun.rules, ...part.rules] });
  }
  return [...whole.values()];
}
