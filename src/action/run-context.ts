// Program, shell line or file -> the `run` namespace (S004-FR-013). No part of it is verified: it is the agent's own word.
import type { RunContext } from "../core/context.ts";
import type { Problem } from "../core/problem.ts";
import { ok, type Result } from "../core/result.ts";
import { unobservedProgram } from "../core/unobserved.ts";
import { checkArguments, checkText, sortArguments } from "./arguments.ts";
import { canonicalProgram, resolvePath } from "./file-path.ts";
import { type Metadata, textEntry, textsEntry } from "./metadata.ts";
import { refuse } from "./refusal.ts";
import { parseShellLine } from "./shell-line.ts";

/** Makes the namespace of a program, whose arguments are in `metadata.argv`. */
export function toolRun(target: string, metadata: Metadata): Result<RunContext, Problem> {
  const argv = textsEntry(metadata, "argv");
  return argv.ok ? programRun(target, argv.value, metadata) : argv;
}

/** Makes the namespace of a shell line: of its program if it is a simple command; otherwise `sh` with the line as argument and `parsed` false. */
export function shellRun(line: string, metadata: Metadata): Result<RunContext, Problem> {
  if (line.includes("\0")) return refuse("target has a NUL");
  const [program, ...argv] = parseShellLine(line) ?? [];
  if (program !== undefined) return programRun(program, argv, metadata);
  const checked = checkArguments([line]);
  if (!checked.ok) return checked;
  const cwd = workingDirectory(metadata);
  if (!cwd.ok) return cwd;
  // `flags` is left out: the flags are not known, and an empty list would mean that there are none.
  return ok({
    tool: "sh",
    path: "sh",
    ...unobservedProgram("sh"),
    ...cwd.value,
    args: [line],
    argv: [line],
    parsed: false,
  });
}

/** Makes the namespace of a file access, with the absolute path of the file. */
export function fileRun(target: string, metadata: Metadata): Result<RunContext, Problem> {
  const named = checkText(target, "target");
  if (!named.ok) return named;
  const cwd = workingDirectory(metadata);
  if (!cwd.ok) return cwd;
  const path = resolvePath(target, cwd.value.cwd ?? null);
  if (!path.ok) return path;
  const checked = checkText(path.value, "target with metadata.cwd");
  if (!checked.ok) return checked;
  return ok({
    tool: "file",
    path: "file",
    ...unobservedProgram("file"),
    args: [path.value],
    flags: [],
    argv: [path.value],
    parsed: true,
  });
}

function programRun(given: string, argv: readonly string[], metadata: Metadata): Result<RunContext, Problem> {
  const named = checkText(given, "target");
  if (!named.ok) return named;
  const tool = given.slice(given.lastIndexOf("/") + 1);
  if (tool === "" || tool === "." || tool === "..") return refuse("target names no program");
  const checked = checkArguments(argv);
  if (!checked.ok) return checked;
  const cwd = workingDirectory(metadata);
  if (!cwd.ok) return cwd;
  const path = canonicalProgram(given, cwd.value.cwd ?? null);
  const bounded = checkText(path, "target with metadata.cwd");
  if (!bounded.ok) return bounded;
  return ok({ tool, path, ...unobservedProgram(path), ...cwd.value, ...sortArguments(argv), argv, parsed: true });
}

function workingDirectory(metadata: Metadata): Result<{ readonly cwd?: string }, Problem> {
  const cwd = textEntry(metadata, "cwd");
  if (!cwd.ok) return cwd;
  if (cwd.value === null) return ok({});
  const checked = checkText(cwd.value, "metadata.cwd");
  return checked.ok ? ok({ cwd: cwd.value }) : checked;
}
