// Random rule sets: several files with definitions, priorities and all actions, and conditions both typical and wild.
// Most of them load. The same random numbers give the same sets.
import { check } from "../../../src/cel/check-expression.ts";
import { formatTree } from "../../../src/cel/format-tree.ts";
import type { Tree } from "../../../src/cel/tree.ts";
import { type FieldType, NAMESPACES, VARIABLES } from "../../../src/core/context.ts";
import type { RuleAction } from "../../../src/core/decision.ts";
import { Generator, type Kind, type Names } from "../cel/generate.ts";
import { RULES } from "../cel/rules.ts";
import { literal, name, select, SPAN } from "../cel/values.ts";
import { KEYS, NUMBERS, randomObject, WORDS } from "../plain/contexts.ts";
import { expandPlain, type PlainFile, type PlainRule } from "../plain/rules.ts";
import type { PlainSet } from "../plain/yaml.ts";
import type { Random } from "../random.ts";

/** Conditions whose names mean something else inside of a comprehension, or that are unusual in another way. */
const ODD = [
  `["a", "b"].exists(target, target == "a")`,
  `["a"].all(run, run == "a") && run.tool == "a"`,
  `run.args.map(x, x + "a").exists(target, $d0)`,
  `[[1, 2], [3]].exists(l, l.exists(v, v == network.port))`,
  `enriched.exists(k, k == "a")`,
  `run.context.all(k, k in enriched)`,
  `enriched == metadata`,
  `run.args == run.argv`,
  `{"a": run.tool, "b": http.host}["a"] == "a"`,
  `!has(enriched.k) || !("a" in run.context)`,
  `agent.labels.k == http.headers["k"]`,
  `"$d0" != target`,
  `true ? network.port > 2 : dns.query == "a"`,
  `envelope.facts.k.k.a`,
  `metadata.k[0] == "a"`,
  `type(metadata.k) == string`,
  `has(enriched.action_type) || "target" in run.context`,
  `has(run.context)`,
  `!has(run.context)`,
];

/**
 * Definitions that are not conditions, by type; their texts bind less tightly than the operators around a reference.
 */
const TYPED_DEFINITIONS: readonly TypedText[] = [
  { type: "string", text: `run.tool + target` },
  { type: "string", text: `target == "a" ? http.host : dns.query` },
  { type: "string", text: `metadata.k` },
  { type: "int", text: `network.port - 2` },
  { type: "int", text: `envelope.verified ? envelope.age_seconds : http.body_size` },
  { type: "list<string>", text: `run.args + run.flags // both` },
  { type: "map<string, dyn>", text: `"k" in metadata ? metadata : enriched` },
  { type: "bool", text: `run.parsed || envelope.verified` },
];

const LITERALS = ["true", "true", "false", "1 / 0 == 1", "[][0]", `"a"`, "9223372036854775807 + 1 == 0"];

const TOP_KINDS: readonly Kind[] = ["int", "string", "list", "map", "double"];

/** Makes random rule sets. */
export class RuleSets {
  readonly #random: Random;
  readonly #trees: Generator;
  #fields: readonly TypedText[] = FIELDS;

  constructor(random: Random) {
    this.#random = random;
    this.#trees = new Generator(() => random.below(2 ** 30) / 2 ** 30, NAMES);
  }

  /** One rule set. */
  set(): PlainSet {
    // The fields that hooks write: always the same few, or any.
    this.#fields = this.#random.pick([HOOK_FIELDS, this.#someFields(), FIELDS]);
    const names = ["00-base.yaml", "10-team.yaml", "9.yaml", "B.yaml", "a.yaml"].filter(() =>
      this.#random.below(3) === 0
    );
    let rules = 0;
    const files = names.map((file): PlainFile => {
      const definitions = this.#definitions();
      const count = this.#random.below(5);
      const made = Array.from({ length: count }, () => this.#rule(`r${rules++}`, definitions));
      return { name: file, definitions, rules: made };
    });
    const scripts = ["h0.sh", "h1.sh", "h2.sh"];
    const hooks = scripts.map((script) => [script, this.#often(30) ? null : this.#output()]);
    return { files, hooks: Object.fromEntries(hooks) };
  }

  #someFields(): readonly TypedText[] {
    return [1, 2, 3].map(() => this.#random.pick(FIELDS));
  }

  #rule(id: string, definitions: Readonly<Record<string, string>>): PlainRule {
    const hooks = this.#fields === HOOK_FIELDS;
    const action: RuleAction = this.#random.pick(["allow", "allow", "block", "enrich", hooks ? "enrich" : "block"]);
    return {
      id: this.#random.below(2_000) === 0 ? "r0" : id,
      condition: action === "enrich" && this.#often(50) ? "true" : this.#condition(definitions),
      action,
      ...(this.#often(30) ? { priority: this.#random.pick([-1, 0, 50, 99, 100, 101, 2 ** 31 - 1]) } : {}),
      ...(this.#often(20) ? { log: this.#often(50) } : {}),
      ...(action === "enrich" ? { script: this.#random.pick(["h0.sh", "h1.sh", "h2.sh"]) } : {}),
    };
  }

  #definitions(): Readonly<Record<string, string>> {
    const definitions: Record<string, string> = {};
    const count = this.#random.below(4);
    for (let index = 0; index < count; index++) {
      definitions[`d${index}`] = this.#condition(definitions);
    }
    if (this.#often(50)) {
      const at = this.#random.below(TYPED_DEFINITIONS.length);
      definitions[`t${at}`] = TYPED_DEFINITIONS[at]?.text ?? "true";
    }
    return definitions;
  }

  #output(): PlainSet["hooks"][string] {
    const output = randomObject(this.#random);
    return this.#often(40) ? { ...output, action_type: "a", target: "b" } : output;
  }

  // A condition; most pass the type check.
  #condition(definitions: Readonly<Record<string, string>>): string {
    if (this.#random.below(150) === 0) {
      const text = this.#text(definitions);
      // The first definition must not refer to itself.
      if (!text.includes("$d0") || "d0" in definitions) return text;
    }
    for (let tries = 0; tries < 8; tries++) {
      const text = this.#text(definitions);
      if (text.includes("$d0") && !("d0" in definitions)) continue;
      if (check(formatTree(expandPlain(text, definitions)), RULES).ok) return text;
    }
    return "true";
  }

  #text(definitions: Readonly<Record<string, string>>): string {
    const kind = this.#random.below(100);
    if (kind < 55) return this.#formula(definitions, this.#random.below(3));
    if (kind < 85) return formatTree(this.#trees.tree("bool", 1 + this.#random.below(4)));
    if (kind < 89) return formatTree(this.#trees.tree(this.#random.pick(TOP_KINDS), 2));
    return kind < 95 ? this.#random.pick(ODD) : this.#random.pick(LITERALS);
  }

  // A typical condition: tests of fields, combined.
  #formula(definitions: Readonly<Record<string, string>>, depth: number): string {
    const names = Object.keys(definitions);
    if (depth === 0) {
      return names.length > 0 && this.#often(35) ? `$${this.#random.pick(names)}` : this.#question(definitions);
    }
    // A reference needs no parentheses, because it is inserted with parentheses.
    const part = (): string => {
      const text = this.#formula(definitions, depth - 1);
      return /^\$\w+$/.test(text) ? text : `(${text})`;
    };
    switch (this.#random.below(6)) {
      case 0:
        return `!${part()}`;
      case 1:
        return `${part()} ? ${part()} : ${part()}`;
      case 2:
      case 3:
        return `${part()} || ${part()}`;
      default:
        return `${part()} && ${part()}`;
    }
  }

  #question(definitions: Readonly<Record<string, string>>): string {
    const defined = TYPED_DEFINITIONS.flatMap(({ type }, at) =>
      `t${at}` in definitions ? [{ text: `$t${at}`, type }] : []
    );
    const { text, type } = this.#random.pick(defined.length > 0 && this.#often(40) ? defined : this.#fields);
    if (this.#often(8) && text.includes(".")) return `has(${text})`;
    const word = JSON.stringify(this.#random.pick(WORDS));
    const number = this.#random.pick(NUMBERS);
    const key = this.#random.pick(KEYS);
    return this.#random.pick(QUESTIONS[type])({ text, word, number, key });
  }

  #often(percent: number): boolean {
    return this.#random.below(100) < percent;
  }
}

type TypedText = { readonly text: string; readonly type: FieldType };

const FIELDS: readonly TypedText[] = [
  ...Object.entries(NAMESPACES).flatMap(([namespace, fields]) =>
    Object.entries<FieldType>(fields).map(([field, type]) => ({ text: `${namespace}.${field}`, type }))
  ),
  // Listed twice, because there are few of them and hooks write one.
  ...[1, 2].flatMap(() => Object.entries<FieldType>(VARIABLES).map(([text, type]) => ({ text, type }))),
];

const HOOK_FIELDS: readonly TypedText[] = [
  { text: "enriched", type: "map<string, dyn>" },
  { text: "run.context", type: "map<string, dyn>" },
  { text: "metadata", type: "map<string, dyn>" },
  { text: "enriched.action_type", type: "string" },
  { text: "run.context.target", type: "string" },
  { text: "target", type: "string" },
];

type Question = (
  parts: { readonly text: string; readonly word: string; readonly number: number; readonly key: string },
) => string;

const MAP_QUESTIONS: readonly Question[] = [
  ({ text, key }) => `"${key}" in ${text}`,
  ({ text, key }) => `has(${text}.${key})`,
  ({ text, key, word }) => `${text}.${key} == ${word}`,
  ({ text, key, word }) => `${text}["${key}"] != ${word}`,
  ({ text, key, word }) => `"${key}" in ${text} && ${text}.${key} == ${word}`,
  ({ text, number }) => `size(${text}) > ${number}`,
  ({ text, word }) => `${text}.all(key, key != ${word})`,
];

const QUESTIONS: Readonly<Record<FieldType, readonly Question[]>> = {
  string: [
    ({ text, word }) => `${text} == ${word}`,
    ({ text, word }) => `${text} != ${word}`,
    ({ text, word }) => `${text} in [${word}, "a", "GET"]`,
    ({ text, word }) => `${text}.startsWith(${word})`,
    ({ text, word }) => `${text}.contains(${word})`,
    ({ text }) => `${text}.matches("^/v1/users/[0-9]+$")`,
    ({ text, word }) => `${text}.lowerAscii() < ${word}`,
    ({ text, number }) => `${text}.substring(${number}) == "b"`,
    ({ text, number }) => `size(${text}) <= ${number}`,
    ({ text, word }) => `isIP(${text}) || isCIDR(${word})`,
    ({ text }) => `isIP(${text}) && ip(${text}).isPrivate()`,
    ({ text }) => `cidr("10.0.0.0/8").containsIP(${text})`,
    ({ text }) => `cidr(${text}).containsCIDR("fd00:1::/32")`,
    ({ text }) => `ip(${text}) == ip("10.0.0.1")`,
  ],
  int: [
    ({ text, number }) => `${text} == ${number}`,
    ({ text, number }) => `${text} in [${number}, 443]`,
    ({ text, number }) => `${text} < ${number}`,
    ({ text, number }) => `10 / ${text} > ${number}`,
    ({ text, number }) => `${text} + 9223372036854775800 > ${number}`,
  ],
  bool: [({ text }) => text, ({ text }) => `!${text}`, ({ text }) => `${text} == true`],
  "list<string>": [
    ({ text, word }) => `${word} in ${text}`,
    ({ text, word }) => `${text}.exists(v, v == ${word})`,
    ({ text }) => `${text}.all(v, v.startsWith("-"))`,
    ({ text, word }) => `${text}.exists(v, v.substring(1) < ${word})`,
    ({ text }) => `${text}.all(v, 2 / size(v) == 2)`,
    ({ text, word }) => `${text}.exists(v, ${word} in metadata && metadata[v] == ${word})`,
    ({ text, word }) => `${text}.exists_one(v, v == ${word})`,
    ({ text, number, word }) => `${text}[${number}] == ${word}`,
    ({ text, number }) => `${text}.filter(v, v != "a").size() == ${number}`,
    ({ text, word }) => `${text}.join(",").contains(${word})`,
  ],
  "map<string, string>": MAP_QUESTIONS,
  "map<string, dyn>": [
    ...MAP_QUESTIONS,
    ({ text, key }) => `${text}.${key}`,
    ({ text, key, number }) => `${text}.${key} > ${number}`,
    ({ text, key, word }) => `${word} in ${text}.${key}`,
    ({ text, key, number }) => `${text}.${key} + 1 == ${number}`,
    ({ text, key, word }) => `${text}.${key}.k == ${word}`,
  ],
};

// The fields as trees, by type; a value of an untyped map is listed under every type.
const NAMES: Names = makeNames();

function makeNames(): Names {
  const maps = ["enriched", "metadata"].map(name).concat(
    ["run.context", "envelope.facts", "agent.labels", "http.headers"].map(fieldTree),
  );
  const inMaps = maps.flatMap((map) => [
    select(map, "k"),
    { kind: "index", operand: map, index: literal("a"), span: SPAN } satisfies Tree,
  ]);
  const ofType = (type: FieldType): readonly Tree[] =>
    FIELDS.filter((each) => each.type === type).map(({ text }) => fieldTree(text));
  return {
    bool: [...ofType("bool"), ...ofType("bool"), ...inMaps],
    int: [...ofType("int"), ...ofType("int"), ...inMaps],
    double: inMaps,
    string: [...ofType("string"), ...inMaps],
    list: [...ofType("list<string>"), ...inMaps],
    map: [...maps, ...maps, ...inMaps],
  };
}

function fieldTree(text: string): Tree {
  const [first = "", field] = text.split(".");
  return field === undefined ? name(first) : select(name(first), field);
}
