// Files that look like rule files but are not read, such as `rules.yml`: the daemon ignores them silently, lint notes them.
import { type Dirent, readdirSync } from "node:fs";
import type { Finding } from "../core/finding.ts";
import { quote } from "../core/quote.ts";
import { placeAt } from "../core/span.ts";

/** The notes about files of a directory that look like rule files but are not read. */
export function findIgnoredFiles(dir: string): readonly Finding[] {
  let entries: readonly Dirent[];
  try {
    entries = readdirSync(dir, { withFileTypes: true });
  } catch {
    // The loader reports that the directory cannot be read.
    return [];
  }
  const ignored = entries.filter((entry) => !entry.isDirectory() && isIgnoredName(entry.name));
  return ignored.map((entry) => ignoredFile(entry.name));
}

/** Whether people expect a file of this name to be read, although the daemon ignores it (S003-EC-020). */
export function isIgnoredName(name: string): boolean {
  return name.endsWith(".yml");
}

/** The note about a file that looks like a rule file but is not read. */
export function ignoredFile(name: string): Finding {
  return {
    code: "rule.ignored-file",
    severity: "note",
    message: `${quote(name)} is not read as a rule file`,
    place: placeAt(name),
    hint: "rule files end in .yaml",
  };
}
