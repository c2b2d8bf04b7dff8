// The shared conformance cases of the rule engine, read as they are.
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { ROOT } from "./container.ts";

/** A finding that a case asks for. */
export type WantedFinding = { readonly code: string; readonly file: string; readonly line?: number };

/** One case: a rules directory, and what must come of it. */
export type ConformanceCase = {
  readonly note: string;
  readonly files: Readonly<Record<string, string>>;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly requests?: readonly {
    readonly context: Record<string, unknown>;
    readonly decision: "allow" | "block";
    readonly rule: string | null;
    readonly file: string | null;
  }[];
  readonly load?: { readonly error?: readonly WantedFinding[]; readonly warning?: readonly WantedFinding[] };
};

/** Reads cases from a file. */
export function readCases(path: string): readonly ConformanceCase[] {
  return parse(readFileSync(path, "utf8"));
}

/** Every case that comes with the specification. */
export function sharedCases(): readonly ConformanceCase[] {
  return readCases(join(ROOT, "..", "shared", "conformance", "rule-engine.yaml"));
}

/** The project's own cases, in the same form. */
export function ownCases(): readonly ConformanceCase[] {
  return readCases(join(ROOT, "test", "conformance", "own-cases.yaml"));
}

/** Writes a case's files and executable scripts into a new directory. */
export function writeCase({ files, scripts = {} }: ConformanceCase): string {
  const dir = mkdtempSync(join(tmpdir(), "outcall-case-"));
  for (const [name, text] of Object.entries({ ...files, ...scripts })) {
    writeFileSync(join(dir, name), text, { mode: 0o644 });
  }
  for (const name of Object.keys(scripts)) chmodSync(join(dir, name), 0o755);
  return dir;
}

/** Removes what `writeCase` made. */
export function removeCase(dir: string): void {
  rmSync(dir, { recursive: true });
}
