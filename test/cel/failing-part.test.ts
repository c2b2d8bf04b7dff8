import { expect, test } from "bun:test";
import type { Activation } from "../../src/cel/activation.ts";
import { bind } from "../../src/cel/bind.ts";
import { compileUnchecked } from "../../src/cel/compile-expression.ts";
import { createMeter, evaluate } from "../../src/cel/evaluate-condition.ts";
import { formatTree } from "../../src/cel/format-tree.ts";
import type { Tree } from "../../src/cel/tree.ts";
import { Generator, type Names } from "../support/cel/generate.ts";
import { literal, name, select } from "../support/cel/values.ts";
import { randomFrom } from "../support/random.ts";
import { describeValue } from "../support/cel/official.ts";
import { allNodes, replaceNode } from "../support/cel/replace.ts";
import { RULES } from "../support/cel/rules.ts";
import { CASES } from "../support/cases.ts";

const TIMEOUT_MS = 10_000 + 10 * CASES;
const SEED = Number(process.env["OUTCALL_SEED"] ?? Date.now() % 1_000_000_000);

const field = (namespace: string, member: string): Tree => select(name(namespace), member);

// The namespace dns is always absent.
const NAMES: Names = {
  bool: [field("run", "parsed"), field("envelope", "verified"), select(field("run", "context"), "k")],
  int: [field("network", "port"), field("http", "body_size"), select(name("enriched"), "a")],
  string: [field("network", "hostname"), field("http", "host"), field("dns", "query"), name("target")],
  list: [field("run", "args"), field("docker", "command")],
  map: [field("http", "headers"), field("run", "context"), name("enriched"), name("metadata")],
};

const SPAN = { start: 0, end: 0 };
const FAILING: Tree = {
  kind: "index",
  operand: { kind: "list", elements: [], span: SPAN },
  index: literal(0n),
  span: SPAN,
};
const ABSENT: Tree = field("dns", "query");

const ACTIVATIONS: readonly Activation[] = [
  bind(RULES, {}, {}),
  bind(RULES, { network: { hostname: "a", port: 1 }, http: { host: "ab", headers: { a: "b" } } }, { a: 3 }),
  bind(
    RULES,
    { run: { parsed: true, args: ["a", "ab"], context: { k: true } }, target: "a", metadata: { k: "x" } },
    {},
  ),
  bind(RULES, { run: { args: ["a"] }, envelope: { verified: true }, docker: { command: [] } }, "failed"),
];

function outcomeOf(tree: Tree, activation: Activation): string {
  const outcome = evaluate(compileUnchecked({ text: "", tree, nodes: 0 }, RULES), activation, createMeter());
  return outcome.kind === "value" ? describeValue(outcome.value) : outcome.kind;
}

test(`replacing a part by one that fails, or by an absent one, never gives another value (seed ${SEED})`, () => {
  const random = randomFrom(SEED);
  const generator = new Generator(random, NAMES);
  const counts = new Map<string, number>();
  for (let index = 0; index < CASES; index++) {
    const tree = generator.tree("bool", 4);
    const activation = generator.pick(ACTIVATIONS);
    const target = generator.pick(allNodes(tree));
    const before = outcomeOf(tree, activation);
    const failed = outcomeOf(replaceNode(tree, target, FAILING), activation);
    const absent = outcomeOf(replaceNode(tree, target, ABSENT), activation);
    const note = `seed ${SEED}: ${formatTree(tree)} without ${formatTree(target)}: ${before}, ${failed}, ${absent}`;
    // So a block that matched still matches, and an allow or enrich rule that did not match still does not.
    expect([before, "error"], note).toContain(failed);
    expect([before, "error", "no-value"], note).toContain(absent);
    counts.set(`${before} to ${failed}`, (counts.get(`${before} to ${failed}`) ?? 0) + 1);
  }
  for (const seen of ["true to true", "true to error", "false to false", "false to error", "no-value to error"]) {
    expect(counts.get(seen) ?? 0, seen).toBeGreaterThan(0);
  }
}, TIMEOUT_MS);
