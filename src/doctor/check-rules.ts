// The rules directory as a daemon would load it now.
import { type Dirent, readdirSync, type Stats } from "node:fs";
import { join } from "node:path";
import { countOf } from "../core/count.ts";
import { DEFAULT_RULES_DIR } from "../core/defaults.ts";
import type { Finding } from "../core/finding.ts";
import { quote } from "../core/quote.ts";
import { whyUntrusted } from "../file/trust.ts";
import { isShared } from "../file/shared-directory.ts";
import { loadRules, RULE_FILE_EXTENSION } from "../rule/load-rules.ts";
import { type Check, doubtful, failed, fine } from "./check.ts";
import { lookAt, shellPath } from "./look.ts";
import { otherPath, trustCommands } from "./ownership.ts";

/** Loads the rules without putting them in force, and reports the result. */
export function checkRules(dir: string): Check {
  const name = "rules directory";
  const path = shellPath(dir);
  const found = lookAt(dir);
  if (found.kind === "nothing") return failed(name, `${quote(dir)} does not exist`, `mkdir -p -m 0755 ${path}`);
  const { set, findings, files, rules } = loadRules({ dir, trust: "owner" });
  const [first, ...more] = findings.filter(({ severity }) => severity === "error");
  if (first !== undefined || set === null) {
    const where = first === undefined || first.place.file === dir ? "" : `${first.place.file}:${first.place.line}: `;
    const others = more.length === 0 ? "" : `, and ${countOf(more.length, "more error")}`;
    const remedy = adviseTrust(dir, first) ?? `outcall lint ${path}`;
    return failed(name, `${where}${first?.message ?? "the rules do not load"}${others}`, remedy);
  }
  if (files === 0) {
    const hint = `put rule files (*${RULE_FILE_EXTENSION}) into ${path}`;
    return doubtful(name, `${quote(dir)} has no rules: every request is blocked`, hint);
  }
  const warnings = findings.length === 0 ? "" : `, ${countOf(findings.length, "warning")} (outcall lint ${path})`;
  return fine(name, `${quote(dir)}: ${countOf(files, "file")}, ${countOf(rules, "rule")}${warnings}`);
}

/** Most paths that one line of advice names. */
const PATHS_NAMED = 8;

/** How many directories below the rules directory are searched for hook scripts. */
const SEARCHED_DEPTH = 4;

// Lint does not look at owners and modes of a checkout, so it would find nothing: the commands themselves are the advice.
function adviseTrust(dir: string, first: Finding | undefined): string | null {
  if (first?.code !== "rule.file" && first?.code !== "rule.hook-unsafe") return null;
  const stats = statsOf(dir);
  if (stats === null) return null;
  if (whyUntrusted(stats) !== null && isShared(dir, stats)) return otherPath("rules-dir", DEFAULT_RULES_DIR);
  const isHook = first.code === "rule.hook-unsafe";
  const paths = [dir, ...(isHook ? pathsBelow(dir, SEARCHED_DEPTH) : ruleFilesOf(dir))];
  const commands = paths.flatMap((path) => {
    const each = statsOf(path);
    return each === null || whyUntrusted(each) === null ? [] : [trustCommands(path, each)];
  });
  return commands.length === 0 ? null : commands.slice(0, PATHS_NAMED).join(" && ");
}

function ruleFilesOf(dir: string): readonly string[] {
  return entriesOf(dir).map(({ name }) => join(dir, name)).filter((path) => path.endsWith(RULE_FILE_EXTENSION));
}

// Symbolic links are left out, because their targets are not part of the rules directory.
function pathsBelow(dir: string, depth: number): readonly string[] {
  return entriesOf(dir).filter((entry) => !entry.isSymbolicLink()).flatMap((entry) => {
    const path = join(dir, entry.name);
    return entry.isDirectory() && depth > 0 ? [path, ...pathsBelow(path, depth - 1)] : [path];
  });
}

function entriesOf(dir: string): readonly Dirent[] {
  try {
    return readdirSync(dir, { withFileTypes: true }).sort((a, b) => a.name < b.name ? -1 : 1);
  } catch {
    // The load has reported a directory that cannot be listed.
    return [];
  }
}

function statsOf(path: string): Stats | null {
  const found = lookAt(path);
  return found.kind === "there" ? found.stats : null;
}
