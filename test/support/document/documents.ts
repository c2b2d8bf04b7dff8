// The fenced blocks of README and docs, each of a kind that says how a test runs it; a block of no kind fails a test.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../container/container.ts";

/** One fenced block. */
export type Fence = {
  readonly path: string;
  readonly line: number;
  /** The heading that it stands under. */
  readonly section: string;
  /** What stands behind the backticks: the language, then words of ours. */
  readonly info: string;
  readonly text: string;
};

/**
 * How a block is run:
 * rules are loaded and linted, requests are decided by the rules above them, a session's commands are run word by word and
 * their output compared, a synopsis is held against the programs' own help.
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

/** What belongs to other programs, or is made by a test already: path and first line of each block, and why. */
const FOREIGN: Readonly<Record<string, string>> = {};

/** Pages that a test of their own makes or runs, block by block. */
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

/** Every block of every page. */
export const FENCES: readonly Fence[] = PAGES.flatMap((path) => fencesIn(path, pageText(path)));

/** The kind of a block; undefined where nothing runs it. */
export function kindOf({ path, info, text }: Fence): Kind | undefined {
  if (FOREIGN[`${path}: ${text.split("\n")[0] ?? ""}`] !== undefined) return "foreign";
  const kind = KINDS[info.replace(FILE_NAME, "")];
  return kind === undefined && fileNameOf(info) !== undefined ? "file" : kind;
}

const FILE_NAME = / file=(\S+)$/;

/** The name that a block gives to its file: `yaml file=10-a.yaml`, `sh file=hooks/a.sh`. */
export function fileNameOf(info: string): string | undefined {
  return FILE_NAME.exec(info)?.[1];
}

/** The blocks of one kind. */
export function fencesOf(kind: Kind): readonly Fence[] {
  return FENCES.filter((fence) => kindOf(fence) === kind);
}

/** The entries of the list of foreign blocks that name no block any more. */
export function staleForeign(): readonly string[] {
  const there = new Set(FENCES.map(({ path, text }) => `${path}: ${text.split("\n")[0] ?? ""}`));
  return Object.keys(FOREIGN).filter((key) => !there.has(key));
}
