// What a file names that is not in the repository: documents, source files, sections of documents. A reader who follows a
// reference must arrive somewhere.
import type { SourceFile } from "./source-files.ts";

/** Whether a path below the project exists. */
export type Exists = (path: string) => boolean;

/** Where a document or file that is named without its folder may lie. */
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

// Of source files the comments, of documents every line outside of fenced blocks.
function proseOf({ path, text, tokens }: SourceFile): readonly { readonly line: number; readonly text: string }[] {
  if (!path.endsWith(".md")) return tokens.filter(({ kind }) => kind === "comment");
  const plain = text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, (block) => block.replaceAll(/[^\n]/g, ""));
  return plain.split("\n").map((each, index) => ({ line: index + 1, text: each }));
}
