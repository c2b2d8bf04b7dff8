// The checks of the house style that work on a file's text; each returns one line per fault.
import type { SourceFile } from "./source-files.ts";
import type { Token } from "./tokens.ts";

/** Keywords that start an exported declaration. */
const DECLARATIONS = new Set(["abstract", "async", "class", "const", "enum", "function", "interface", "let", "type"]);

/** Finds exported declarations without a doc comment directly before them. */
export function undocumentedExports({ path, tokens }: SourceFile): readonly string[] {
  return tokens.flatMap((token, index) => {
    if (!isTopLevelWord(token, "export")) return [];
    const [next, afterNext] = tokens.slice(index + 1);
    // `export type { A }` re-exports a declaration that is documented elsewhere.
    if (next === undefined || !DECLARATIONS.has(next.text) || afterNext?.text === "{") return [];
    return isDocComment(tokens[index - 1]) ? [] : [`${path}:${token.line}: export without a doc comment`];
  });
}

/** Finds default exports. */
export function defaultExports({ path, tokens }: SourceFile): readonly string[] {
  const found = tokens.filter((token, index) =>
    isTopLevelWord(token, "export") && tokens[index + 1]?.text === "default"
  );
  return found.map(({ line }) => `${path}:${line}: default export`);
}

/** Finds mutable variables at module level: hidden state. */
export function moduleVariables({ path, tokens }: SourceFile): readonly string[] {
  const found = tokens.filter((token) => isTopLevelWord(token, "let") || isTopLevelWord(token, "var"));
  return found.map(({ line }) => `${path}:${line}: variable of a module`);
}

/** Finds errors that are caught and dropped. */
export function emptyCatches({ path, tokens }: SourceFile): readonly string[] {
  const code = tokens.filter(({ kind }) => kind !== "comment");
  return code.flatMap((token, index) => {
    if (token.kind !== "word" || token.text !== "catch" || isMember(code, index)) return [];
    const start = code.findIndex(({ text }, place) => place > index && text === "{");
    return code[start + 1]?.text === "}" ? [`${path}:${token.line}: empty catch`] : [];
  });
}

/** Finds ways around the type checker. */
export function uncheckedTypes({ path, tokens }: SourceFile): readonly string[] {
  return tokens.flatMap((token, index) => {
    if (token.kind === "comment" && /@ts-(ignore|expect-error|nocheck)/.test(token.text)) {
      return [`${path}:${token.line}: type error put aside`];
    }
    const after = tokens[index + 1]?.text;
    const isName = isMember(tokens, index) || after === "(" || after === ":";
    return token.kind === "word" && token.text === "any" && !isName ? [`${path}:${token.line}: any`] : [];
  });
}

/** Finds tests that are skipped by hand, or that skip all others. */
export function handPickedTests({ path, tokens }: SourceFile): readonly string[] {
  return tokens.flatMap((token, index) => {
    const [before, dot] = [tokens[index - 2]?.text ?? "", tokens[index - 1]?.text];
    const picked = ["skip", "only", "todo", "failing"].includes(token.text) && dot === "." &&
      ["test", "it", "describe"].includes(before);
    return picked ? [`${path}:${token.line}: ${before}.${token.text}`] : [];
  });
}

/** The longest file in lines; a longer one should be split. */
export const MAX_LINES = 300;

/** Finds a file over the limit. */
export function oversize({ path, text }: { readonly path: string; readonly text: string }): readonly string[] {
  const lines = text.replace(/\n$/, "").split("\n").length;
  return lines > MAX_LINES ? [`${path}: ${lines} lines, ${MAX_LINES} at most`] : [];
}

const VAGUE = new Set(["common", "helper", "helpers", "index", "manager", "misc", "service", "util", "utils"]);

/** Finds paths whose names are not kebab-case or are meaningless. */
export function misnamed(path: string): readonly string[] {
  return path.split("/").flatMap((part) => {
    const name = part.replace(/(\.test)?\.[a-z]+$/, "");
    if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)) return [`${path}: "${part}" is not kebab-case`];
    return name.split("-").some((word) => VAGUE.has(word)) ? [`${path}: "${part}" says nothing`] : [];
  });
}

function isTopLevelWord(token: Token, text: string): boolean {
  return token.kind === "word" && token.depth === 0 && token.text === text;
}

function isMember(tokens: readonly Token[], index: number): boolean {
  const before = tokens[index - 1]?.text;
  return before === "." || before === "?.";
}

function isDocComment(token: Token | undefined): boolean {
  return token?.kind === "comment" && token.text.startsWith("/**");
}
