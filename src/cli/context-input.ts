// `--context` -> contexts: the JSON text itself, `@file` for a file, or `-` for standard input with one JSON text a line.
import { readFileSync } from "node:fs";
import type { Context } from "../core/context.ts";
import { checkJson, isJsonObject } from "../core/json.ts";
import { type Problem, problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { err, type Result } from "../core/result.ts";
import { systemCodeOf } from "../core/thrown.ts";
import { ContextSchema } from "../wire/context-schema.ts";
import { decode, type Mismatch } from "../wire/decode.ts";
import type { Io } from "./io.ts";
import { decodeUtf8, readLines } from "./lines.ts";

/** Longest JSON text of one context, in bytes: sixteen times what either socket accepts, so that no real one is refused. */
export const CONTEXT_LIMIT_BYTES = 1024 * 1024;

/** The contexts that `--context` names, in order; an error ends them. */
export async function* readContexts(source: string, io: Io): AsyncGenerator<Result<Context, Problem>> {
  if (source === "-") yield* readStandardInput(io);
  else if (source.startsWith("@")) yield readContextFile(source.slice(1));
  else yield parseContext(source, (message) => problem("command.usage", `--context: ${message}`));
}

async function* readStandardInput(io: Io): AsyncGenerator<Result<Context, Problem>> {
  let number = 0;
  for await (const line of readLines(io.stdin, CONTEXT_LIMIT_BYTES)) {
    number++;
    const describe = (message: string) => problem("command.input", `line ${number} of standard input: ${message}`);
    if (!line.ok) {
      yield err(describe(line.error));
      return;
    }
    if (line.value.trim() === "") continue;
    const context = parseContext(line.value, describe);
    yield context;
    if (!context.ok) return;
  }
}

function readContextFile(path: string): Result<Context, Problem> {
  const describe = (message: string) => problem("command.input", `${quote(path)}: ${message}`);
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (cause) {
    const reason = systemCodeOf(cause) ?? "unknown error";
    return err(describe(reason === "ENOENT" ? "no such file" : `cannot be read (${reason})`));
  }
  if (bytes.length > CONTEXT_LIMIT_BYTES) return err(describe(`longer than ${CONTEXT_LIMIT_BYTES} bytes`));
  const text = decodeUtf8(bytes);
  return text.ok ? parseContext(text.value, describe) : err(describe(text.error));
}

function parseContext(text: string, describe: (message: string) => Problem): Result<Context, Problem> {
  const context = decodeContext(text);
  if (context.ok) return context;
  const { message, hint } = context.error;
  const described = describe(message);
  return err(hint === undefined ? described : { ...described, hint });
}

function decodeContext(text: string): Result<Context, Mismatch> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The runtimes word this error differently and quote the text unescaped, so their message is not shown.
    return err({ message: "not JSON" });
  }
  if (!isJsonObject(value)) return err({ message: "a context is a JSON object" });
  const checked = checkJson(value);
  if (!checked.ok) return err({ message: checked.error });
  return decode(ContextSchema, value);
}
