// Checks owner and mode of the rules directory and its files, as the daemon does before it reads them. Lint only notes what
// the daemon refuses, because a checkout in CI often has other owners and modes than the host.
import { lstatSync, readdirSync, realpathSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { DEFAULT_RULES_DIR } from "../core/defaults.ts";
import type { Finding } from "../core/finding.ts";
import { shellPath } from "../core/quote.ts";
import { placeAt } from "../core/span.ts";
import { isShared } from "../file/shared-directory.ts";
import { isOthers, isWritableByOthers, whyUntrusted } from "../file/trust.ts";
import { RULE_FILE_EXTENSION } from "../rule/load-rules.ts";

/** A note for the directory and for each rule file, or target of a link, that the daemon refuses. */
export function findUntrustedFiles(dir: string): readonly Finding[] {
  const files = rulesIn(dir).map((name) => ({ path: join(dir, name), name }));
  return [{ path: dir, name: dir }, ...files].flatMap(({ path, name }) => {
    const found = lookAt(path);
    const why = found === null ? null : whyUntrusted(found.stats);
    if (found === null || why === null) return [];
    const message = `outcalld refuses this ${name === dir ? "rules directory" : "file"}: it ${why}`;
    const note: Finding = {
      code: "rule.file",
      severity: "note",
      message,
      place: placeAt(name),
      hint: adviceFor(found),
    };
    return [note];
  });
}

type Found = { readonly path: string; readonly stats: Stats };

function adviceFor({ path, stats }: Found): string {
  if (stats.isDirectory() && isShared(path, stats)) {
    return `give outcalld a directory of its own: --rules-dir ${DEFAULT_RULES_DIR}`;
  }
  const shown = shellPath(path);
  const steps = [
    ...(isOthers(stats) ? [`chown root ${shown}`] : []),
    ...(isWritableByOthers(stats) ? [`chmod go-w ${shown}`] : []),
  ];
  return `on the daemon's host: ${steps.join(" && ")}`;
}

function lookAt(path: string): Found | null {
  try {
    const stats = statSync(path);
    return stats.isFile() || stats.isDirectory()
      ? { path: lstatSync(path).isSymbolicLink() ? realpathSync(path) : path, stats }
      : null;
  } catch {
    // A dangling link, or a file that has been removed; the loader reports it.
    return null;
  }
}

function rulesIn(dir: string): readonly string[] {
  try {
    return readdirSync(dir).filter((name) => name.endsWith(RULE_FILE_EXTENSION)).sort();
  } catch {
    // The loader reports that the directory cannot be read.
    return [];
  }
}
