// Directory -> its rule files as plain data, a part at a time: what a worker does, so that the thread that serves neither
// waits for a disk nor parses. A part is small enough to be taken over between two answers.
import { closeSync } from "node:fs";
import type { Finding } from "../core/finding.ts";
import type { DocumentData } from "./document-data.ts";
import { type Fingerprint, fingerprintOf } from "./fingerprint.ts";
import { checkHooks } from "./hook-script.ts";
import { type DirectoryOptions, openDirectory, readDirectory } from "./load-rules.ts";
import { OPERATOR_LIMITS, parseToData } from "./parse-rule-file.ts";

/** A file or a part of one, or, at the end, what is known of the directory as a whole, or why it cannot be read at all. */
export type DirectoryPart =
  | { readonly kind: "document"; readonly document: DocumentData | null; readonly findings: readonly Finding[] }
  | {
    readonly kind: "read";
    readonly findings: readonly Finding[];
    /** How many rule files there are, those that could not be read counted. */
    readonly files: number;
    /** What the directory looked like right before it was read. */
    readonly fingerprint: Fingerprint;
  }
  | { readonly kind: "refused"; readonly finding: Finding; readonly fingerprint: Fingerprint };

/** Most rules of one part: taking over a thousand holds a thread for a few milliseconds. */
const PART_RULES = 1_000;

/** Reads and parses a rules directory; the last part, and it alone, is no `document`. */
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

/** The documents whole again, in the order in which they came. */
export function joinParts(parts: readonly DocumentData[]): readonly DocumentData[] {
  const whole = new Map<string, DocumentData>();
  for (const part of parts) {
    const begun = whole.get(part.file);
    whole.set(part.file, begun === undefined ? part : { ...begun, rules: [...begun.rules, ...part.rules] });
  }
  return [...whole.values()];
}
