// Path of a file or program -> absolute path, with `.` and `..` resolved as text. Symbolic links are not followed: they
// are the container's, and the kernel follows them when the action happens.
import type { Problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { ok, type Result } from "../core/result.ts";
import { refuse } from "./refusal.ts";

/** Returns the absolute path of a target, without a trailing slash; a relative target needs an absolute working directory. */
export function resolvePath(target: string, cwd: string | null): Result<string, Problem> {
  if (target.startsWith("/")) return ok(resolved(target));
  if (cwd === null) return refuse(`relative path ${quote(target)} needs metadata.cwd`);
  if (!cwd.startsWith("/")) return refuse(`metadata.cwd ${quote(cwd)} is not absolute`);
  return ok(resolved(`${cwd}/${target}`));
}

/**
 * Returns the path of a program in canonical form. A name without a slash is kept, since the container's PATH decides which
 * program it means. A relative path without an absolute working directory stays relative.
 */
export function canonicalProgram(path: string, cwd: string | null): string {
  if (path.startsWith("/")) return resolved(path);
  if (!path.includes("/")) return path;
  return cwd?.startsWith("/") === true ? resolved(`${cwd}/${path}`) : relative(path);
}

// Resolves a relative path like an absolute one, so that `tools/../git` does not match a rule about `tools/`. A lone name keeps
// its `./`, because a name without a slash means a program of PATH.
function relative(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === ".." && parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts.length > 1 ? parts.join("/") : `./${parts.join("/")}`;
}

function resolved(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}
