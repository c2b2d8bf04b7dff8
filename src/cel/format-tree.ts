// Formats a tree as canonical CEL text: one spelling for each tree, in printable ASCII, that parses to the same tree. The
// text is used to show a condition, to write it to a file, and to compare conditions.
import { formatLiteral } from "./literal.ts";
import type { Comprehension, Tree } from "./tree.ts";

/** The canonical text of a tree. */
export function formatTree(tree: Tree): string {
  switch (tree.kind) {
    case "literal":
      return formatLiteral(tree.value);
    case "name":
      return tree.name;
    case "reference":
      return `$${tree.name}`;
    case "select":
      return `${within(tree.operand, PRIMARY)}.${tree.field}`;
    case "has":
      return `has(${within(tree.operand, PRIMARY)}.${tree.field})`;
    case "index":
      return `${within(tree.operand, PRIMARY)}[${formatTree(tree.index)}]`;
    case "call":
      return `${tree.receiver === null ? "" : `${within(tree.receiver, PRIMARY)}.`}${tree.name}(${
        formatAll(tree.args)
      })`;
    case "unary":
      // CEL has no `!-x`, parsers fold `--x`, and a minus before a number would become part of the number.
      return `${tree.operator}${within(tree.operand, PRIMARY)}`;
    case "binary": {
      const level = levelOf(tree);
      // In CEL `==` binds as tightly as `<` and `in`, in the library less tightly: parentheses make both read the same.
      const right = level === EQUALITY ? SUM : level + 1;
      return `${within(tree.left, level)} ${tree.operator} ${within(tree.right, right)}`;
    }
    case "logical": {
      const level = levelOf(tree) + 1;
      return tree.operands.map((operand) => within(operand, level)).join(` ${tree.operator} `);
    }
    case "conditional": {
      // CEL does not allow a conditional between `?` and `:`, although the library does.
      const [condition, then] = [within(tree.condition, OR), within(tree.then, OR)];
      return `${condition} ? ${then} : ${formatTree(tree.otherwise)}`;
    }
    case "list":
      return `[${formatAll(tree.elements)}]`;
    case "map":
      return `{${tree.entries.map(({ key, value }) => `${formatTree(key)}: ${formatTree(value)}`).join(", ")}}`;
    case "comprehension":
      return formatComprehension(tree);
  }
}

/** Whether two trees are the same but for their spans. */
export function isSameTree(a: Tree, b: Tree): boolean {
  return formatTree(a) === formatTree(b);
}

// How tightly a node binds. An operand that binds less tightly than its position requires gets parentheses.
const [CONDITIONAL, OR, AND, EQUALITY, RELATION, SUM, PRODUCT, UNARY, PRIMARY] = [0, 1, 2, 3, 4, 5, 6, 7, 8] as const;

function levelOf(tree: Tree): number {
  switch (tree.kind) {
    case "conditional":
      return CONDITIONAL;
    case "logical":
      return tree.operator === "||" ? OR : AND;
    case "binary":
      return BINARY_LEVELS[tree.operator];
    case "unary":
      return UNARY;
    case "literal":
      return isNumber(tree.value) ? UNARY : PRIMARY;
    default:
      return PRIMARY;
  }
}

const BINARY_LEVELS = {
  "==": EQUALITY,
  "!=": EQUALITY,
  "<": RELATION,
  "<=": RELATION,
  ">": RELATION,
  ">=": RELATION,
  in: RELATION,
  "+": SUM,
  "-": SUM,
  "*": PRODUCT,
  "/": PRODUCT,
  "%": PRODUCT,
} as const;

function within(tree: Tree, level: number): string {
  const text = formatTree(tree);
  return levelOf(tree) < level ? `(${text})` : text;
}

function isNumber(value: unknown): boolean {
  return typeof value === "bigint" || typeof value === "number";
}

function formatAll(trees: readonly Tree[]): string {
  return trees.map(formatTree).join(", ");
}

function formatComprehension({ macro, range, variable, predicate, transform }: Comprehension): string {
  const parts = [predicate, transform].filter((part) => part !== null).map(formatTree);
  return `${within(range, PRIMARY)}.${macro}(${[variable, ...parts].join(", ")})`;
}
