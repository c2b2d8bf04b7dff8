// Random rulespecs and related facts: selectors mostly match, values mostly occur, and some texts try to escape from
// quotes and comments.
import type { Json, JsonObject } from "../../../src/core/json.ts";
import { formatJson } from "../../../src/core/json.ts";
import { parseRulespec } from "../../../src/rulespec/parse-rulespec.ts";
import type { RuleName, Rulespec } from "../../../src/rulespec/rulespec.ts";
import { LIST_RULES, RULES, SOURCES } from "../../../src/wire/rulespec-file.ts";
import type { Random } from "../random.ts";

/** Texts with a special meaning in programs, reports or terminals. */
export const HOSTILE_TEXTS: readonly string[] = [
  'a"b',
  "a\\",
  '\\"',
  '").\npred_pass(0).\n//',
  "{22}",
  "{",
  "??/",
  "// c",
  "% c",
  "/* c */",
  "*/",
  "%*",
  "#show x/1.",
  "#include <script>",
  "a\nb",
  "a\r\nb",
  "\0",
  "\u202eabc",
  "\u2028",
  "\u{1f600}",
  "\u{e0001}",
  "__proto__",
  "constructor",
  "X, Y",
  "not a",
  ":- a.",
];

const SCALARS: readonly Json[] = [
  null,
  true,
  false,
  0,
  1,
  1.5,
  -3,
  100,
  "1",
  "true",
  "null",
  "",
  "a",
  "ab",
  "abc",
  "b",
];
const KEYS = ["a", "b", "c", "facts", "0", "a b", "__proto__"];
const PATTERNS = ["a", "^a", "b$", "^$", "[0-9]+", ".", "^(a|ab)$", '"', "\\n"];

/** A case: a rulespec as a plain value, and facts. */
export type GeneratedRulespec = {
  readonly claims: readonly { readonly name: string; readonly selector: string }[];
  readonly predicates: readonly JsonObject[];
  readonly facts: JsonObject;
};

/** The options for generating a case. */
export type Shape = { readonly predicates: number; readonly hostile: boolean };

/** Makes a case. */
export function generateRulespec(random: Random, { predicates, hostile }: Shape): GeneratedRulespec {
  const facts = mapOf(random, 3, hostile);
  const claims = Array.from({ length: 1 + random.below(4) }, (_, index) => ({
    name: hostile ? `${index}${random.pick(HOSTILE_TEXTS)}` : `c${index}`,
    selector: selectorOf(random, facts),
  }));
  const names = claims.map(({ name }) => name);
  return {
    facts,
    claims,
    predicates: Array.from({ length: predicates }, () => ({
      ...testOf(random, names, facts, hostile),
      source: random.pick(SOURCES),
      ...(hostile ? { notes: random.pick(HOSTILE_TEXTS) } : {}),
      ...(random.below(4) === 0 ? { when: testOf(random, names, facts, hostile) } : {}),
    })),
  };
}

/** Loads the rulespec of a case. A case that does not load is a bug of the generator. */
export function loadGenerated({ claims, predicates }: Omit<GeneratedRulespec, "facts">): Rulespec {
  const { rulespec, findings } = parseRulespec("generated", formatJson({ claims, predicates }));
  if (rulespec === null) throw new Error(JSON.stringify(findings));
  return rulespec;
}

function valueOf(random: Random, depth: number, hostile: boolean): Json {
  if (depth === 0 || random.below(2) === 0) {
    return random.pick(hostile && random.below(2) === 0 ? HOSTILE_TEXTS : SCALARS);
  }
  if (random.below(2) === 0) return mapOf(random, depth - 1, hostile);
  return Array.from({ length: random.below(4) }, () => valueOf(random, depth - 1, hostile));
}

function mapOf(random: Random, depth: number, hostile: boolean): JsonObject {
  const keys = Array.from({ length: 1 + random.below(4) }, () => {
    return random.pick(hostile && random.below(2) === 0 ? HOSTILE_TEXTS : KEYS);
  });
  return Object.fromEntries(keys.map((key) => [key, valueOf(random, depth, hostile)]));
}

// A path through the facts; sometimes a step leads nowhere.
function selectorOf(random: Random, facts: JsonObject): string {
  let node: Json = facts;
  let text = random.below(8) === 0 ? "facts." : "";
  for (let step = 0;; step++) {
    const stray = random.below(10) === 0;
    if (isMap(node)) {
      const keys: readonly string[] = Object.keys(node).filter((key) => /^[^.[\]]+$/.test(key) && key.trim() !== "");
      const key: string = stray || keys.length === 0 ? random.pick(KEYS) : random.pick(keys);
      text += step === 0 ? key : `.${key}`;
      node = Object.hasOwn(node, key) ? node[key] ?? null : null;
    } else if (Array.isArray(node) && step > 0) {
      const at = random.below(node.length + 1);
      text += random.below(2) === 0 ? "[*]" : `[${at}]`;
      node = node[at] ?? node[0] ?? null;
    } else {
      return stray && step > 0 ? `${text}[*]` : text;
    }
    if (random.below(3) === 0) return text;
  }
}

function testOf(random: Random, names: readonly string[], facts: JsonObject, hostile: boolean): JsonObject {
  const rule = random.pick(RULES);
  return { claim: random.pick(names), rule, ...wantedOf(random, rule, facts, hostile) };
}

function wantedOf(random: Random, rule: RuleName, facts: JsonObject, hostile: boolean): JsonObject {
  const wanted = (): Json => (random.below(3) === 0 ? valueOf(random, 2, hostile) : partOf(random, facts));
  if (LIST_RULES.some((each) => each === rule)) return { value: Array.from({ length: random.below(5) }, wanted) };
  switch (rule) {
    case "exists":
    case "not_exists":
      return {};
    case "greater_than":
    case "less_than":
      return { value: random.pick([-3, 0, 1, 1.5, 99]) };
    case "min_length":
    case "max_length":
      return { value: random.pick([0, 1, 2, 3, 2 ** 40]) };
    case "matches":
      return { value: random.pick(PATTERNS) };
    default:
      return { value: wanted() ?? "a" };
  }
}

// A value that occurs in the facts.
function partOf(random: Random, facts: JsonObject): Json {
  let node: Json = facts;
  do {
    const inner: readonly Json[] = typeof node === "object" && node !== null ? Object.values(node) : [];
    if (inner.length === 0) return node;
    node = random.pick(inner);
  } while (random.below(3) !== 0);
  return node;
}

function isMap(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
