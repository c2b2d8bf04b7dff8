// Method and path -> route of a table: tells a wrong method (405) from an unknown path (404).
import type { RouteName } from "../wire/route.ts";

/** The route with this method and path; undefined if there is none. */
export function findRoute(names: readonly RouteName[], method: string, path: string): RouteName | undefined {
  return withPath(names, path).find((name) => name.startsWith(`${method} `));
}

/** The methods of the routes that have this path; none: the path is unknown. */
export function findMethods(names: readonly RouteName[], path: string): readonly string[] {
  return withPath(names, path).map((name) => name.slice(0, name.indexOf(" ")));
}

function withPath(names: readonly RouteName[], path: string): readonly RouteName[] {
  return names.filter((name) => matches(name.slice(name.indexOf(" ") + 1).split("/"), path.split("/")));
}

function matches(pattern: readonly string[], path: readonly string[]): boolean {
  return pattern.length === path.length &&
    pattern.every((part, index) => part.startsWith(":") ? path[index] !== "" : part === path[index]);
}
