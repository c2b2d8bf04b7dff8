// What a script wrote -> one JSON object, or why it is none. A script reads an agent's words, so its output is foreign text.
import type { HookError } from "../core/hook-error.ts";
import { checkJson, isJsonObject, type JsonObject } from "../core/json.ts";
import { err, ok, type Result } from "../core/result.ts";

/** Reads the whole output of a script, whose size is bounded already. */
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
  try {
    return ok(JSON.parse(text));
  } catch {
    return err("its output is not one JSON object");
  }
}
