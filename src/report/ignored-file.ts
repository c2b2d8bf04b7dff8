// Files that look like rule files and are none: a daemon passes over them in silence, lint says so (pitfall P14).
import { type Dirent, readdirSync } from "node:fs";
import type { Finding } from "../core/finding.ts";
import { quote } from "../core/quote.ts";
import { placeAt } from "../core/span.ts";

/** The notes about the files of a directory that are not read as rule files though their names suggest it. */
export function findIgnoredFiles(dir: string): readonly Finding[] {
  let entries: readonly Dirent[];
  try {
    entries = readdirSync(dir, { withFileTypes: true });
  } catch {
    // That a directory cannot be read is the loader's finding, an error; there is nothing to add to it.
    return [];
  }
  const ignored = entries.filter((entry) => !entry.isDirectory() && isIgnoredName(entry.name));
  return ignored.map((entry) => ignoredFile(entry.name));
}

/** Whether a name is one that a daemon does not read, though people expect it to (S003-EC-020). */
export function isIgnoredName(name: string): boolean {
  return name.endsWith(".yml");
}

/** The note about one such file. */
export function ignoredFile(name: string): Finding {
  return {
    code: "rule.ignored-file",
    severity: "note",
    message: `${quote(name)} is not read as a rule file`,
    place: placeAt(name),
    hint: "rule files end in .yaml",
  };
}
