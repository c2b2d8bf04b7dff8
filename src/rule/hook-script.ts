// Checks the scripts of enrich rules when rules load (S003-FR-039). A script outside the directory, or writable by others, is
// an error. A missing script is a warning, because the evaluation treats it as a failed hook.
import { constants, lstatSync, type Stats } from "node:fs";
import { join } from "node:path";
import type { Finding } from "../core/finding.ts";
import { quote } from "../core/quote.ts";
import { whyUntrusted } from "../file/trust.ts";
import type { EnrichDocument, RuleEntry } from "./document.ts";

/** The members of a rule that the check needs. */
type HookEntry = Pick<RuleEntry, "id" | "enrich">;

/** Checks the hooks of the documents; script paths are relative to the directory. */
export function checkHooks(
  dir: string,
  documents: readonly { readonly rules: readonly HookEntry[] }[],
  trust: "owner" | "none",
): readonly Finding[] {
  const findings: Finding[] = [];
  for (const entry of documents.flatMap((document) => document.rules)) {
    if (entry.enrich === null) continue;
    const found = checkHook(dir, entry, entry.enrich, trust);
    if (found !== null) findings.push(found);
  }
  return findings;
}

function checkHook(dir: string, entry: HookEntry, hook: EnrichDocument, trust: "owner" | "none"): Finding | null {
  const { script, place } = hook;
  const unsafe = (message: string): Finding => ({
    code: "rule.hook-unsafe",
    severity: "error",
    message: `hook ${quote(script)} ${message}`,
    place,
    rule: entry.id,
  });
  const missing = (message: string): Finding => ({
    code: "rule.hook-missing",
    severity: "warning",
    message: `hook ${quote(script)} ${message}`,
    place,
    rule: entry.id,
  });
  const parts = script.split("/");
  if (script.startsWith("/")) return unsafe("must be a path relative to the rules directory");
  if (parts.some((part) => part === ".." || part === "")) return unsafe("leaves the rules directory");
  if (script.includes("\0")) return unsafe("holds a NUL");
  let path = dir;
  let stats: Stats | undefined;
  for (const part of parts.filter((each) => each !== ".")) {
    path = join(path, part);
    stats = look(path);
    if (stats === undefined) return missing("does not exist or cannot be looked at");
    if (stats.isSymbolicLink()) return unsafe("goes through a symbolic link");
    // Lint does not know the owner on the daemon's host, so it checks only the mode.
    const untrusted = whyUntrusted(trust === "owner" ? stats : { uid: 0, mode: stats.mode });
    if (untrusted !== null) return unsafe(`${stats.isDirectory() ? "is in a directory that " : ""}${untrusted}`);
  }
  if (stats === undefined || !stats.isFile()) return missing("is not a regular file");
  if ((stats.mode & (constants.S_IXUSR | constants.S_IXGRP | constants.S_IXOTH)) === 0) {
    return missing("is not executable");
  }
  return null;
}

function look(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    // A parent is not searchable or not a directory, so the hook cannot run.
    return undefined;
  }
}
