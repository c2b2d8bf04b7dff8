// Rules -> the text of a rule file. Every value is a double-quoted scalar in printable ASCII, so no value can end its scalar,
// begin a comment or another member, or look like something else.

/** A rule as it is written down. */
export type WrittenRule = {
  readonly id: string;
  readonly condition: string;
  /** Any text: the parser checks the action of a submission. */
  readonly action: string;
  readonly priority?: number;
  readonly log?: boolean;
  readonly description?: string | null;
  readonly expires?: string | null;
};

/** The text of the file, without comments. */
export function ruleFileText(rules: readonly WrittenRule[]): string {
  const lines = rules.flatMap(({ id, condition, action, priority, log, description, expires }) => [
    `  - id: ${yamlText(id)}`,
    `    condition: ${yamlText(condition)}`,
    `    action: ${yamlText(action)}`,
    ...(priority === undefined ? [] : [`    priority: ${priority}`]),
    ...(log === undefined ? [] : [`    log: ${log}`]),
    ...(description === undefined || description === null ? [] : [`    description: ${yamlText(description)}`]),
    ...(expires === undefined || expires === null ? [] : [`    expires: ${yamlText(expires)}`]),
  ]);
  return ['version: "1"', "rules:", ...lines, ""].join("\n");
}

/** A text as a double-quoted YAML scalar. */
export function yamlText(text: string): string {
  return `"${text.replaceAll(/["\\]|[^\x20-\x7e]/gu, escape)}"`;
}

function escape(character: string): string {
  if (character === '"' || character === "\\") return `\\${character}`;
  const code = character.codePointAt(0) ?? 0;
  if (code <= 0xff) return `\\x${code.toString(16).padStart(2, "0")}`;
  return code <= 0xffff ? `\\u${code.toString(16).padStart(4, "0")}` : `\\U${code.toString(16).padStart(8, "0")}`;
}
