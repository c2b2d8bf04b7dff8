// Lines -> an SVG picture of a terminal. It contains escaped text only: no scripts, and no fonts or images from
// elsewhere. Each part is stretched to its number of columns, so the picture looks the same in every monospaced font.
import { COLUMNS, type Look, type Part, type PictureLine } from "./picture-lines.ts";

const CHARACTER = 8;
const LINE = 19;
const MARGIN = 18;
const BAR = 34;
const WIDTH = COLUMNS * CHARACTER + 2 * MARGIN;

const COLOURS: { readonly [Each in Look]: string } = {
  plain: "#c9d1d9",
  heading: "#ffffff",
  prompt: "#8b949e",
  command: "#79c0ff",
  good: "#56d364",
  bad: "#ff7b72",
  quiet: "#8b949e",
};

const TITLE = "The demo of Outcall in a terminal";
const DESCRIPTION = "An agent in a container asks before it acts: git status is allowed and runs, git push -f, " +
  "an unknown host and a secret file are denied, each with a reason.";

/** The SVG file as text. */
export function drawTerminal(lines: readonly PictureLine[]): string {
  const height = BAR + lines.length * LINE + MARGIN;
  const drawn = lines.flatMap((line, index) => drawLine(line, BAR + (index + 1) * LINE));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" ` +
    'aria-labelledby="title description">',
    `<title id="title">${escapeXml(TITLE)}</title>`,
    `<desc id="description">${escapeXml(DESCRIPTION)}</desc>`,
    `<rect width="${WIDTH}" height="${height}" rx="8" fill="#0d1117"/>`,
    ...["#ff5f57", "#febc2e", "#28c840"].map((colour, at) =>
      `<circle cx="${MARGIN + 6 + at * 18}" cy="17" r="5.5" fill="${colour}"/>`
    ),
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="13" ` +
    'xml:space="preserve">',
    ...drawn,
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

function drawLine(line: PictureLine, y: number): readonly string[] {
  if (line.length === 0) return [];
  let column = 0;
  const parts = line.map((part) => {
    const drawn = drawPart(part, MARGIN + column * CHARACTER);
    column += part.text.length;
    return drawn;
  });
  return [`<text y="${y}">${parts.join("")}</text>`];
}

function drawPart({ text, look }: Part, x: number): string {
  const weight = look === "heading" ? ' font-weight="bold"' : "";
  const length = `textLength="${text.length * CHARACTER}" lengthAdjust="spacingAndGlyphs"`;
  return `<tspan x="${x}" ${length} fill="${COLOURS[look]}"${weight}>${escapeXml(text)}</tspan>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeXml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}
