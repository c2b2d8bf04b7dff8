// Pieces of Markdown: tables whose cells cannot break them, and code in the text.

/** A table; cells are Markdown, and what would end a cell is escaped. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(" | ")} |\n`;
  return `${line(head)}|${"---|".repeat(head.length)}\n${rows.map(line).join("")}`;
}

/** A text in backticks, as many as it takes. */
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

/** The place of a heading in its page, as the usual viewers name it. */
export function anchor(heading: string): string {
  return heading.toLowerCase().replaceAll(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-");
}

/** A list as words: `a`, `a or b`, `a, b or c`. */
export function words(items: readonly string[], last = "or"): string {
  if (items.length < 2) return items.join("");
  return `${items.slice(0, -1).join(", ")} ${last} ${items.at(-1)}`;
}

/** Parts of a page, an empty line between them. */
export function page(parts: readonly string[]): string {
  return `${parts.filter((part) => part !== "").map((part) => part.trimEnd()).join("\n\n")}\n`;
}

/** Says of a page where it comes from, so that nobody mends it by hand. */
export const GENERATED = "Made from the source by `bun run reference`; a test holds it against the source.";

function cell(text: string): string {
  return outsideCode(text).replaceAll("|", "\\|").replaceAll("\n", " ").trim();
}

// A viewer would take `<name>` for a tag and `*` for emphasis; within backticks both are themselves.
function outsideCode(text: string): string {
  return text.replaceAll(/(`+)[\s\S]*?\1|<br>|<|\*/g, (found) => found === "<" || found === "*" ? `\\${found}` : found);
}
