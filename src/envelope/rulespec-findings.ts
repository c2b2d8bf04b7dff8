// The findings of the rulespecs that the daemon is to use: for `outcalld --check`, and for the log at start.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Finding } from "../core/finding.ts";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import { placeAt } from "../core/span.ts";
import { reasonOf } from "../file/read-file.ts";
import { loadChosen, type RulespecSource } from "./rulespec-source.ts";

/** The findings of some rulespecs. Their places hold whole paths. */
export type CheckedRulespecs = { readonly files: number; readonly findings: readonly Finding[] };

/** Loads every rulespec that could be chosen for a container. Mounts of containers are checked later, with each envelope. */
export function checkRulespecs(source: RulespecSource): CheckedRulespecs {
  if (source === null) return { files: 0, findings: [] };
  const paths = source.kind === "file" ? ok([source.path]) : listRulespecs(source.path);
  if (!paths.ok) return { files: 0, findings: [paths.error] };
  return { files: paths.value.length, findings: paths.value.flatMap((path) => loadChosen(path, []).findings) };
}

function listRulespecs(dir: string): Result<readonly string[], Finding> {
  try {
    return ok(readdirSync(dir).filter((name) => name.endsWith(".yaml")).sort().map((name) => join(dir, name)));
  } catch (cause) {
    const message = `cannot read directory ${quote(dir)}: ${reasonOf(cause)}`;
    return err({ code: "rulespec.file", severity: "error", message, place: placeAt(dir) });
  }
}
