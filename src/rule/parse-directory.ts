// Reads and parses a rules directory in a worker, and yields it in parts as plain data, so that the serving thread neither
// waits for a disk nor parses. The serving thread takes a part between two requests.
import { closeSync } from "node:fs";
import type { Finding } from "../core/finding.ts";
import { type DocumentPart, parseTexts } from "./document-parts.ts";
import { type Fingerprint, fingerprintOf } from "./fingerprint.ts";
import { type DirectoryOptions, openDirectory, readDirectory } from "./load-rules.ts";
import { OPERATOR_LIMITS } from "./parse-rule-file.ts";

/** A file or a part of one; the last part describes the whole directory, or has the reason why it cannot be read. */
export type DirectoryPart =
  | DocumentPart
  | {
    readonly kind: "read";
    readonly findings: readonly Finding[];
    /** The number of rule files, including unreadable ones. */
    readonly files: number;
    /** The fingerprint of the directory just before it was read. */
    readonly fingerprint: Fingerprint;
  }
  | { readonly kind: "refused"; readonly finding: Finding; readonly fingerprint: Fingerprint };

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
  yield* parseTexts(texts, { limits: OPERATOR_LIMITS, below, trust: options.trust });
  yield { kind: "read", findings, files, fingerprint };
}
