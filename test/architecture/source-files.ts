// The files of the project that people write, as the architecture tests read them.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PROJECT } from "../../scripts/project.ts";
import { readTokens, type Token } from "./tokens.ts";

/** A file: its path from the project's top with forward slashes, its text, and the text's tokens. */
export type SourceFile = { readonly path: string; readonly text: string; readonly tokens: readonly Token[] };

/** Reads the files that a pattern names, in order of their paths. */
export function readSourceFiles(pattern: string): readonly SourceFile[] {
  const paths = globSync(pattern, { cwd: PROJECT }).sort();
  if (paths.length === 0) throw new Error(`no files match ${pattern}`);
  return paths.map((path) => sourceFile(path, readFileSync(join(PROJECT, path), "utf8")));
}

/** A file of a text; for planted ones in tests. */
export function sourceFile(path: string, text: string): SourceFile {
  return { path, text, tokens: readTokens(text) };
}
