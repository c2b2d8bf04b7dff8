// Value -> YAML that parses to the same value, in block style with every string in double quotes.
import { isJsonList, type Json, type JsonObject } from "../core/json.ts";
import { replaceUnprintable } from "../core/quote.ts";

/** The longest key that YAML allows before a colon, in characters. Longer keys need the explicit form (`? key`). */
const KEY_LENGTH = 1_000;

/** Writes a map as a document. */
export function formatYaml(value: JsonObject): string {
  return `${linesOf(value).join("\n")}\n`;
}

function linesOf(value: Json): readonly string[] {
  if (value === null || typeof value !== "object") return [formatScalar(value)];
  if (isJsonList(value)) {
    return value.length === 0 ? ["[]"] : value.flatMap((item) => below("-", item));
  }
  const members = Object.entries(value);
  if (members.length === 0) return ["{}"];
  return members.flatMap(([key, member]) => {
    const name = formatScalar(key);
    return name.length <= KEY_LENGTH ? below(`${name}:`, member) : [`? ${name}`, ...below(":", member)];
  });
}

// A scalar or an empty collection follows its mark on the same line; everything else gets its own lines.
function below(mark: string, value: Json): readonly string[] {
  const lines = linesOf(value);
  const [only] = lines;
  const isCompound = value !== null && typeof value === "object" && Object.keys(value).length > 0;
  if (!isCompound && only !== undefined) return [`${mark} ${only}`];
  return [mark, ...lines.map((line) => `  ${line}`)];
}

function formatScalar(value: null | boolean | number | string): string {
  return replaceUnprintable(JSON.stringify(value), (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code > 0xffff ? `\\U${hex(code, 8)}` : `\\u${hex(code, 4)}`;
  });
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, "0");
}
