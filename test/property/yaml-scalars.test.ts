// Random scalars in every style: each character of the value is found in the file at its recorded place.
import { describe, expect, test } from "bun:test";
import { OPERATOR_LIMITS, parseRuleFile } from "../../src/rule/parse-rule-file.ts";
import type { SourceText } from "../../src/core/source-text.ts";
import { type Random, seededRandom } from "../support/random.ts";
import { CASES as ALL_CASES } from "../support/cases.ts";

/** For each of the ten combinations of style and line end. */
const CASES = Math.max(1_000, Math.ceil(ALL_CASES / 10));
const TIMEOUT_MS = 600_000;
const SEED = Number(process.env["OUTCALL_SEED"] ?? Math.floor(Math.random() * 2 ** 31));

/** A way to write a scalar: the text after `condition:` in a rule whose members are indented by `indent`. */
type Writer = (random: Random, indent: number) => string;

const LETTERS = ["a", "b", "é", "😀", "$x", "==", "(", "\u2028", "\u0085", "\u00a0", "0", "true"];
const BLANKS = ["", " ", "  ", "\t", " \t "];

const WRITERS: { readonly [style: string]: Writer } = {
  plain: (random, indent) => lines(random, indent, () => words(random, LETTERS)),
  single: (random, indent) =>
    `'${lines(random, indent, () => words(random, [...LETTERS, "''", '"', ": ", " #", "\\"]))}'`,
  double: (random, indent) =>
    `"${lines(random, indent, () => words(random, [...LETTERS, ...ESCAPES, "'", ": ", " #"]))}"`,
  literal: (random, indent) => block(random, indent, "|"),
  folded: (random, indent) => block(random, indent, ">"),
};

const ESCAPES = [
  ...'0abefnrtvN_LP "/\\\t'.split("").map((kind) => `\\${kind}`),
  "\\x41",
  "\\u00e9",
  "\\ud83d\\ude00",
  "\\U0001F600",
  "\\\n  ",
  "\\\n \n\t ",
];

describe("SourceText.place", () => {
  for (const [style, write] of Object.entries(WRITERS)) {
    for (const lineEnd of ["\n", "\r\n"]) {
      test(`${style} scalars with ${JSON.stringify(lineEnd)}, seed ${SEED}`, () => {
        const random = seededRandom(SEED);
        let accepted = 0;
        for (let index = 0; index < CASES; index++) accepted += checkCase(random, write, lineEnd);
        expect(accepted).toBeGreaterThan(CASES / 4);
      }, TIMEOUT_MS);
    }
  }
});

function checkCase(random: Random, write: Writer, lineEnd: string): number {
  const indent = 2 + random.below(3);
  const layout = random.pick(LAYOUTS);
  const text = `version: "1"\n${layout(" ".repeat(indent), write(random, indent))}`.replaceAll("\n", lineEnd);
  const { document, findings } = parseRuleFile("f", text, OPERATOR_LIMITS);
  const source = document?.rules[0]?.condition ?? document?.definitions[0]?.expression;
  if (source === undefined) {
    // A random text may not be a valid scalar; then it must be an error.
    expect({ text, findings: findings.length > 0 }).toEqual({ text, findings: true });
    return 0;
  }
  checkPlaces(text, source);
  return 1;
}

/** The position of the scalar: in the middle of the file, at its end, or used through an alias. */
const LAYOUTS: readonly ((pad: string, scalar: string) => string)[] = [
  (pad, scalar) => `rules:\n-${pad.slice(1)}id: r\n${pad}condition: ${scalar}\n${pad}action: allow\n`,
  (pad, scalar) => `rules:\n-${pad.slice(1)}id: r\n${pad}action: allow\n${pad}condition:\n ${pad}${scalar}\n`,
  (pad, scalar) => `definitions:\n${pad}d: ${scalar}`,
  (pad, scalar) => `definitions:\n${pad}d: ${scalar}\n`,
  (pad, scalar) => `definitions:\n${pad}d: &d ${scalar}\nrules:\n- {id: r, condition: *d, action: block}`,
];

function checkPlaces(text: string, { text: value, place }: SourceText): void {
  const starts = [0, ...[...text.matchAll(/\n/g)].map((feed) => feed.index + 1)];
  const offsetOf = (line: number, column: number): number => (starts[line - 1] ?? Number.NaN) + column - 1;
  let end = 0;
  for (let offset = 0; offset < value.length; offset++) {
    const at = place(offset, offset + 1);
    const from = offsetOf(at.line, at.column);
    const to = offsetOf(at.endLine, at.endColumn);
    const written = text.slice(from, to);
    const context = { text, offset, written, character: value[offset], from, end };
    expect({ ...context, fits: standsFor(written, value, offset) }).toEqual({ ...context, fits: true });
    // Places are in order and do not overlap, except for the two halves of a surrogate pair from one escape.
    const isSecondHalf = written.startsWith("\\U") && end === to;
    expect({ ...context, isOrdered: from >= end || isSecondHalf }).toEqual({ ...context, isOrdered: true });
    end = to;
  }
  const whole = place(0, value.length);
  if (value.length > 0) expect(offsetOf(whole.endLine, whole.endColumn)).toBe(end);
}

/** Whether the text at a place can produce the character of the value. */
function standsFor(written: string, value: string, offset: number): boolean {
  const character = value[offset] ?? "";
  if (written === character) return true;
  if (written === "''") return character === "'";
  if (written.startsWith("\\")) return escapeGives(written, value, offset);
  const isBreak = written === "\n" || written === "\r\n";
  // At the end of the file, the last line feed of a block scalar may be implicit.
  return isBreak ? character === " " || character === "\n" : written === "" && character === "\n";
}

function escapeGives(written: string, value: string, offset: number): boolean {
  const decoded: unknown = JSON.parse(`"${written.length > 6 ? toPair(written) : toJsonEscape(written)}"`);
  if (typeof decoded !== "string") return false;
  return decoded.length === 1 ? decoded === value[offset] : decoded.includes(value[offset] ?? "none");
}

function toPair(written: string): string {
  return String.fromCodePoint(Number.parseInt(written.slice(2), 16));
}

function toJsonEscape(written: string): string {
  const codes: { readonly [kind: string]: string } = {
    "0": "0000",
    "a": "0007",
    "e": "001b",
    "v": "000b",
    "N": "0085",
    "_": "00a0",
    "L": "2028",
    "P": "2029",
    " ": "0020",
    "\t": "0009",
  };
  const kind = written[1] ?? "";
  if (kind === "x") return `\\u00${written.slice(2)}`;
  const code = codes[kind];
  return code === undefined ? written : `\\u${code}`;
}

function words(random: Random, from: readonly string[]): string {
  let text = random.pick(LETTERS.slice(0, 4));
  for (let count = random.below(5); count > 0; count--) {
    text += random.pick(["", "", " ", "  ", "\t"]) + random.pick(from);
  }
  return text;
}

function lines(random: Random, indent: number, line: () => string): string {
  let text = line();
  for (let count = random.below(4); count > 0; count--) {
    text += random.pick(BLANKS);
    for (let blank = random.below(3); blank > 0; blank--) text += `\n${random.pick(["", " ", " ".repeat(indent + 2)])}`;
    text += `\n${" ".repeat(indent + 1 + random.below(3))}${random.pick(["", "", "\t"])}${line()}`;
  }
  return text;
}

function block(random: Random, indent: number, kind: string): string {
  const explicit = random.below(3) === 0 ? 1 + random.below(3) : 0;
  const base = explicit > 0 ? indent + explicit : indent + 1 + random.below(3);
  const indicators = [explicit > 0 ? String(explicit) : "", random.pick(["", "-", "+"])];
  if (random.below(2) === 0) indicators.reverse();
  let text = `${kind}${indicators.join("")}${random.pick(["", " ", " # why"])}`;
  for (let count = random.below(7); count > 0; count--) {
    const more = " ".repeat(random.below(4) === 0 ? random.below(4) : 0);
    const content = random.pick([
      () => "",
      () => words(random, LETTERS),
      () => `\t${words(random, LETTERS)}`,
      () => words(random, LETTERS),
    ]);
    const isShort = random.below(6) === 0;
    text += isShort ? `\n${" ".repeat(random.below(base))}` : `\n${" ".repeat(base)}${more}${content()}`;
  }
  return text;
}
