// Random rule sets and contexts for tests of the index: conditions that the index can use, parts that fail, and parts
// whose number of steps is close to the limit of a condition or of an evaluation.
import type { Context } from "../../../src/core/context.ts";
import { INDEXED_LENGTH } from "../../../src/rule/lookup-limits.ts";
import type { Random } from "../random.ts";

const WORDS = ["a", "ab", "b", "ba", "c", ""] as const;

/** Two texts of the same length that take 100 steps to compare. */
const LONG = ["a", "b"].map((end) => `${"x".repeat(6_399)}${end}`);

/** Above the length of a text that a pattern may be matched against. */
const PATTERN_TEXT = 16_384;

type Leaf = (word: string, other: string) => string;

/** Parts of conditions: most can be indexed, some fail, and some only look as if they could be indexed. */
const LEAVES: readonly Leaf[] = [
  (word) => `network.hostname == "${word}"`,
  (word) => `"${word}" == run.tool`,
  (word, other) => `network.hostname in ["${word}", "${other}"]`,
  () => "run.tool in []",
  () => "network.port in []",
  () => "network.port == 443",
  () => "network.port in [22, 443]",
  () => "network.port == 443 || network.port == 0",
  (word) => `"${word}" in run.args`,
  (word) => `run.args.exists(x, x == "${word}")`,
  (word) => `run.args.exists(x, "${word}" == x)`,
  (word) => `run.args.all(x, x == "${word}")`,
  (word) => `http.path.startsWith("${word}")`,
  (word) => `http.path.endsWith("${word}")`,
  (word) => `http.path.matches("^${word}")`,
  (word) => `http.path.matches("^${word}b?$")`,
  (word) => `http.path.matches("^${word}|b")`,
  (word) => `http.headers["k"] == "${word}"`,
  (word) => `"k" in http.headers && http.headers["k"] == "${word}"`,
  (word) => `http.headers["k"] == "${word}" && has(http.headers.k)`,
  (word) => `metadata["k"] == "${word}"`,
  (word) => `"k" in metadata && metadata.k == "${word}"`,
  (word, other) => `(has(metadata.k) && metadata.k == "${word}") || metadata.k == "${other}"`,
  (word, other) => `metadata.k == "${word}" || (metadata.k == "${other}" && "k" in metadata)`,
  () => `metadata["k"] == 1`,
  () => `metadata["k"] == 1u`,
  () => `metadata["k"] == -0.0`,
  (word) => `run.args.exists(target, target == "${word}")`,
  () => "1 / 0 == 1",
  (word) => `run.context["k"] == "${word}"`,
  (word) => `"k" in run.context && run.context["k"] == "${word}"`,
  (word) => `enriched["k"] == "${word}"`,
  () => "run.parsed",
  () => "!run.parsed",
  () => "envelope.verified",
  () => "has(run.cwd)",
  () => "has(metadata.k)",
  () => `int(run.tool) == 1`,
  () => "false",
  (word) => `target == "${word}"`,
  (word) => `run.tool != "${word}"`,
  (word) => `agent.labels["k"] == "${word}"`,
];

/**
 * Parts that take many steps on a request with a long list or text, some of them combined with a part that can be
 * indexed.
 */
const EXPENSIVE: readonly Leaf[] = [
  () => `run.args.all(x, run.args.all(y, x != "" || y != "q"))`,
  (word) => `run.args.exists(x, run.args.exists(y, x + y == "${word}q"))`,
  (word) => Array.from({ length: 40 }, (_, at) => `!("${word}${at}" in run.args)`).join(" && "),
  (word) => Array.from({ length: 5 }, (_, at) => `"${word}${at}" in run.args`).join(" || "),
  () => `"${LONG[0]}" in run.args`,
  () => `run.args.exists(x, x == "${LONG[0]}")`,
  () => `run.args.all(x, x != "${LONG[0]}")`,
  () => `http.path.matches("^b[a-z]{0,200}q")`,
  () => `http.path.matches("(a|b|c){0,100}q$")`,
  (word, other) => `metadata.k == "${word}" && ${nested(other)} && has(metadata.k)`,
  (word, other) => `${nested(other)} && network.hostname == "${word}"`,
  (word, other) =>
    `http.headers["k"] == "${word}" && ("${other}" in run.args || ${nested(other)}) && "k" in http.headers`,
  (word, other) => `metadata.k == "${word}" && (run.parsed ? ${nested(other)} : true) && has(metadata.k)`,
];

function nested(word: string): string {
  return `run.args.all(x, run.args.all(y, x != "${word}q" || y != "q"))`;
}

/** A rule file. One in ten has so many rules of a few thousand steps that an evaluation reaches its limit. */
export function lookupFile(random: Random): string {
  const isCostly = random.below(10) === 0;
  const count = isCostly ? 100 + random.below(100) : 1 + random.below(20);
  const rules = Array.from({ length: count }, (_, at) => {
    const action = random.pick(isCostly ? ["block", "allow"] : ["allow", "allow", "block", "block", "enrich"]);
    const enrich = action === "enrich" ? ", enrich: {script: a.sh}" : "";
    const text = isCostly ? costly(random, at) : condition(random, 0);
    return `  - {id: r${at}, priority: ${random.below(3)}, condition: '${
      text.replaceAll("'", "''")
    }', action: ${action}${enrich}}\n`;
  });
  return `version: "1"\nrules:\n${rules.join("")}`;
}

// Mostly a rule that the index skips; evaluating it takes thousands of steps if the list is long.
function costly(random: Random, at: number): string {
  if (random.below(100) === 0) return random.pick(EXPENSIVE)(random.pick(WORDS), random.pick(WORDS));
  return Array.from({ length: 3 + random.below(2) }, (_, part) => `"q${at}-${part}" in run.args`).join(" || ");
}

function condition(random: Random, depth: number): string {
  if (depth === 3 || random.below(3) === 0) {
    return random.pick(random.below(8) === 0 ? EXPENSIVE : LEAVES)(random.pick(WORDS), random.pick(WORDS));
  }
  const part = () => `(${condition(random, depth + 1)})`;
  switch (random.below(8)) {
    case 0:
      return `!${part()}`;
    case 1:
      return `${part()} ? ${part()} : ${part()}`;
    case 2:
    case 3:
      return `${part()} || ${part()}`;
    case 4:
      return `${part()} && ${part()} && ${part()}`;
    default:
      return `${part()} && ${part()}`;
  }
}

// Sometimes a text at a length limit.
function textOf(random: Random): string {
  const word = random.pick(WORDS);
  const length = random.below(30) === 0 ? random.pick([PATTERN_TEXT, INDEXED_LENGTH, 600]) : 0;
  return word + "a".repeat(length === 0 ? 0 : length + random.below(3) - 1);
}

function listOf(random: Random): string[] {
  switch (random.below(40)) {
    case 0:
      return Array.from({ length: INDEXED_LENGTH + random.below(3) - 1 }, () => random.pick(WORDS));
    case 1:
      return Array.from({ length: 150 + random.below(100) }, () => random.pick(WORDS));
    case 2:
      return Array.from({ length: random.pick([900, 1_100]) }, () => LONG[1] ?? "");
    case 3:
    case 4:
      return Array.from({ length: 1_000 + random.below(1_000) }, () => random.pick(WORDS));
    default:
      return Array.from({ length: random.below(4) }, () => random.pick(WORDS));
  }
}

/** A context, in which namespaces, fields and keys may be missing. */
export function lookupContext(random: Random): Context {
  const maybe = <T>(name: string, value: T): Record<string, T> => (random.below(4) === 0 ? {} : { [name]: value });
  return {
    ...maybe("network", { ...maybe("hostname", textOf(random)), ...maybe("port", random.pick([0, 22, 443])) }),
    ...maybe("http", { ...maybe("path", textOf(random)), ...maybe("headers", maybe("k", textOf(random))) }),
    ...maybe("run", {
      ...maybe("tool", textOf(random)),
      ...maybe("args", listOf(random)),
      ...maybe("parsed", random.below(2) === 0),
      ...maybe("context", maybe("k", random.pick(WORDS))),
    }),
    ...maybe("agent", maybe("labels", maybe("k", random.pick(WORDS)))),
    ...maybe("envelope", { verified: random.below(2) === 0 }),
    ...maybe("metadata", maybe<string | number | boolean>("k", random.pick(["a", "b", "", 1, 1.5, true]))),
    ...maybe("target", textOf(random)),
  };
}
