// Measures how deep a text nests, on its tokens, before any parser recurses into it. Open brackets count, and unary
// operators in front of an operand.
import { err, ok, type Result } from "../core/result.ts";
import type { Span } from "../core/span.ts";
import { NESTING } from "./limits.ts";
import { type CelProblem, celProblem } from "./cel-problem.ts";
import { scan, type Token } from "./scan-tokens.ts";

/** Refuses a text that opens more than `maxBrackets` brackets at once, or puts more than NESTING unary operators in a row. */
export function checkNesting(text: string, maxBrackets: number): Result<null, CelProblem> {
  if (countOpeners(text) <= Math.min(maxBrackets, NESTING)) return ok(null);
  const outer: number[] = [];
  let waiting = 0;
  let afterOperand = false;
  for (const token of scan(text)) {
    const word = text.slice(token.span.start, token.span.end);
    if (token.kind !== "symbol") {
      afterOperand = word !== "in";
      continue;
    }
    if (OPENING.has(word)) outer.push(waiting);
    else if (CLOSING.has(word)) waiting = outer.pop() ?? 0;
    else if (isUnary(word, afterOperand)) waiting++;
    else if (word !== ".") waiting = outer.at(-1) ?? 0;
    if (outer.length > maxBrackets) return tooDeep(token, `brackets are nested deeper than ${maxBrackets} levels`);
    if (waiting > NESTING) return tooDeep(token, `more than ${NESTING} unary operators on one operand`);
    afterOperand = CLOSING.has(word);
  }
  return ok(null);
}

// Counts the characters that may open a bracket or be a unary operator, also in strings and comments. Most texts have so
// few that the exact check can be skipped.
function countOpeners(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    if (OPENERS.has(text.charCodeAt(at))) count++;
  }
  return count;
}

const OPENERS: ReadonlySet<number> = new Set(Array.from("([{!-", (character) => character.charCodeAt(0)));

/** Whether parentheses that open after `from` enclose the whole node. The span of a node excludes its parentheses. */
export function isParenthesised(text: string, from: number, node: Span): boolean {
  const before = parentheses(text.slice(from, node.start));
  const within = parentheses(text.slice(node.start, node.end));
  return before.opened + within.lowest > 0;
}

// How many parentheses a part of a text opens, and how many it closes that were opened before it.
function parentheses(text: string): { readonly opened: number; readonly lowest: number } {
  let [opened, open, lowest] = [0, 0, 0];
  for (const { kind, span } of scan(text)) {
    const symbol = kind === "symbol" ? text.charAt(span.start) : "";
    if (symbol === "(") {
      opened++;
      open++;
    } else if (symbol === ")") {
      open--;
      lowest = Math.min(lowest, open);
    }
  }
  return { opened, lowest };
}

const OPENING: ReadonlySet<string> = new Set(["(", "[", "{"]);
const CLOSING: ReadonlySet<string> = new Set([")", "]", "}"]);

function isUnary(symbol: string, afterOperand: boolean): boolean {
  return symbol === "!" || (symbol === "-" && !afterOperand);
}

function tooDeep(token: Token, message: string): Result<null, CelProblem> {
  return err(celProblem("rule.limit", message, token.span));
}
