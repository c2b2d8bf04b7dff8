import { expect, test } from "bun:test";
import { bindValues } from "../../src/cel/bind.ts";
import { compileUnchecked } from "../../src/cel/compile-expression.ts";
import { createEnvironment } from "../../src/cel/environment.ts";
import { createMeter, evaluate } from "../../src/cel/evaluate-condition.ts";
import { formatTree, isSameTree } from "../../src/cel/format-tree.ts";
import { fromJson } from "../../src/cel/map-value.ts";
import { parse } from "../../src/cel/parse-expression.ts";
import type { Tree } from "../../src/cel/tree.ts";
import { Uint, type Value } from "../../src/cel/value.ts";
import { children, visit } from "../../src/cel/walk-tree.ts";
import { Generator, type Kind, type Names } from "../support/cel/generate.ts";
import { name } from "../support/cel/values.ts";
import { randomFrom } from "../support/random.ts";
import { describeValue } from "../support/cel/official.ts";
import { createOracle } from "../support/cel/oracle.ts";
import { CASES } from "../support/cases.ts";

// The gate runs many more cases than the default.
const TIMEOUT_MS = 10_000 + 10 * CASES;
const SEED = Number(process.env["OUTCALL_SEED"] ?? Date.now() % 1_000_000_000);

const VALUES: ReadonlyMap<string, Value> = new Map<string, Value>([
  ["b", true],
  ["i", 3n],
  ["u", new Uint(3n)],
  ["d", 1.5],
  ["s", "x😀é"],
  ["l", ["a", "ab", "é"]],
  ["m", fromJson({ k: 1, a: "x", b: [1, "z"] })],
]);

const NAMES: Names = {
  bool: [name("b")],
  int: [name("i")],
  uint: [name("u")],
  double: [name("d")],
  string: [name("s")],
  list: [name("l")],
  map: [name("m"), name("nobody")],
};

const KINDS: readonly Kind[] = [
  "bool",
  "bool",
  "bool",
  "int",
  "uint",
  "double",
  "string",
  "list",
  "map",
  "time",
  "duration",
];
const ENVIRONMENT = createEnvironment({
  namespaces: {},
  variables: { b: "dyn", i: "dyn", u: "dyn", d: "dyn", s: "dyn", l: "dyn", m: "dyn" },
});

const ACTIVATION = bindValues(ENVIRONMENT, VALUES);
const askOracle = createOracle(VALUES);

function ask(tree: Tree): string {
  const outcome = evaluate(compileUnchecked({ text: "", tree, nodes: 0 }, ENVIRONMENT), ACTIVATION, createMeter());
  return outcome.kind === "value" ? describeValue(outcome.value) : "error";
}

function differs(tree: Tree): boolean {
  return ask(tree) !== askOracle(formatTree(tree));
}

// The smallest part that differs on its own, which contains the cause.
function smallest(tree: Tree): Tree {
  const part = tree.kind === "comprehension" ? undefined : children(tree).find(differs);
  return part === undefined ? tree : smallest(part);
}

// Nodes for which the oracle is known to differ from CEL or from the semantics of conditions.
const QUIRKS: readonly (readonly [reason: string, holds: (tree: Tree) => boolean])[] = [
  ["makes numbers of strings that are none", (tree) => calls(tree, "double", "int", "uint")],
  ["writes fractions of a second in groups of three digits", (tree) => calls(tree, "string")],
  ["says false for has() of what is no map, and of what fails", (tree) => tree.kind === "has"],
  ["takes true for the index 1", (tree) => tree.kind === "index"],
  ["takes !! and -- away from anything", (tree) => tree.kind === "unary" && tree.operand.kind === "unary"],
  ["throws where an index is a fraction, which nothing absorbs", (tree) => tree.kind === "logical" && hasIndex(tree)],
  ["divides great uints as doubles", (tree) => tree.kind === "binary" && tree.operator === "/"],
  ["takes the year 1 for 1901", (tree) => calls(tree, "getFullYear", "getDayOfYear")],
  ["compares a great int with a double exactly, and not as a double as the official cases do", isGreatBesideDouble],
];

const COMPARISONS: readonly string[] = ["==", "!=", "<", "<=", ">", ">=", "in"];

// Above 2^53, some ints have no exact double.
function isGreatBesideDouble(tree: Tree): boolean {
  if (tree.kind !== "binary" || !COMPARISONS.includes(tree.operator)) return false;
  const [left, right] = [ask(tree.left), ask(tree.right)];
  const isPair = (one: string, other: string): boolean => /\b\d{16,}u?\b/.test(one) && /\dd\b/.test(other);
  return isPair(left, right) || isPair(right, left);
}

function calls(tree: Tree, ...names: readonly string[]): boolean {
  return tree.kind === "call" && names.includes(tree.name);
}

function hasIndex(tree: Tree): boolean {
  return tree.kind === "index" || children(tree).some(hasIndex);
}

// A comprehension is not split, because its parts need its variable.
function isQuirk(part: Tree): boolean {
  let found = false;
  const see = (node: Tree): void => {
    found ||= QUIRKS.some(([, holds]) => holds(node));
  };
  if (part.kind === "comprehension") visit(part, see);
  else see(part);
  return found;
}

test(`random expressions give what the oracle gives (seed ${SEED}, ${CASES} cases)`, () => {
  const generator = new Generator(randomFrom(SEED), NAMES);
  const counts = { value: 0, error: 0, quirk: 0 };
  for (let index = 0; index < CASES; index++) {
    const tree = generator.tree(generator.pick(KINDS), 4);
    const text = formatTree(tree);
    const parsed = parse(text);
    if (!parsed.ok) throw new Error(`seed ${SEED}: ${text} does not parse: ${parsed.error.message}`);
    if (!isSameTree(parsed.value.tree, tree)) throw new Error(`seed ${SEED}: ${text} parses to another tree`);
    const engine = ask(parsed.value.tree);
    counts[engine === "error" ? "error" : "value"]++;
    if (engine === askOracle(text)) continue;
    const part = smallest(parsed.value.tree);
    if (isQuirk(part)) {
      counts.quirk++;
      continue;
    }
    const partText = formatTree(part);
    throw new Error(`seed ${SEED}: ${partText}\n  gives ${ask(part)}, the oracle ${askOracle(partText)}`);
  }
  console.log(
    `CEL differential: seed ${SEED}, ${counts.value} values and ${counts.error} errors, ${counts.quirk} quirks`,
  );
  expect(counts.quirk).toBeLessThan(CASES / 20 + 10);
  expect(counts.value).toBeGreaterThan(CASES / 10);
}, TIMEOUT_MS);
