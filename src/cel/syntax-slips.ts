// Text that is not CEL -> what its author most likely meant: words and operators of other languages. The library stops in
// the middle of a word that it does not expect; here the whole word is named.
import { quote } from "../core/quote.ts";
import { type CelProblem, celProblem } from "./cel-problem.ts";
import { scan, type Token } from "./scan-tokens.ts";

/** The problem with its likely cause, where the text at its place shows one. */
export function explainSyntax(text: string, problem: CelProblem): CelProblem {
  if (problem.code !== "rule.cel-syntax") return problem;
  const [before, at] = tokensAround(text, problem.span.start);
  const wordAt = wordOf(text, at);
  const prefix = [before, at].find((token) => PREFIXES.has(wordOf(text, token)?.toLowerCase() ?? ""));
  if (prefix !== undefined && !WORDS.has(wordAt?.toLowerCase() ?? "")) return unexpectedWord(text, prefix);
  if (at !== undefined && wordAt !== undefined && problem.message.startsWith("unexpected")) {
    return unexpectedWord(text, at);
  }
  const hint = operatorHint(text, problem) ?? listHint(text, problem);
  return hint === undefined ? problem : celProblem(problem.code, problem.message, problem.span, hint);
}

/** Words that other languages have between two operands. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ["and", "write && instead of and"],
  ["or", "write || instead of or"],
  ["is", "write == instead of is"],
  ["eq", "write == instead of eq"],
  ["ne", "write != instead of ne"],
  ["like", 'write x.matches("^...$") with an RE2 pattern, or x.startsWith("...")'],
  ["matches", 'write x.matches("^...$")'],
  ["contains", 'write x.contains("...") for text, and "..." in x for a list'],
  ["startswith", 'write x.startsWith("...")'],
  ["endswith", 'write x.endsWith("...")'],
  ["between", "write x >= 1 && x <= 9"],
  ["then", "write condition ? a : b"],
  ["else", "write condition ? a : b"],
]);

/** Words that other languages have before an operand. */
const PREFIXES: ReadonlyMap<string, string> = new Map([
  ["not", "write ! instead of not, as in !(a == b)"],
  ["if", "a condition is one expression: leave if out, or write condition ? a : b"],
]);

/** The signs that other languages use for operators, longest first. */
const OPERATORS: readonly (readonly [text: string, hint: string])[] = [
  ["===", "write == instead of ==="],
  ["!==", "write != instead of !=="],
  ["=~", 'write x.matches("^...$") instead of =~'],
  ["!~", 'write !x.matches("^...$") instead of !~'],
  ["=>", "write list.exists(x, x == ...), with a comma"],
  ["<>", "write != instead of <>"],
  ["~", 'write x.matches("^...$") instead of ~'],
  ["=", "write == to compare"],
  ["&", "write && instead of &"],
  ["|", "write || instead of |"],
  [";", "a condition is one expression without a semicolon"],
  ["`", "write text in straight quotes"],
  ["\u201c", "write text in straight quotes"],
  ["\u201d", "write text in straight quotes"],
  ["\u2018", "write text in straight quotes"],
  ["\u2019", "write text in straight quotes"],
];

// The operator that contains the place. A single character counts only if it is the text that the library does not know.
function operatorHint(text: string, { message, span: { start: place } }: CelProblem): string | undefined {
  return OPERATORS.find(([operator]) => {
    if (operator.length === 1) return message === `unexpected character: ${operator}`;
    return Array.from(operator, (_, at) => place - at).some((from) => from >= 0 && text.startsWith(operator, from));
  })?.[1];
}

function listHint(text: string, { message, span }: CelProblem): string | undefined {
  const isList = message.includes("got COMMA") &&
    /\bin\s*\([^()]*$/.test(text.slice(Math.max(0, span.start - 200), span.start));
  return isList ? 'write a list in brackets: x in ["a", "b"]' : undefined;
}

function unexpectedWord(text: string, token: Token): CelProblem {
  const word = text.slice(token.span.start, token.span.end);
  const isNotIn = word === "not" && /^\s+in\b/.test(text.slice(token.span.end, token.span.end + 20));
  const hint = isNotIn ? "write !(x in list)" : WORDS.get(word.toLowerCase()) ?? PREFIXES.get(word.toLowerCase());
  return celProblem("rule.cel-syntax", `unexpected word ${quote(word)}`, token.span, hint);
}

// The token before the one at a place, and that token.
function tokensAround(text: string, place: number): readonly [before: Token | undefined, at: Token | undefined] {
  let before: Token | undefined;
  for (const token of scan(text)) {
    if (token.span.end > place) return [before, token];
    before = token;
  }
  return [before, undefined];
}

function wordOf(text: string, token: Token | undefined): string | undefined {
  return token?.kind === "word" ? text.slice(token.span.start, token.span.end) : undefined;
}
