// The hand-written files of the project, for the architecture tests.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PROJECT } from "../../scripts/project.ts";
import { readTokens, type Token } from "./tokens.ts";

/** A file: its path relative to the project with forward slashes, its text, and its tokens. */
export type SourceFile = { readonly path: string; readonly text: string; readonly tokens: readonly Token[] };

/** Reads the files that match a pattern, sorted by path. */
export function readSourceFiles(pattern: string): readonly SourceFile[] {
  const paths = globSync(pattern, { cwd: PROJECT }).sort();
  if (paths.length === 0) throw new Error(`no files match ${pattern}`);
  return paths.map((path) => sourceFile(path, readFileSync(join(PROJECT, path), "utf8")));
}

/** A file with a given text, for tests of the checks. */
export function sourceFile(path: string, text: string): SourceFile {
  return { path, text, tokens: readTokens(text) };
}
