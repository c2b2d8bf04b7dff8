// The rules directory and its files as the daemon judges them before it reads them: who owns them and who may write them.
// A checkout in CI often differs from the host in both, so lint only notes what the daemon refuses.
import { lstatSync, readdirSync, realpathSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import type { Finding } from "../core/finding.ts";
import { shellPath } from "../core/quote.ts";
import { placeAt } from "../core/span.ts";
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
    // A link to nothing, or a file that is gone by now: the loader's error says so.
    return null;
  }
}

function rulesIn(dir: string): readonly string[] {
  try {
    return readdirSync(dir).filter((name) => name.endsWith(RULE_FILE_EXTENSION)).sort();
  } catch {
    // That a directory cannot be read is the loader's finding, an error; there is nothing to add to it.
    return [];
  }
}
