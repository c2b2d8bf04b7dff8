// Arbitrary conditions without the static check: the compiled engine and the plain evaluator give the same result, on
// contexts with and without the members that the conditions use.
import { expect, test } from "bun:test";
import { bind } from "../../src/cel/bind.ts";
import { compileUnchecked } from "../../src/cel/compile-expression.ts";
import { createMeter, evaluate } from "../../src/cel/evaluate-condition.ts";
import { formatTree } from "../../src/cel/format-tree.ts";
import type { Tree } from "../../src/cel/tree.ts";
import { children } from "../../src/cel/walk-tree.ts";
import { Generator, type Kind, type Names } from "../support/cel/generate.ts";
import { RULES } from "../support/cel/rules.ts";
import { name, select, SPAN } from "../support/cel/values.ts";
import { generateContext, generateMap } from "../support/generate/context.ts";
import { describePlain, describeValue } from "../support/plain/describe.ts";
import { evaluatePlain, type PlainRequest } from "../support/plain/evaluator.ts";
import { randomFrom, seededRandom } from "../support/random.ts";
import { CASES } from "../support/cases.ts";

const SEED = Number(process.env["OUTCALL_SEED"] ?? Date.now() % 1_000_000_000);
const TIMEOUT_MS = 10_000 + 10 * CASES;

const field = (namespace: string, member: string): Tree => select(name(namespace), member);

const call = (called: string, argument: Tree): Tree => {
  return { kind: "call", name: called, receiver: null, args: [argument], span: SPAN };
};

const NAMES: Names = {
  bool: [
    field("run", "parsed"),
    field("run", "changed"),
    name("observed"),
    field("envelope", "verified"),
    select(field("run", "context"), "flag"),
  ],
  int: [field("network", "port"), field("http", "body_size"), select(name("enriched"), "a")],
  double: [select(name("metadata"), "b")],
  string: [field("network", "hostname"), field("http", "path"), field("dns", "query"), name("target")],
  list: [field("run", "args"), field("docker", "command"), select(name("metadata"), "a")],
  map: [field("http", "headers"), field("run", "context"), name("enriched"), name("metadata")],
  ip: [call("ip", field("network", "ip"))],
  cidr: [call("cidr", field("network", "ip"))],
};

const KINDS: readonly Kind[] = [
  "bool",
  "bool",
  "bool",
  "int",
  "uint",
  "double",
  "string",
  "bytes",
  "list",
  "map",
  "ip",
  "cidr",
];

function askEngine(tree: Tree, { context, enriched }: PlainRequest): string {
  const predicate = compileUnchecked({ text: "", tree, nodes: 0 }, RULES);
  const outcome = evaluate(predicate, bind(RULES, context, enriched), createMeter());
  if (outcome.kind === "value") return describeValue(outcome.value);
  return outcome.kind === "no-value" ? "none" : "error";
}

function askPlain(tree: Tree, request: PlainRequest): string {
  return describePlain(evaluatePlain(tree, request));
}

// The smallest part that differs on its own. A comprehension is not split, because its parts need its variable.
function smallest(tree: Tree, request: PlainRequest): Tree {
  if (tree.kind === "comprehension") return tree;
  const part = children(tree).find((child) => askEngine(child, request) !== askPlain(child, request));
  return part === undefined ? tree : smallest(part, request);
}

test(`random conditions: the engine evaluates as the plain evaluator does (seed ${SEED}, ${CASES} cases)`, () => {
  const random = seededRandom(SEED);
  const generator = new Generator(randomFrom(SEED), NAMES);
  const seen = new Map<string, number>();
  for (let index = 0; index < CASES; index++) {
    const tree = generator.tree(generator.pick(KINDS), 4);
    const enriched = random.below(5) === 0 ? "failed" : generateMap(random, 1);
    const request: PlainRequest = { context: generateContext(random), enriched };
    const engine = askEngine(tree, request);
    if (engine !== askPlain(tree, request)) {
      const part = smallest(tree, request);
      const what = `${formatTree(part)}\n  is ${askEngine(part, request)}, should be ${askPlain(part, request)}`;
      throw new Error(`seed ${SEED}, case ${index}: ${what}\n  for ${JSON.stringify(request)}`);
    }
    const kind = ["true", "false", "none", "error"].includes(engine) ? engine : "other";
    seen.set(kind, (seen.get(kind) ?? 0) + 1);
  }
  console.log(`conditions differential: seed ${SEED}, ${JSON.stringify(Object.fromEntries(seen))}`);
  for (const kind of ["true", "false", "none", "error", "other"]) {
    expect(seen.get(kind) ?? 0, kind).toBeGreaterThan(CASES / 100);
  }
}, TIMEOUT_MS);
