// The fenced blocks of README.md and docs. The kind of a block says how a test runs it; a block of unknown kind fails a
// test.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../container/container.ts";

/** One fenced block. */
export type Fence = {
  readonly path: string;
  readonly line: number;
  /** The heading above the block. */
  readonly section: string;
  /** The text after the backticks: the language, then our own words. */
  readonly info: string;
  readonly text: string;
};

/**
 * How a block is tested. Rules are loaded and linted. Requests are decided by the rules above them. The commands of a
 * session are run and their output is compared. A synopsis is compared with the programs' own help.
 */
export type Kind =
  | "rules"
  | "requests"
  | "session"
  | "synopsis"
  | "file"
  | "rulespec"
  | "envelope"
  | "dockerfile"
  | "compose"
  | "workflow"
  | "gitlab"
  | "verdict"
  | "source"
  | "foreign";

const KINDS: Readonly<Record<string, Kind>> = {
  "yaml": "rules",
  "requests": "requests",
  "console": "session",
  "synopsis": "synopsis",
  "yaml rulespec": "rulespec",
  "yaml envelope": "envelope",
  "dockerfile": "dockerfile",
  "yaml compose": "compose",
  "yaml workflow": "workflow",
  "yaml gitlab": "gitlab",
  "json verdict": "verdict",
  "sh source": "source",
};

/**
 * Blocks that belong to other programs or that another test generates: path and first line of the block, and the
 * reason.
 */
const FOREIGN: Readonly<Record<string, string>> = {};

/** Pages whose blocks another test generates or runs. */
const ELSEWHERE = /^docs\/(reference\/|install\.md$)/;

/** README and the pages of docs, as paths of the repository. */
export const PAGES: readonly string[] = ["README.md", ...globSync("docs/**/*.md", { cwd: ROOT })]
  .filter((path) => !ELSEWHERE.test(path)).sort();

/** The text of a page. */
export function pageText(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

/** The fenced blocks of a text, in order. */
export function fencesIn(path: string, text: string): readonly Fence[] {
  const fences: Fence[] = [];
  let section = "";
  let open: { readonly line: number; readonly info: string; readonly lines: string[] } | undefined;
  for (const [index, line] of text.split("\n").entries()) {
    const fence = /^```(.*)$/.exec(line);
    if (open !== undefined && fence !== null) {
      fences.push({
        path,
        line: open.line,
        section,
        info: open.info,
        text: open.lines.map((each) => `${each}\n`).join(""),
      });
      open = undefined;
    } else if (open !== undefined) open.lines.push(line);
    else if (fence !== null) open = { line: index + 1, info: (fence[1] ?? "").trim(), lines: [] };
    else section = /^#+ (.*)$/.exec(line)?.[1] ?? section;
  }
  if (open !== undefined) throw new Error(`${path}:${open.line}: a block without an end`);
  return fences;
}

/** Every fenced block of every page. */
export const FENCES: readonly Fence[] = PAGES.flatMap((path) => fencesIn(path, pageText(path)));

/** The kind of a block; undefined if nothing tests it. */
export function kindOf({ path, info, text }: Fence): Kind | undefined {
  if (FOREIGN[`${path}: ${text.split("\n")[0] ?? ""}`] !== undefined) return "foreign";
  const kind = KINDS[info.replace(FILE_NAME, "")];
  return kind === undefined && fileNameOf(info) !== undefined ? "file" : kind;
}

const FILE_NAME = / file=(\S+)$/;

/** The file name that a block gives: `yaml file=10-a.yaml`, `sh file=hooks/a.sh`. */
export function fileNameOf(info: string): string | undefined {
  return FILE_NAME.exec(info)?.[1];
}

/** The blocks of one kind. */
export function fencesOf(kind: Kind): readonly Fence[] {
  return FENCES.filter((fence) => kindOf(fence) === kind);
}

/** The entries of the list of foreign blocks that no longer match a block. */
export function staleForeign(): readonly string[] {
  const there = new Set(FENCES.map(({ path, text }) => `${path}: ${text.split("\n")[0] ?? ""}`));
  return Object.keys(FOREIGN).filter((key) => !there.has(key));
}
