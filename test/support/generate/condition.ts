// Random conditions as text, like those of people who write rules and of people who attack them. All pass the type
// check; evaluating them can still fail, because the types of map values are unknown.
import { NAMESPACES } from "../../../src/core/context.ts";
import { FIELDS, INTS, KEYS, PATTERNS, TEXTS } from "./words.ts";
import type { Random } from "../random.ts";

/** The names that a condition can use in addition to the context. */
export type Scope = {
  /** The boolean definitions; `texts` are the string definitions. */
  readonly bools: readonly string[];
  readonly texts: readonly string[];
  /** The variables of enclosing comprehensions; all are strings. */
  readonly locals: readonly string[];
};

/** A scope without anything in it. */
export const NO_SCOPE: Scope = { bools: [], texts: [], locals: [] };

type Named = {
  readonly [Type in "string" | "int" | "bool" | "list<string>" | "map<string, string>" | "map<string, dyn>"]:
    readonly string[];
};

const NAMED: Named = {
  string: [...fields("string"), "action_type", "target"],
  int: fields("int"),
  bool: fields("bool"),
  "list<string>": fields("list<string>"),
  "map<string, string>": fields("map<string, string>"),
  "map<string, dyn>": [...fields("map<string, dyn>"), "metadata", "enriched"],
};

function fields(type: string): readonly string[] {
  return Object.entries(NAMESPACES).flatMap(([namespace, types]) =>
    Object.entries(types).filter(([, each]) => each === type).map(([field]) => `${namespace}.${field}`)
  );
}

/** Makes conditions. */
export class ConditionGenerator {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** A boolean expression. */
  bool(depth: number, scope: Scope): string {
    if (depth <= 0) return this.#simpleBool(scope);
    const inner = (): string => this.bool(depth - 1, scope);
    switch (this.#random.below(14)) {
      case 0:
      case 1:
      case 2:
        return this.#chain("&&", inner);
      case 3:
      case 4:
        return this.#chain("||", inner);
      case 5:
        return `!(${inner()})`;
      case 6:
        return `(${inner()}${this.#gap()}? ${inner()} : ${inner()})`;
      case 7:
      case 8:
        return this.#quantifier(depth - 1, scope);
      case 9:
        return `(${this.int(depth - 1, scope)} ${this.#random.pick(["==", "!=", "<", "<=", ">", ">="])} ${
          this.int(depth - 1, scope)
        })`;
      case 10:
        return `(${this.text(depth - 1, scope)} ${this.#random.pick(["==", "!=", "<", ">="])} ${
          this.text(depth - 1, scope)
        })`;
      case 11:
        return `(${this.text(depth - 1, scope)} in ${this.list(depth - 1, scope)})`;
      default:
        return this.#simpleBool(scope);
    }
  }

  /** A string expression. */
  text(depth: number, scope: Scope): string {
    const names = [...NAMED.string, ...scope.locals, ...scope.locals, ...scope.texts.map((name) => `$${name}`)];
    if (depth <= 0) {
      return this.#random.below(3) === 0 ? quoted(this.#random.pick(TEXTS)) : this.#random.pick(names);
    }
    const inner = this.text(depth - 1, scope);
    switch (this.#random.below(10)) {
      case 0:
        return `(${inner} + ${this.text(depth - 1, scope)})`;
      case 1:
        return `(${inner}).${this.#random.pick(["lowerAscii", "upperAscii", "trim"])}()`;
      case 2:
        return `(${inner}).substring(${this.#random.pick(["0", "1", "2", "0, 1", "1, 3"])})`;
      case 3:
        return `${this.#random.pick(NAMED["map<string, string>"])}[${quoted(this.#random.pick(KEYS))}]`;
      case 4:
        return `string(${this.int(depth - 1, scope)})`;
      case 5:
        return `(${this.list(depth - 1, scope)})[${this.int(0, scope)}]`;
      case 6:
        return `${this.list(depth - 1, scope)}.join(",")`;
      default:
        return inner;
    }
  }

  /** An int expression. */
  int(depth: number, scope: Scope): string {
    if (depth <= 0) {
      return this.#random.below(2) === 0 ? String(this.#random.pick(INTS)) : this.#random.pick(NAMED.int);
    }
    switch (this.#random.below(5)) {
      case 0:
        return `(${this.int(depth - 1, scope)} ${this.#random.pick(["+", "-", "*", "/", "%"])} ${
          this.int(depth - 1, scope)
        })`;
      case 1:
        return `size(${this.text(depth - 1, scope)})`;
      case 2:
        return `size(${this.list(depth - 1, scope)})`;
      case 3:
        return `(${this.text(depth - 1, scope)}).indexOf(${this.text(0, scope)})`;
      default:
        return this.int(0, scope);
    }
  }

  /** A list of strings. */
  list(depth: number, scope: Scope): string {
    if (depth > 0 && scope.locals.length < 2 && this.#random.below(4) === 0) {
      const [variable, inner] = bind(scope);
      const body = this.#random.below(2) === 0
        ? `filter(${variable}, ${this.bool(depth - 1, inner)})`
        : `map(${variable}, ${this.text(depth - 1, inner)})`;
      return `${this.list(0, scope)}.${body}`;
    }
    if (this.#random.below(3) > 0) return this.#random.pick(NAMED["list<string>"]);
    if (this.#random.below(4) === 0) return `(${this.text(0, scope)}).split("/")`;
    return `[${this.#some(() => this.text(0, scope))}]`;
  }

  #simpleBool(scope: Scope): string {
    const { bools } = scope;
    if (bools.length > 0 && this.#random.below(4) === 0) return `$${this.#random.pick(bools)}`;
    const text = this.text(0, scope);
    switch (this.#random.below(18)) {
      case 0:
        return this.#random.pick(["true", "false"]);
      case 17:
        // A literal that is not an address would keep the rule from loading.
        return this.#address(text.startsWith('"') ? this.#random.pick(NAMED.string) : text);
      case 16:
        // Ordered one way by code point and the other way by UTF-16 unit.
        return `${text} ${this.#random.pick(["<", ">="])} ${this.#random.pick(['"\uffee"', '"😀"'])}`;
      case 1:
        return this.#random.pick(NAMED.bool);
      case 2:
      case 3:
        return `${text} == ${quoted(this.#random.pick(TEXTS))}`;
      case 4:
        return `${text} != ${quoted(this.#random.pick(TEXTS))}`;
      case 5:
        return `${text} in [${this.#some(() => quoted(this.#random.pick(TEXTS)))}]`;
      case 6:
        return `${this.int(0, scope)} ${this.#random.pick(["==", "<", ">="])} ${this.int(0, scope)}`;
      case 7:
        return `${text}.${this.#random.pick(["startsWith", "endsWith", "contains"])}(${this.text(0, scope)})`;
      case 8:
        return `${text}.matches(${quoted(this.#random.pick(PATTERNS))})`;
      case 9:
        return `${quoted(this.#random.pick(TEXTS))} in ${this.#random.pick(NAMED["list<string>"])}`;
      case 10:
        return `${quoted(this.#random.pick(KEYS))} in ${this.#openMap()}`;
      case 11:
        return `has(${this.#random.pick([...Object.values(NAMED).flat().filter((each) => each.includes("."))])})`;
      case 12:
        return `has(${this.#openMap()}.${this.#random.pick(FIELDS)})`;
      default:
        return this.#dynBool(scope);
    }
  }

  #address(text: string): string {
    return this.#random.pick([
      `isIP(${text})`,
      `isCIDR(${text})`,
      `(isIP(${text}) && ip(${text}).isPrivate())`,
      `ip(${text}).isGlobalUnicast()`,
      `ip(${text}).family() == 4`,
      `(ip(${text}) != ip("::1"))`,
      `cidr("10.0.0.0/8").containsIP(${text})`,
      `cidr(${text}).containsCIDR("10.1.0.0/16")`,
    ]);
  }

  // An expression whose type the checker does not know.
  #dynBool(scope: Scope): string {
    const map = this.#random.pick(NAMED["map<string, dyn>"]);
    const value = this.#random.below(2) === 0
      ? `${map}.${this.#random.pick(FIELDS)}`
      : `${map}[${this.#random.below(4) === 0 ? this.text(0, scope) : quoted(this.#random.pick(KEYS))}]`;
    const literal = this.#random.pick([
      quoted(this.#random.pick(TEXTS)),
      "1",
      "443",
      "true",
      "0.5",
      "null",
      "2u",
      "[1]",
    ]);
    switch (this.#random.below(12)) {
      case 0:
        return `(true && ${value})`;
      case 1:
        return `${value} != ${literal}`;
      case 2:
        return `${value} < ${this.#random.pick(["1", "443.5", quoted("b")])}`;
      case 3:
        return `${value} + 1 == 2`;
      case 4:
        return `${value} in [1, 2, 443]`;
      case 5:
        return `size(${value}) == ${this.#random.below(4)}`;
      case 6:
        return `${value}.${this.#random.pick(["all", "exists", "exists_one"])}(v, v == ${literal})`;
      case 7:
        return `${value}.b == ${literal}`;
      case 8:
        return `type(${value}) == ${
          this.#random.pick(["string", "int", "bool", "list", "map", "double", "null_type"])
        }`;
      default:
        return `${value} == ${literal}`;
    }
  }

  #openMap(): string {
    return this.#random.pick([...NAMED["map<string, string>"], ...NAMED["map<string, dyn>"]]);
  }

  #quantifier(depth: number, scope: Scope): string {
    if (scope.locals.length >= 2) return this.bool(depth, scope);
    const macro = this.#random.pick(["all", "exists", "exists_one"]);
    // A variable may hide a namespace, whose fields are then not accessible.
    if (this.#random.below(12) === 0) {
      return `${this.list(0, scope)}.${macro}(run, run == ${quoted(this.#random.pick(TEXTS))} || run in http.headers)`;
    }
    const [variable, inner] = bind(scope);
    return `${this.list(depth, scope)}.${macro}(${variable},${this.#gap()}${this.bool(depth, inner)})`;
  }

  #chain(operator: string, inner: () => string): string {
    const operands = Array.from({ length: 2 + this.#random.below(4) }, inner);
    return `(${operands.join(`${this.#gap()}${operator}${this.#gap()}`)})`;
  }

  // The elements of a list, which may be empty.
  #some(element: () => string): string {
    return Array.from({ length: this.#random.below(5) }, element).join(", ");
  }

  #gap(): string {
    return this.#random.pick([" ", " ", " ", "\n", "  \n ", " // or $not )) \" '\n"]);
  }
}

function bind(scope: Scope): readonly [variable: string, inner: Scope] {
  const variable = `v${scope.locals.length}`;
  return [variable, { ...scope, locals: [...scope.locals, variable] }];
}

/** A literal of CEL. */
export function quoted(value: string | number | boolean): string {
  return JSON.stringify(value);
}
