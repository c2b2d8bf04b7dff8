// Arguments, environment and working directory of the shim, as text that encodes to the same bytes, or an error. The runtime
// replaces invalid UTF-8 and merges variables that are given twice, so the program could get other values than were judged.
import { Buffer } from "node:buffer";
import { accessSync, readFileSync, readlinkSync } from "node:fs";
import { type Problem, problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import { hasNoLinker } from "./linker.ts";

/** Checks that the arguments, which are the last ones of the process, are byte for byte those that it was started with. */
export function checkArguments(given: readonly string[]): Result<null, Problem> {
  const raw = readEntries("/proc/self/cmdline");
  if (!raw.ok) return raw;
  const last = raw.value.slice(raw.value.length - given.length);
  for (const [index, text] of given.entries()) {
    if (last[index]?.equals(Buffer.from(text)) === true) continue;
    return err(inexact(`argument ${quote(text)}`, "it is not valid UTF-8"));
  }
  return ok(null);
}

/** The environment that the process was started with, and the value of `PATH` in it. */
export type CallerEnvironment = {
  readonly path: string | undefined;
  /** The variables to pass on; empty if the start code of the process passes them on. */
  readonly variables: Readonly<Record<string, string>>;
};

/** Reads the environment. An environment that an object cannot hold is an error, except in the static build, which passes on the bytes. */
export function readEnvironment(compiled: boolean): Result<CallerEnvironment, Problem> {
  const raw = readEntries("/proc/self/environ");
  if (!raw.ok) return raw;
  const linkerless = compiled ? hasNoLinker() : ok(false);
  if (!linkerless.ok) return linkerless;
  const variables = linkerless.value ? ok({}) : parseEnvironment(raw.value);
  if (!variables.ok) return variables;
  const path = findPath(raw.value);
  return path.ok ? ok({ path: path.value, variables: variables.value }) : path;
}

/** Returns the value of the first `PATH` entry, as getenv(3) does. */
export function findPath(entries: readonly Buffer[]): Result<string | undefined, Problem> {
  const entry = entries.find((each) => each.subarray(0, PATH.length).equals(PATH));
  if (entry === undefined) return ok(undefined);
  const text = exactText(entry);
  if (text === undefined) return err(inexact("the environment", '"PATH" is not valid UTF-8'));
  return ok(text.slice(PATH.length));
}

const PATH = Buffer.from("PATH=");

/** Returns entries `name=value` as an object; an error if the object would lose an entry. */
export function parseEnvironment(entries: readonly Buffer[]): Result<Readonly<Record<string, string>>, Problem> {
  const variables = new Map<string, string>();
  for (const entry of entries) {
    const text = exactText(entry);
    if (text === undefined) return err(inexact("the environment", `${quote(nameOf(entry))} is not valid UTF-8`));
    const equals = text.indexOf("=");
    if (equals < 1) return err(inexact("the environment", `${quote(nameOf(entry))} is not a variable`));
    const name = text.slice(0, equals);
    if (variables.has(name)) return err(inexact("the environment", `${quote(name)} is in it twice`));
    variables.set(name, text.slice(equals + 1));
  }
  return ok(Object.fromEntries(variables));
}

/** Returns the working directory as an absolute path. */
export function readWorkingDirectory(): Result<string, Problem> {
  const link = readLink("/proc/self/cwd");
  if (!link.ok) return link;
  const text = exactText(link.value);
  if (text === undefined) return err(inexact("the working directory", "its path is not valid UTF-8"));
  // After the directory is removed, the kernel's link still exists and has a name that is not a path.
  if (!text.startsWith("/") || !isReachable(text)) {
    return err(inexact("the working directory", `${quote(text)} does not exist`));
  }
  return ok(text);
}

function isReachable(path: string): boolean {
  try {
    accessSync(path);
    return true;
  } catch {
    return false; // stat(2) answers no by failing.
  }
}

function readEntries(path: string): Result<Buffer[], Problem> {
  try {
    return ok(splitAtNul(readFileSync(path)));
  } catch (cause) {
    return err(problem("agent.program", `${path} cannot be read`, { cause }));
  }
}

function readLink(path: string): Result<Buffer, Problem> {
  try {
    // Deno returns plain bytes here.
    return ok(Buffer.from(readlinkSync(path, { encoding: "buffer" })));
  } catch (cause) {
    return err(problem("agent.program", `${path} cannot be read`, { cause }));
  }
}

function splitAtNul(bytes: Buffer): Buffer[] {
  const entries: Buffer[] = [];
  for (let start = 0; start < bytes.length;) {
    const nul = bytes.indexOf(0, start);
    const end = nul < 0 ? bytes.length : nul;
    entries.push(bytes.subarray(start, end));
    start = end + 1;
  }
  return entries;
}

function exactText(bytes: Buffer): string | undefined {
  const text = bytes.toString("utf8");
  return Buffer.from(text).equals(bytes) ? text : undefined;
}

// Messages never show the value of a variable, which may be a secret.
function nameOf(entry: Buffer): string {
  return entry.toString("utf8").split("=", 1)[0] ?? "";
}

function inexact(what: string, why: string): Problem {
  return problem("agent.program", `${what} cannot be passed on exactly: ${why}`);
}
