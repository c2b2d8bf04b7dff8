// Finds references to documents, source files and sections of documents that are not in the repository.
import type { SourceFile } from "./source-files.ts";

/** Whether a path below the project exists. */
export type Exists = (path: string) => boolean;

/** Folders in which a document or file can be that is mentioned without its folder. */
const FOLDERS = ["", "docs/", "src/", "test/", "scripts/", "docs/reference/"];

const DOCUMENT = /(?<![\w./:-])((?:\.\.?\/)*[\w-]+(?:\/[\w-]+)*\.md)\b/g;
const SOURCE = /(?<![\w./:*-])((?:[a-z0-9-]+\/)+[a-z0-9-]+(?:\.test)?\.ts)\b/g;
const SECTION = /\bS00[34],? (?:section|\d)|\bsection \d+(?:\.\d+)? of\b|\b[\w-]+\.md,? \d+/g;

/** The dead references of a file, one line for each. */
export function deadReferences(file: SourceFile, exists: Exists): readonly string[] {
  const folder = file.path.slice(0, file.path.lastIndexOf("/") + 1);
  return proseOf(file).flatMap(({ line, text }) => {
    const named = [...text.matchAll(DOCUMENT), ...text.matchAll(SOURCE)].map(([, name = ""]) => name);
    const dead = named.filter((name) => !candidates(folder, name).some(exists));
    const sections = [...text.matchAll(SECTION)].map(([found]) => found);
    return [...dead, ...sections].map((each) => `${file.path}:${line}: ${each}`);
  });
}

function candidates(folder: string, name: string): readonly string[] {
  const parts = `${folder}${name}`.split("/");
  const resolved: string[] = [];
  for (const part of parts) {
    if (part === "..") resolved.pop();
    else if (part !== ".") resolved.push(part);
  }
  return [resolved.join("/"), ...FOLDERS.map((each) => `${each}${name}`)];
}

// The comments of a source file; the lines outside of fenced blocks of a document.
function proseOf({ path, text, tokens }: SourceFile): readonly { readonly line: number; readonly text: string }[] {
  if (!path.endsWith(".md")) return tokens.filter(({ kind }) => kind === "comment");
  const plain = text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, (block) => block.replaceAll(/[^\n]/g, ""));
  return plain.split("\n").map((each, index) => ({ line: index + 1, text: each }));
}
