// Operators of conditions: what the checker lets stand on both sides of each is found by asking it.
import type { BinaryOperator } from "../../src/cel/tree.ts";
import { plainType, resultOf, typeOf } from "./evaluate-example.ts";
import { code, table, words } from "./markdown.ts";

/** One expression of each kind. */
const SAMPLES = {
  int: "1",
  uint: "1u",
  double: "1.5",
  string: '"a"',
  bytes: 'b"a"',
  bool: "true",
  null: "null",
  list: "[1]",
  map: '{"a": 1}',
  timestamp: 'timestamp("2026-01-01T00:00:00Z")',
  duration: 'duration("1s")',
  type: "type(1)",
} as const;

type Kind = keyof typeof SAMPLES;

const BINARY: Readonly<Record<BinaryOperator, { readonly meaning: string; readonly example: string }>> = {
  "*": { meaning: "Product.", example: "6 * 7" },
  "/": { meaning: "Quotient, of integers cut towards zero; by zero it fails.", example: "7 / 2" },
  "%": { meaning: "Remainder.", example: "7 % 2" },
  "+": { meaning: "Sum, or one behind the other.", example: '"a" + "b"' },
  "-": { meaning: "Difference.", example: "7 - 2" },
  "<": { meaning: "Less.", example: '"a" < "b"' },
  "<=": { meaning: "Less or equal.", example: "1 <= 1" },
  ">": { meaning: "Greater.", example: "2u > 1" },
  ">=": { meaning: "Greater or equal.", example: "1 >= 2" },
  "==": { meaning: "Equal; lists and maps by their elements.", example: "[1, 2] == [1, 2]" },
  "!=": { meaning: "Not equal.", example: '"a" != "A"' },
  in: { meaning: "An element of a list, a key of a map.", example: '"push" in ["push", "pull"]' },
};

const OTHERS: readonly (readonly [operator: string, takes: string, meaning: string, example: string])[] = [
  [
    "x.field, x[i]",
    "namespace, map; list, map",
    "A field, an element, a value. One that is not there fails.",
    "[7, 8][1]",
  ],
  ["!", "bool", "Not.", "!true"],
  ["-", "int, double", "Minus.", "-(1)"],
  ["&&", "bool", "And. One false makes it false, even where the other fails.", "false && 1 / 0 == 1"],
  ["||", "bool", "Or. One true makes it true, even where the other fails.", "true || 1 / 0 == 1"],
  ["c ? a : b", "bool, then two of one type", "`a` where `c` is true, else `b`.", '1 < 2 ? "a" : "b"'],
];

/** The table of operators, those that bind tightest first. */
export function operatorTable(): string {
  const binary = Object.entries(BINARY).map(([operator, { meaning, example }]) => {
    return [code(operator), takes(operator), meaning, `${code(example)} gives ${resultOf(example)}`];
  });
  const others = OTHERS.map(([operator, operands, meaning, example]) => {
    return [
      operator.split(", ").map(code).join(", "),
      operands,
      meaning,
      `${code(example)} gives ${resultOf(example)}`,
    ];
  });
  const unary = others.slice(0, UNARY);
  return table(["Operator", "Takes", "Meaning", "Example"], [...unary, ...binary, ...others.slice(UNARY)]);
}

/** How many of the others bind tighter than those with two operands. */
const UNARY = 3;

// Which kinds may stand on both sides: two alike, two that differ, and what comes of them where it is neither.
function takes(operator: string): string {
  const kinds = Object.keys(SAMPLES).filter(isKind);
  const found = kinds.flatMap((left) =>
    kinds.flatMap((right) => {
      const expression = `${SAMPLES[left]} ${operator} ${SAMPLES[right]}`;
      const type = typeOf(expression)?.replace(/<.*/, "");
      // What the checker takes for another type than it turns out to be is of no use.
      const isSo = type !== undefined && plainType(resultOf(`type(${expression})`)) === code(type);
      return isSo ? [{ left, right, type }] : [];
    })
  );
  const isPlain = ({ left, type }: (typeof found)[number]) => type === "bool" || type === left;
  const alike = found.filter((each) => each.left === each.right && isPlain(each)).map(({ left }) => left);
  const mixed = found.filter((each) => each.left !== each.right && each.type === "bool")
    .filter((each) => operator === "in" || kinds.indexOf(each.left) < kinds.indexOf(each.right))
    .map(({ left, right }) => `${left} ${operator === "in" ? "in" : "with"} ${right}`);
  const others = found.filter((each) => !(each.left === each.right && isPlain(each)) && each.type !== "bool")
    .map(({ left, right, type }) => `${left} ${operator} ${right} is ${type}`);
  const all = alike.length === kinds.length ? "any two of one type" : words(alike);
  return [alike.length === 0 ? "" : alike.length === kinds.length ? all : `two of ${all}`, ...mixed, ...others]
    .filter((part) => part !== "").join("; ");
}

function isKind(text: string): text is Kind {
  return Object.hasOwn(SAMPLES, text);
}
