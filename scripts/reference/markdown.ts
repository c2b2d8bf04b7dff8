// Pieces of Markdown: tables with escaped cells, code in running text, code blocks.

/** A table; cells are Markdown, and characters that would end a cell are escaped. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(" | ")} |\n`;
  return `${line(head)}|${"---|".repeat(head.length)}\n${rows.map(line).join("")}`;
}

/** A text as inline code, in as many backticks as it needs. */
export function code(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const ticks = "`".repeat(longest + 1);
  const space = text.startsWith("`") || text.endsWith("`") ? " " : "";
  return `${ticks}${space}${text}${space}${ticks}`;
}

/** A block of code. */
export function block(language: string, text: string): string {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\`\n`;
}

/** The anchor of a heading, as GitHub and similar viewers generate it. */
export function anchor(heading: string): string {
  return heading.toLowerCase().replaceAll(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-");
}

/** A list in words: `a`, `a or b`, `a, b or c`. */
export function words(items: readonly string[], last = "or"): string {
  if (items.length < 2) return items.join("");
  return `${items.slice(0, -1).join(", ")} ${last} ${items.at(-1)}`;
}

/** The parts of a page, separated by empty lines. */
export function page(parts: readonly string[]): string {
  return `${parts.filter((part) => part !== "").map((part) => part.trimEnd()).join("\n\n")}\n`;
}

/** Tells readers that the page is generated and must not be edited by hand. */
export const GENERATED = "This page is generated from the source code by `bun run reference`. Do not edit it by hand.";

function cell(text: string): string {
  return outsideCode(text).replaceAll("|", "\\|").replaceAll("\n", " ").trim();
}

// Outside of inline code, a viewer would read `<name>` as a tag and `*` as emphasis.
function outsideCode(text: string): string {
  return text.replaceAll(/(`+)[\s\S]*?\1|<br>|<|\*/g, (found) => found === "<" || found === "*" ? `\\${found}` : found);
}
