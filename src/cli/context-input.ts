// `--context` or `--request` -> contexts. The value is JSON, `@file` for a file, or `-` for standard input with one JSON text
// a line. Each context is returned twice: complete and canonical, as the daemon makes it, and in the form sent to the daemon.
import { readFileSync } from "node:fs";
import { completeContext } from "../action/complete-context.ts";
import { contextOf } from "../action/request-context.ts";
import { NO_AGENT, NO_ENVELOPE } from "../core/always-given.ts";
import type { Context } from "../core/context.ts";
import { checkJson, isJsonObject, type JsonObject } from "../core/json.ts";
import { describeJsonFault, parseJson } from "../core/parse-json.ts";
import { type Problem, problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import { isMissing } from "../core/thrown.ts";
import { reasonOf } from "../file/read-file.ts";
import { type PermissionBody, WhatIfRequest } from "../wire/agent-api.ts";
import { ContextSchema } from "../wire/context-schema.ts";
import { decode, type Mismatch } from "../wire/decode.ts";
import type { Io } from "./io.ts";
import { decodeUtf8, readLines } from "./lines.ts";

/** Longest JSON text of one context, in bytes: sixteen times what either socket accepts, so that no real one is refused. */
export const CONTEXT_LIMIT_BYTES = 1024 * 1024;

/** One input: a complete, canonical context, and a shorter one that the daemon completes to the same context. */
export type WhatIf = { readonly complete: Context; readonly sent: Context };

/** A flag that gives contexts, and its value. */
export type ContextSource = { readonly flag: "context" | "request"; readonly value: string };

/** The contexts that a flag gives, in order; an error ends them. */
export async function* readContexts(source: ContextSource, io: Io): AsyncGenerator<Result<WhatIf, Problem>> {
  const { flag, value } = source;
  if (value === "-") yield* readStandardInput(flag, io);
  else if (value.startsWith("@")) yield readContextFile(flag, value.slice(1));
  else yield parseContext(flag, value, (message) => problem("command.usage", `--${flag}: ${message}`));
}

type FlagName = ContextSource["flag"];

async function* readStandardInput(flag: FlagName, io: Io): AsyncGenerator<Result<WhatIf, Problem>> {
  let number = 0;
  for await (const line of readLines(io.stdin, CONTEXT_LIMIT_BYTES)) {
    number++;
    const describe = (message: string) => problem("command.input", `line ${number} of standard input: ${message}`);
    if (!line.ok) {
      yield err(describe(line.error));
      return;
    }
    if (line.value.trim() === "") continue;
    const context = parseContext(flag, line.value, describe);
    yield context;
    if (!context.ok) return;
  }
}

function readContextFile(flag: FlagName, path: string): Result<WhatIf, Problem> {
  const describe = (message: string) => problem("command.input", `${quote(path)}: ${message}`);
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (cause) {
    return err(describe(isMissing(cause) ? "no such file" : `cannot be read: ${reasonOf(cause)}`));
  }
  if (bytes.length > CONTEXT_LIMIT_BYTES) return err(describe(`longer than ${CONTEXT_LIMIT_BYTES} bytes`));
  const text = decodeUtf8(bytes);
  return text.ok ? parseContext(flag, text.value, describe) : err(describe(text.error));
}

function parseContext(
  flag: FlagName,
  text: string,
  describe: (message: string) => Problem,
): Result<WhatIf, Problem> {
  const whatIf = flag === "context" ? decodeContext(text) : decodeRequest(text);
  if (whatIf.ok) return whatIf;
  const { message, hint } = whatIf.error;
  const described = describe(message);
  return err(hint === undefined ? described : { ...described, hint });
}

function decodeContext(text: string): Result<WhatIf, Mismatch> {
  const value = readObject(text, "a context");
  if (!value.ok) return value;
  const checked = checkJson(value.value);
  if (!checked.ok) return err({ message: checked.error });
  const sent = decode(ContextSchema, value.value);
  if (!sent.ok) return sent;
  const complete = completeContext(sent.value);
  return complete.ok ? ok({ complete: complete.value, sent: sent.value }) : complete;
}

function decodeRequest(text: string): Result<WhatIf, Mismatch> {
  const value = readObject(text, "a request");
  if (!value.ok) return value;
  const request = decode(WhatIfRequest, value.value);
  return request.ok ? whatIfOf(request.value) : request;
}

/**
 * Returns the input for a request in an agent's form. The daemon gives every request its container and envelope, so rules see
 * them here too: a container without a name, and no envelope.
 */
export function whatIfOf(request: PermissionBody): Result<WhatIf, Problem> {
  const context = contextOf(request);
  if (!context.ok) return context;
  const complete = { observed: false, agent: NO_AGENT, envelope: NO_ENVELOPE, ...context.value };
  if (complete.run === undefined) return ok({ complete, sent: complete });
  // The daemon derives these members again. They are left out, because they could make the body too large.
  const { args: _args, flags: _flags, context: _context, ...run } = complete.run;
  return ok({ complete, sent: { ...complete, run } });
}

function readObject(text: string, what: string): Result<JsonObject, Mismatch> {
  const value = parseJson(text);
  if (!value.ok) return err({ message: describeJsonFault(value.error) });
  return isJsonObject(value.value) ? ok(value.value) : err({ message: `${what} is a JSON object` });
}
