// Analyses the paths given to `outcall lint`, without a daemon. A directory is one rule set. Files that are named one by one
// form a rule set per directory, so that duplicate ids are found where a daemon would find them. The rulespec below the
// working directory is analysed in every run.
import { statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { DEFAULT_RULES_DIR } from "../core/defaults.ts";
import { compareFindings, type Finding } from "../core/finding.ts";
import { type Problem, problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import { type Loaded, loadRuleFiles, loadRules, readRuleFile, type RuleText } from "../rule/load-rules.ts";
import { findIgnoredFiles, ignoredFile, isIgnoredName } from "./ignored-file.ts";
import { RULESPEC_FILE } from "../rulespec/load-rulespec.ts";
import type { LintReport } from "./lint-report.ts";
import { findUntrustedFiles } from "./untrusted-files.ts";
import { isRulespecName, lintRulespec } from "./lint-rulespec.ts";

/** Analyses files and directories, or the rules directory if none is given; a path that does not exist is a usage error. */
export function lint(paths: readonly string[], rulesDir = DEFAULT_RULES_DIR): Result<LintReport, Problem> {
  const given = paths.length > 0 ? [...paths] : kindOf(rulesDir) === "directory" ? [rulesDir] : [];
  if (kindOf(RULESPEC_FILE) === "file") given.push(RULESPEC_FILE);
  if (given.length === 0) {
    const hint = "name files or directories: outcall lint <path> ...";
    const nothing = `nothing to lint: there is no ${quote(rulesDir)} and no ${quote(RULESPEC_FILE)}`;
    return err(problem("command.usage", nothing, { hint }));
  }
  const directories = new Map<string, string>();
  const files = new Map<string, Map<string, string>>();
  for (const path of given) {
    const full = resolve(path);
    const kind = kindOf(path);
    if (kind === "nothing") return err(problem("command.usage", `no such file or directory: ${quote(path)}`));
    if (kind === "directory") {
      if (!directories.has(full)) directories.set(full, path);
      continue;
    }
    const group = files.get(dirname(full)) ?? new Map<string, string>();
    if (!group.has(basename(full))) group.set(basename(full), path);
    files.set(dirname(full), group);
  }
  const parts = [...directories.values()].map(lintDirectory);
  for (const [dir, group] of files) {
    const rulespecs = [...group].filter(([name]) => isRulespecName(name));
    parts.push(...rulespecs.map(([, path]) => lintRulespec(path)));
    for (const [name] of rulespecs) group.delete(name);
    if (!directories.has(dir) && group.size > 0) parts.push(lintFiles(dir, group));
  }
  return ok(merge(parts));
}

function kindOf(path: string): "directory" | "file" | "nothing" {
  try {
    return statSync(path).isDirectory() ? "directory" : "file";
  } catch {
    // A dangling link, a missing file, or a parent directory without search permission.
    return "nothing";
  }
}

function lintDirectory(dir: string): LintReport {
  const loaded = raiseForLint(loadRules({ dir, trust: "none", onlyFindings: true }));
  return rename(loaded, [...findIgnoredFiles(dir), ...findUntrustedFiles(dir)], joinTo(dir));
}

/** Makes a report of a loaded directory, with file names joined to its path. */
export function reportOf(loaded: Loaded, dir: string): LintReport {
  return rename(loaded, [], joinTo(dir));
}

// The file of a finding about the directory itself is the directory.
function joinTo(dir: string): (file: string) => string {
  const prefix = dir.endsWith("/") ? dir : `${dir}/`;
  return (file) => file === dir ? dir : `${prefix}${file}`;
}

function lintFiles(dir: string, group: ReadonlyMap<string, string>): LintReport {
  const texts: RuleText[] = [];
  const findings: Finding[] = [];
  for (const [name, path] of [...group].toSorted(([a], [b]) => a < b ? -1 : 1)) {
    if (isIgnoredName(name)) findings.push(ignoredFile(name));
    const read = readRuleFile({ path, name, trust: "none" });
    if (read.ok) texts.push({ name, text: read.value });
    else findings.push(read.error);
  }
  const loaded = raiseForLint(loadRuleFiles(texts, { dir, onlyFindings: true, files: group.size }));
  return rename(loaded, findings, (file) => group.get(file) ?? file);
}

function rename(loaded: Loaded, more: readonly Finding[], nameOf: (file: string) => string): LintReport {
  const findings = [...loaded.findings, ...more].map((finding) => ({
    ...finding,
    place: { ...finding.place, file: nameOf(finding.place.file) },
  }));
  const sources = new Map([...loaded.sources].map(([file, text]) => [nameOf(file), text]));
  return { files: loaded.files, rules: loaded.rules, findings, sources };
}

// The daemon only warns about a condition that is not a boolean (S003-EC-012), because existing rule files must keep loading.
function raiseForLint(loaded: Loaded): Loaded {
  const findings = loaded.findings.map((finding): Finding =>
    finding.code === "rule.not-boolean" ? { ...finding, severity: "error" } : finding
  );
  return { ...loaded, findings };
}

function merge(parts: readonly LintReport[]): LintReport {
  const predicates = parts.map((part) => part.predicates).filter((count) => count !== undefined);
  return {
    ...(predicates.length === 0 ? {} : { predicates: predicates.reduce((sum, count) => sum + count, 0) }),
    files: parts.reduce((sum, part) => sum + part.files, 0),
    rules: parts.reduce((sum, part) => sum + part.rules, 0),
    findings: parts.flatMap((part) => part.findings).toSorted(compareFindings),
    sources: new Map(parts.flatMap((part) => [...part.sources])),
  };
}
