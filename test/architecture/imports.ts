// Tokens -> the imports of a file, in every form: static, type-only, re-exporting, dynamic, `import("...")` in a type,
// and the runtime's own function for its built-in modules.
import type { Token } from "./tokens.ts";

/** An import; `specifier` is undefined for a dynamic import with a computed name, which cannot be checked. */
export type Import = { readonly specifier: string | undefined; readonly line: number };

const CALLS: ReadonlySet<string> = new Set(["import", "require", "getBuiltinModule"]);

/** Finds the imports of a file, in order. */
export function findImports(tokens: readonly Token[]): readonly Import[] {
  const code = tokens.filter((token) => token.kind !== "comment");
  return code.flatMap((token, index) => {
    if (token.kind !== "word" || isMember(code, index)) return [];
    const next = code[index + 1];
    if (CALLS.has(token.text) && next?.text === "(") return [importOf(token, code[index + 2])];
    if (token.text === "import" && next?.kind === "string") return [importOf(token, next)];
    if (token.text === "from" && next?.kind === "string" && isClauseEnd(code[index - 1])) {
      return [importOf(token, next)];
    }
    return [];
  });
}

function importOf({ line }: Token, specifier: Token | undefined): Import {
  return { line, specifier: specifier?.kind === "string" ? specifier.text : undefined };
}

// `process.getBuiltinModule` is an import although it is a member; `somebody.import` and a method called import are
// not.
function isMember(code: readonly Token[], index: number): boolean {
  const before = code[index - 1]?.text;
  return (before === "." || before === "?.") && code[index]?.text !== "getBuiltinModule";
}

// The token before `from "..."`: the end of a list, a star, or a name.
function isClauseEnd(before: Token | undefined): boolean {
  return before !== undefined && (before.text === "}" || before.text === "*" || before.kind === "word");
}
