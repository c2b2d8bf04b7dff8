// Directory -> its rule files as plain data, a part at a time: what a worker does, so that the thread that serves neither
// waits for a disk nor parses. A part is small enough to be taken over between two answers.
import { closeSync } from "node:fs";
import type { Finding } from "../core/finding.ts";
import { type DocumentPart, parseTexts } from "./document-parts.ts";
import { type Fingerprint, fingerprintOf } from "./fingerprint.ts";
import { type DirectoryOptions, openDirectory, readDirectory } from "./load-rules.ts";
import { OPERATOR_LIMITS } from "./parse-rule-file.ts";

/** A file or a part of one, or, at the end, what is known of the directory as a whole, or why it cannot be read at all. */
export type DirectoryPart =
  | DocumentPart
  | {
    readonly kind: "read";
    readonly findings: readonly Finding[];
    /** How many rule files there are, those that could not be read counted. */
    readonly files: number;
    /** What the directory looked like right before it was read. */
    readonly fingerprint: Fingerprint;
  }
  | { readonly kind: "refused"; readonly finding: Finding; readonly fingerprint: Fingerprint };

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
  yield* parseTexts(texts, { limits: OPERATOR_LIMITS, below, trust: options.trust });
  yield { kind: "read", findings, files, fingerprint };
}
