// Runs a hook on a context and returns the object that it adds (S003-FR-011 to FR-013). Every failure is one line of text; no
// output of a failed hook is used.
import { closeSync } from "node:fs";
import type { HookError } from "../core/hook-error.ts";
import type { JsonObject } from "../core/json.ts";
import { quote } from "../core/quote.ts";
import { err, type Result } from "../core/result.ts";
import { openScript } from "./open-script.ts";
import { readOutput } from "./read-output.ts";
import { ERROR_BYTES, runScript, type ScriptEnd } from "./run-script.ts";

/** One run of a hook. */
export type HookRequest = {
  /** The rules directory. It holds the script and is the script's working directory. */
  readonly dir: string;
  /** Path of the script, relative to the directory. */
  readonly script: string;
  readonly ruleId: string;
  readonly timeoutMs: number;
  /** The context as conditions see it. */
  readonly input: JsonObject;
  /** Ends the run early. */
  readonly signal?: AbortSignal;
};

/** Runs a hook. The error is the reason of the failure: one line, with foreign text escaped. Never throws. */
export async function runHook(request: HookRequest): Promise<Result<JsonObject, HookError>> {
  const { dir, script, ruleId, timeoutMs, input, signal } = request;
  const opened = openScript(dir, script);
  if (!opened.ok) return opened;
  try {
    const ended = await runScript({
      fd: opened.value,
      workingDir: dir,
      environment: environmentOf(ruleId),
      // The shell's `read` fails on a line without a newline.
      input: `${JSON.stringify(input)}\n`,
      timeoutMs,
      ...(signal === undefined ? {} : { signal }),
    });
    return ended.ok ? judge(ended.value) : ended;
  } finally {
    closeSync(opened.value);
  }
}

const USUAL_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

// Only these variables: the daemon's own environment may hold secrets.
function environmentOf(ruleId: string): Readonly<Record<string, string>> {
  const { PATH = USUAL_PATH, LANG = "C.UTF-8" } = process.env;
  return { PATH, LANG, OUTCALL_RULE_ID: ruleId };
}

function judge({ status, signal, stdout, stderr }: ScriptEnd): Result<JsonObject, HookError> {
  if (status === 0) return readOutput(stdout);
  const end = signal === null ? `exit status ${status}` : `ended by ${signal}`;
  const said = new TextDecoder().decode(stderr).trim();
  if (said === "") return err(end);
  const foreign = quote(said, ERROR_BYTES);
  return err({ reason: `${end}: ${foreign}`, foreign });
}
