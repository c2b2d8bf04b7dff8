// `outcall-agent link`: makes links to the shim in a directory that comes early in PATH. Existing files are never replaced, and
// if one name is invalid, no link is made.
import { mkdirSync, readlinkSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { type Problem, problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import { systemCodeOf } from "../core/thrown.ts";
import { AGENT_PROGRAM } from "./program.ts";
import type { Task } from "./task.ts";

/** Makes the directory, if it does not exist, and the links. */
export function runLink(task: Task, directory: string, names: readonly string[]): Result<number, Problem> {
  if (!task.invocation.compiled) return err(problem("agent.link", "only the compiled program can be linked to"));
  const wrong = names.find((name) => !isProgramName(name));
  if (wrong !== undefined) {
    return err(problem("command.usage", `link: ${quote(wrong)} cannot be the name of a program behind a link`));
  }
  const made = attempt(`make directory ${quote(directory)}`, () => mkdirSync(directory, { recursive: true }));
  if (!made.ok) return made;
  const shim = attempt("find the shim's own file", () => readlinkSync(task.invocation.file));
  if (!shim.ok) return shim;
  for (const name of names) {
    const linked = makeLink(join(directory, name), shim.value);
    if (!linked.ok) return linked;
  }
  return ok(0);
}

function isProgramName(name: string): boolean {
  // A link with the shim's own name would take commands and not ask about a program.
  return name !== "" && name !== "." && name !== ".." && !name.includes("/") && !name.startsWith(AGENT_PROGRAM.name);
}

function makeLink(path: string, shim: string): Result<unknown, Problem> {
  const made = attempt(`link ${quote(path)}`, () => symlinkSync(shim, path));
  if (made.ok) return made;
  const present = attempt(`read ${quote(path)}`, () => readlinkSync(path));
  return present.ok && present.value === shim ? ok(null) : made;
}

function attempt<T>(what: string, action: () => T): Result<T, Problem> {
  try {
    return ok(action());
  } catch (cause) {
    const code = systemCodeOf(cause);
    const reason = code === undefined ? "" : `: ${code}`;
    return err(problem("agent.link", `cannot ${what}${reason}`, { cause }));
  }
}
