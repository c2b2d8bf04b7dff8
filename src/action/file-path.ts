// File target -> absolute path, `.` and `..` resolved as text: links are the kernel's to follow, in the container, later.
import type { Problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { ok, type Result } from "../core/result.ts";
import { refuse } from "./refusal.ts";

/** The absolute path that `target` names; a relative one needs an absolute working directory. No trailing slash. */
export function resolvePath(target: string, cwd: string | null): Result<string, Problem> {
  if (target.startsWith("/")) return ok(resolved(target));
  if (cwd === null) return refuse(`relative path ${quote(target)} needs metadata.cwd`);
  if (!cwd.startsWith("/")) return refuse(`metadata.cwd ${quote(cwd)} is not absolute`);
  return ok(resolved(`${cwd}/${target}`));
}

function resolved(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}
