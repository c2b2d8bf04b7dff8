// What the demo prints -> the lines of the picture: from the first thing that the agent does, each part with its colour.

/** How a part of a line looks. */
export type Look = "plain" | "heading" | "prompt" | "command" | "good" | "bad" | "quiet";

/** A part of a line. */
export type Part = { readonly text: string; readonly look: Look };

/** A line of the picture; none of its parts is empty. */
export type PictureLine = readonly Part[];

/** Where the picture begins: building and the table of rules before it differ from machine to machine and say little. */
export const FIRST_HEADING = "In the container: who am I";

/** The short id of a container and the id of a record, which differ from run to run. */
const IDS: readonly (readonly [id: RegExp, shown: string])[] = [
  [/ctr-[0-9a-f]{12}/g, "ctr-4f1d0c9e2b7a"],
  [/rec-[0-9a-f]{12}/g, "rec-5b09c2e7714d"],
];

/** As many columns as fit the width of a page. */
export const COLUMNS = 100;

// deno-lint-ignore no-control-regex
const ESCAPES = /\u001b\[[0-9;]*m/g;

/** The lines of the picture. */
export function pictureLines(output: string): readonly PictureLine[] {
  const lines = output.replaceAll(ESCAPES, "").trimEnd().split("\n");
  const first = lines.indexOf(FIRST_HEADING);
  if (first < 0) throw new Error(`the demo prints no line "${FIRST_HEADING}"`);
  const shown = lines.slice(first).map((line) => cut(withFixedIds(line)));
  const parts = shown.map(lineOf);
  // The space between a heading and its command would make the picture higher than a screen.
  const close = parts.filter((line, index) => line.length > 0 || parts[index - 1]?.[0]?.look !== "heading");
  return [lineOf("$ ./scripts/demo", 0, []), [], ...close];
}

function withFixedIds(line: string): string {
  return IDS.reduce((text, [id, shown]) => text.replaceAll(id, shown), line);
}

function cut(line: string): string {
  return line.length <= COLUMNS ? line : `${line.slice(0, COLUMNS - 1)}…`;
}

function lineOf(line: string, index: number, lines: readonly string[]): PictureLine {
  if (line === "") return [];
  if (line.startsWith("$ ")) return [{ text: "$ ", look: "prompt" }, { text: line.slice(2), look: "command" }];
  if (/^(outcall-agent: )?denied: /.test(line) || line.startsWith("outcall-agent: record ")) {
    return [{ text: line, look: "bad" }];
  }
  if (/^\(.*\)$/.test(line)) return [{ text: line, look: "quiet" }];
  if (line.startsWith("Done:")) return [{ text: line, look: "good" }];
  const decided = /^(allow|block)(\s.*)$/.exec(line);
  if (decided !== null) {
    const [, decision = "", rest = ""] = decided;
    return [{ text: decision, look: decision === "allow" ? "good" : "bad" }, { text: rest, look: "plain" }];
  }
  // A heading stands behind an empty line.
  const isHeading = index === 0 || lines[index - 1] === "";
  return [{ text: line, look: isHeading ? "heading" : "plain" }];
}
