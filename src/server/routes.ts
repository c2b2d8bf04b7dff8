// Route lists: what a path is known for, so that a wrong method can be told from an unknown path.

/** The methods of the routes (`GET /a/:id`) that have this path; none: the path is unknown. */
export function findMethods(routes: readonly string[], path: string): readonly string[] {
  return routes.flatMap((route) => {
    const [method = "", pattern = ""] = route.split(" ");
    return matches(pattern.split("/"), path.split("/")) ? [method] : [];
  });
}

function matches(pattern: readonly string[], path: readonly string[]): boolean {
  return pattern.length === path.length &&
    pattern.every((part, index) => part.startsWith(":") ? path[index] !== "" : part === path[index]);
}

/** The routes that an app really has, as `METHOD path`, in order. */
export function listRoutes(routes: readonly { readonly method: string; readonly path: string }[]): readonly string[] {
  return routes.map(({ method, path }) => `${method} ${path}`);
}
