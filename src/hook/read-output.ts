// Output of a script -> one JSON object, or why it is not one. Scripts process agents' texts, so their output is not trusted.
import type { HookError } from "../core/hook-error.ts";
import { checkJson, isJsonObject, type JsonObject } from "../core/json.ts";
import { describeJsonFault, parseJson } from "../core/parse-json.ts";
import { err, ok, type Result } from "../core/result.ts";

/** Parses the output of a script; its size has been limited before. */
export function readOutput(output: Uint8Array): Result<JsonObject, HookError> {
  const parsed = parse(output);
  if (!parsed.ok) return parsed;
  if (!isJsonObject(parsed.value)) return err("its output is JSON, but not an object");
  const checked = checkJson(parsed.value);
  return checked.ok
    ? ok(parsed.value)
    : err({ reason: `its output is not acceptable: ${checked.error}`, foreign: checked.error });
}

function parse(output: Uint8Array): Result<unknown, string> {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(output);
  } catch {
    return err("its output is not UTF-8");
  }
  if (text.trim() === "") return err("it wrote nothing");
  const value = parseJson(text);
  if (value.ok) return value;
  if (value.error.twice === null) return err("its output is not one JSON object");
  return err(`its output is not acceptable: ${describeJsonFault(value.error)}`);
}
