// Finds files that import each other in a circle; type imports count too.
import { posix } from "node:path";
import { findImports } from "./imports.ts";
import type { SourceFile } from "./source-files.ts";

/** The circles among files, each as its paths in import order, starting with the alphabetically first. */
export function circlesOf(files: readonly SourceFile[]): readonly (readonly string[])[] {
  const imports = new Map(files.map((file) => [file.path, importsOf(file)]));
  const circles = new Map<string, readonly string[]>();
  const done = new Set<string>();
  const follow = (path: string, above: readonly string[]): void => {
    const start = above.indexOf(path);
    if (start >= 0) {
      const circle = inOrder(above.slice(start));
      circles.set(circle.join(" "), circle);
      return;
    }
    if (done.has(path)) return;
    for (const imported of imports.get(path) ?? []) follow(imported, [...above, path]);
    done.add(path);
  };
  for (const path of imports.keys()) follow(path, []);
  return [...circles.values()];
}

function importsOf({ path, tokens }: SourceFile): readonly string[] {
  return findImports(tokens).flatMap(({ specifier }) => {
    return specifier?.startsWith(".") === true ? [posix.join(posix.dirname(path), specifier)] : [];
  });
}

function inOrder(circle: readonly string[]): readonly string[] {
  const first = circle.indexOf(circle.toSorted()[0] ?? "");
  return [...circle.slice(first), ...circle.slice(0, first)];
}
