// Output of the demo -> the lines of the picture, in coloured parts. It starts with the agent's first command.

/** The style of a part of a line. */
export type Look = "plain" | "heading" | "prompt" | "command" | "good" | "bad" | "quiet";

/** A part of a line. */
export type Part = { readonly text: string; readonly look: Look };

/** A line of the picture; none of its parts is empty. */
export type PictureLine = readonly Part[];

/** The picture starts here: the output of the build and the rule list before it differ from machine to machine. */
export const FIRST_HEADING = "The agent in the container checks in";

/** A container's short id, which differs in each run. */
const SHORT_ID = /ctr-[0-9a-f]{12}/g;

/** A decision record's id, which differs in each run. */
const RECORD_ID = /rec-[0-9a-f]{12}/g;

function withFixedIds(line: string): string {
  return line.replaceAll(SHORT_ID, "ctr-4f1d0c9e2b7a").replaceAll(RECORD_ID, "rec-a63fc09fdbe5");
}

/** The number of columns that fit the width of a page. */
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
  // Drops the space between a heading and its command, so that the picture fits a screen.
  const close = parts.filter((line, index) => line.length > 0 || parts[index - 1]?.[0]?.look !== "heading");
  return [lineOf("$ ./scripts/demo", 0, []), [], ...close];
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
  // A heading follows an empty line.
  const isHeading = index === 0 || lines[index - 1] === "";
  return [{ text: line, look: isHeading ? "heading" : "plain" }];
}
