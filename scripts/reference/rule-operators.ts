// Operators of conditions. The accepted operand types are found by running the checker on samples.
import type { BinaryOperator } from "../../src/cel/tree.ts";
import { plainType, resultOf, typeOf } from "./evaluate-example.ts";
import { code, table, words } from "./markdown.ts";

/** One sample expression for each type. */
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
  "/": { meaning: "Quotient. Integers are rounded towards zero. Division by zero fails.", example: "7 / 2" },
  "%": { meaning: "Remainder.", example: "7 % 2" },
  "+": { meaning: "Sum, or concatenation.", example: '"a" + "b"' },
  "-": { meaning: "Difference.", example: "7 - 2" },
  "<": { meaning: "Less.", example: '"a" < "b"' },
  "<=": { meaning: "Less or equal.", example: "1 <= 1" },
  ">": { meaning: "Greater.", example: "2u > 1" },
  ">=": { meaning: "Greater or equal.", example: "1 >= 2" },
  "==": { meaning: "Equal. Lists and maps are compared by their elements.", example: "[1, 2] == [1, 2]" },
  "!=": { meaning: "Not equal.", example: '"a" != "A"' },
  in: {
    meaning: "Whether the left operand is an element of a list or a key of a map.",
    example: '"push" in ["push", "pull"]',
  },
};

const OTHERS: readonly (readonly [operator: string, takes: string, meaning: string, example: string])[] = [
  [
    "x.field, x[i]",
    "namespace, map; list, map",
    "A field, an element or a value. A missing one fails.",
    "[7, 8][1]",
  ],
  ["!", "bool", "Negation.", "!true"],
  ["-", "int, double", "Negative.", "-(1)"],
  ["&&", "bool", "And. False if one operand is false, even if the other fails.", "false && 1 / 0 == 1"],
  ["||", "bool", "Or. True if one operand is true, even if the other fails.", "true || 1 / 0 == 1"],
  ["c ? a : b", "bool, then two of one type", "`a` if `c` is true, otherwise `b`.", '1 < 2 ? "a" : "b"'],
];

/** The table of operators, from the highest precedence to the lowest. */
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
  return table(["Operator", "Operands", "Meaning", "Example"], [...unary, ...binary, ...others.slice(UNARY)]);
}

/** How many of the other operators have a higher precedence than the binary ones. */
const UNARY = 3;

// The accepted pairs of operand types: equal types, different types, and the result type if it is not obvious.
function takes(operator: string): string {
  const kinds = Object.keys(SAMPLES).filter(isKind);
  const found = kinds.flatMap((left) =>
    kinds.flatMap((right) => {
      const expression = `${SAMPLES[left]} ${operator} ${SAMPLES[right]}`;
      const type = typeOf(expression)?.replace(/<.*/, "");
      // Skips pairs for which the checker's type differs from the type at run time.
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
