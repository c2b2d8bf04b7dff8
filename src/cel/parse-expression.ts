// CEL text -> Tree: checks the syntax only. A text over a limit is refused before the library recurses into it. Any text
// gives a tree or a problem; nothing throws.
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import type { Span } from "../core/span.ts";
import { convert } from "./convert.ts";
import { createLibrary, type Library, type LibraryParse, parseWithLibrary } from "./library.ts";
import { NESTING, WRITTEN_BYTES } from "./limits.ts";
import { checkNesting } from "./nesting.ts";
import { type CelProblem, celProblem } from "./cel-problem.ts";
import { findAmbiguousString, scan, type Token } from "./scan-tokens.ts";
import { explainSyntax } from "./syntax-slips.ts";
import type { Tree } from "./tree.ts";

/** A well-formed expression. Its names and types are not checked yet. */
export type Parsed = { readonly text: string; readonly tree: Tree; readonly nodes: number };

/** With `references`, `$name` refers to a definition; without, a `$` is refused. */
export type ParseOptions = { readonly references?: boolean };

const AMBIGUOUS =
  "a backslash in a raw string does not escape the character after it, and must not stand before a quote";
const AMBIGUOUS_HINT = "use the other kind of quote, or a string that is not raw";

const SYNTAX_ONLY: Library = createLibrary({ namespaces: {}, variables: {} });

/** Parses one condition or definition as written. It must be one complete expression by itself. */
export function parse(text: string, options: ParseOptions = {}): Result<Parsed, CelProblem> {
  const parsed = parseSource(SYNTAX_ONLY, { ...asWritten(text), references: options.references ?? false });
  return parsed.ok ? ok({ text, tree: parsed.value.tree, nodes: parsed.value.nodes }) : parsed;
}

/** Parses a text with references, with the library that will check the result. */
export function parseWritten(text: string, library: Library): Result<ParsedSource, CelProblem> {
  return parseSource(library, asWritten(text));
}

function asWritten(text: string): Source {
  return { text, maxBytes: WRITTEN_BYTES, maxBrackets: NESTING, references: true };
}

/** A text with the limits that it is parsed under. */
export type Source = {
  readonly text: string;
  readonly maxBytes: number;
  readonly maxBrackets: number;
  readonly references: boolean;
};

/** A parsed text, with the library's own parse of it, which the library's checker needs. */
export type ParsedSource = { readonly tree: Tree; readonly nodes: number; readonly library: LibraryParse };

/** Parses a text under the given limits. */
export function parseSource(library: Library, source: Source): Result<ParsedSource, CelProblem> {
  const { text } = source;
  const size = checkSize(text, source.maxBytes);
  if (!size.ok) return size;
  const nesting = checkNesting(text, source.maxBrackets);
  if (!nesting.ok) return nesting;
  const ambiguous = findAmbiguousString(text);
  if (ambiguous !== null) return err(celProblem("rule.cel-syntax", AMBIGUOUS, ambiguous, AMBIGUOUS_HINT));
  const plain = source.references ? hideReferences(text) : ok(text);
  if (!plain.ok) return plain;
  const parsed = parseWithLibrary(library, plain.value);
  if (!parsed.ok) return err(explainSyntax(text, parsed.error));
  const converted = convert(parsed.value.root, text);
  return converted.ok ? ok({ ...converted.value, library: parsed.value }) : converted;
}

function checkSize(text: string, maxBytes: number): Result<null, CelProblem> {
  const whole: Span = { start: 0, end: text.length };
  // A UTF-16 unit is one to three bytes, so most texts need no count.
  if (text.length > maxBytes || (text.length * 3 > maxBytes && new TextEncoder().encode(text).length > maxBytes)) {
    return err(celProblem("rule.limit", `expression is larger than ${maxBytes / 1024} KiB`, whole));
  }
  if (text.isWellFormed()) return ok(null);
  return err(celProblem("rule.cel-syntax", "expression is not well-formed Unicode", whole));
}

// `$name` becomes `Rname`, which the library reads as a name at the same offsets (no word of CEL begins with a capital);
// the tree tells them apart by the text.
function hideReferences(text: string): Result<string, CelProblem> {
  if (!text.includes("$")) return ok(text);
  let plain = "";
  let copied = 0;
  let before: Token | undefined;
  for (const token of scan(text)) {
    const misplaced = before === undefined ? undefined : misplacedReference(text, before, token);
    if (misplaced !== undefined) return err(misplaced);
    if (token.kind === "reference") {
      plain += `${text.slice(copied, token.span.start)}R`;
      copied = token.span.start + 1;
    }
    before = token;
  }
  return ok(plain + text.slice(copied));
}

// An expanded reference is an expression in parentheses. It may only stand where such an expression may, and must not turn
// the text before it or after it into a call.
function misplacedReference(text: string, token: Token, next: Token): CelProblem | undefined {
  if (next.kind === "reference") {
    if (text.slice(token.span.start, token.span.end) === ".") return notAnExpression(text, next.span, "a field");
    if (token.kind === "string" || token.kind === "symbol" || token.span.end < next.span.start) return undefined;
    return celProblem("rule.cel-syntax", "unexpected character: $", {
      start: next.span.start,
      end: next.span.start + 1,
    });
  }
  if (token.kind !== "reference" || text.charAt(next.span.start) !== "(") return undefined;
  return notAnExpression(text, token.span, "a function");
}

function notAnExpression(text: string, span: Span, what: string): CelProblem {
  const name = quote(text.slice(span.start, span.end));
  return celProblem("rule.cel-syntax", `a definition is an expression and cannot be ${what}: ${name}`, span);
}
