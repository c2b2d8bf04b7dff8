// Loads a rules directory into a rule set. Every file is opened once and checked on its descriptor, so that it cannot be
// replaced between the check and the reading.
import { closeSync, constants, openSync, readdirSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import type { Finding } from "../core/finding.ts";
import { finish } from "../core/interruptible.ts";
import type { ProblemCode } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import { placeAt } from "../core/span.ts";
import { readFile, reasonOf } from "../file/read-file.ts";
import { compileRules } from "./compile-rules.ts";
import { GatheredDocuments, parseTexts } from "./document-parts.ts";
import { AGENT_LIMITS, OPERATOR_LIMITS } from "./parse-rule-file.ts";
import type { RuleSet } from "./rule-set.ts";
import { whyUntrusted } from "../file/trust.ts";

/** The extension of rule files (S003-FR-001). */
export const RULE_FILE_EXTENSION = ".yaml";

/** The most rule files of a directory (S003-FR-018). */
export const FILES_LIMIT = 1_024;

/** The most bytes of all rule files together (S003-FR-018). */
export const TOTAL_SIZE_LIMIT = 16 * 1024 * 1024;

/** The name and text of a rule file. */
export type RuleText = { readonly name: string; readonly text: string | Uint8Array };

/** The result of a load: a rule set if no finding is an error, and what reports of the findings need. */
export type Loaded = {
  readonly set: RuleSet | null;
  /** Sorted by place; the file of a place is the bare file name. */
  readonly findings: readonly Finding[];
  readonly files: number;
  readonly rules: number;
  /** The texts by file name, for reports that show source lines. */
  readonly sources: ReadonlyMap<string, string>;
};

/** The options of reading a directory. */
export type DirectoryOptions = {
  readonly dir: string;
  /**
   * `owner` refuses files that are owned by anyone but root and this process's user, or writable by others, as the daemon
   * must; `none` accepts them, as lint does.
   */
  readonly trust: "owner" | "none";
};

/** The options of loading a directory. */
export type LoadOptions = DirectoryOptions & {
  /** The daemon's limit for an agent's evaluation, in milliseconds. */
  readonly agentTimeoutMs?: number;
  /** Whether to return only the findings, without a rule set. */
  readonly onlyFindings?: boolean;
  /** The time of the load in milliseconds since 1970; the present time by default. */
  readonly nowMs?: number;
};

/** Loads and analyses a rules directory. */
export function loadRules(options: LoadOptions): Loaded {
  const opened = openDirectory(options.dir);
  if (!opened.ok) return nothing([opened.error]);
  try {
    // Like openat(2): all files are read below this descriptor, even if the path now leads to another directory.
    const below = `/proc/self/fd/${opened.value}`;
    const read = readDirectory(options, below);
    if (!read.ok) return nothing([read.error]);
    const { texts, findings, files } = read.value;
    return compileTexts(texts, { ...options, below, findings, files });
  } finally {
    closeSync(opened.value);
  }
}

/** Loads and analyses texts without a directory, for example files on a command line or an agent's submission. */
export function loadRuleFiles(texts: readonly RuleText[], options: LoadTextsOptions = {}): Loaded {
  const { agent = false, dir = null, files = texts.length, onlyFindings = false, nowMs = Date.now() } = options;
  return compileTexts(texts, { dir, below: dir, trust: "none", findings: [], files, agent, onlyFindings, nowMs });
}

/** `agent` applies the limits of an agent's text. With `dir`, hook scripts are checked relative to it. */
export type LoadTextsOptions = Pick<LoadOptions, "onlyFindings" | "nowMs"> & {
  readonly agent?: boolean;
  readonly dir?: string;
  /** The number of files, where some of them cannot be read. */
  readonly files?: number;
};

type CompileTextsOptions = Omit<LoadOptions, "dir"> & {
  readonly dir: string | null;
  /** The directory below which hook scripts are checked. */
  readonly below: string | null;
  readonly findings: readonly Finding[];
  /** The number of rule files, including unreadable ones. */
  readonly files: number;
  readonly agent?: boolean;
};

function compileTexts(texts: readonly RuleText[], options: CompileTextsOptions): Loaded {
  const { below, trust, files } = options;
  const limits = options.agent === true ? AGENT_LIMITS : OPERATOR_LIMITS;
  const gathered = new GatheredDocuments();
  for (const part of parseTexts(texts, { limits, below, trust })) gathered.take(part);
  const decode = (text: string | Uint8Array) => typeof text === "string" ? text : new TextDecoder().decode(text);
  const sources = new Map(texts.map(({ name, text }) => [name, decode(text)]));
  const { documents } = gathered;
  const findings = [...options.findings, ...gathered.findings];
  const { set, findings: all, rules } = finish(compileRules(documents, {
    findings,
    files,
    dir: options.dir ?? "",
    agent: options.agent === true,
    nowMs: options.nowMs ?? Date.now(),
    onlyFindings: options.onlyFindings === true,
    ...(options.agentTimeoutMs === undefined ? {} : { agentTimeoutMs: options.agentTimeoutMs }),
  }));
  return { set, findings: all, files, rules, sources };
}

function nothing(findings: readonly Finding[]): Loaded {
  return { set: null, findings, files: 0, rules: 0, sources: new Map() };
}

/** The rule files of a directory. */
export type ReadDirectory = {
  readonly texts: readonly RuleText[];
  readonly findings: readonly Finding[];
  readonly files: number;
};

/** Opens a rules directory; later changes of its path do not affect the descriptor, which the caller closes. */
export function openDirectory(dir: string): Result<number, Finding> {
  try {
    return ok(openSync(dir, constants.O_RDONLY | constants.O_DIRECTORY));
  } catch (cause) {
    return err(finding(dir, `cannot read rules directory ${quote(dir)}: ${reasonOf(cause)}`));
  }
}

/** Reads the rule files below an open directory; unreadable files become findings. */
export function readDirectory({ dir, trust }: DirectoryOptions, below: string): Result<ReadDirectory, Finding> {
  const listed = listRuleFiles(dir, below, trust);
  if (!listed.ok) return listed;
  const texts: RuleText[] = [];
  const findings: Finding[] = [];
  let total = 0;
  for (const name of listed.value) {
    const read = readRuleFile({ path: join(below, name), shown: join(dir, name), name, trust });
    if (!read.ok) {
      findings.push(read.error);
      continue;
    }
    total += read.value.length;
    if (total > TOTAL_SIZE_LIMIT) {
      return err(finding(name, "rule files are over 16 MiB in all", "rule.limit"));
    }
    texts.push({ name, text: read.value });
  }
  return ok({ texts, findings, files: listed.value.length });
}

function listRuleFiles(dir: string, below: string, trust: LoadOptions["trust"]): Result<readonly string[], Finding> {
  let stats: Stats;
  let names: string[];
  try {
    stats = statSync(below);
    names = readdirSync(below);
  } catch (cause) {
    return err(finding(dir, `cannot read rules directory ${quote(dir)}: ${reasonOf(cause)}`));
  }
  const untrusted = trust === "owner" ? whyUntrusted(stats) : null;
  if (untrusted !== null) return err(finding(dir, `rules directory ${quote(dir)} ${untrusted}`));
  const rules = names.filter((name) => name.endsWith(RULE_FILE_EXTENSION));
  rules.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  if (rules.length > FILES_LIMIT) {
    return err(finding(dir, `${rules.length} rule files, at most ${FILES_LIMIT} are allowed`, "rule.limit"));
  }
  return ok(rules);
}

/** A rule file to read: the path to open, the path to show, and its name in findings. */
export type RuleFilePath = {
  readonly path: string;
  readonly shown?: string;
  readonly name: string;
  readonly trust: LoadOptions["trust"];
};

/** Reads one rule file, or returns the finding why it cannot be read. Links are followed. */
export function readRuleFile({ path, shown = path, name, trust }: RuleFilePath): Result<Uint8Array, Finding> {
  const judge = trust === "owner" ? { judge: whyUntrusted } : {};
  // The parser refuses a file that is one byte over the limit, so no more is read.
  const read = readFile({ path, shown, limitBytes: OPERATOR_LIMITS.sizeBytes, ...judge });
  return read.ok ? read : err(finding(name, read.error.message));
}

function finding(file: string, message: string, code: ProblemCode = "rule.file"): Finding {
  return { code, severity: "error", message, place: placeAt(file) };
}
