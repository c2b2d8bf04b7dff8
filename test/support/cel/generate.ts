// Random expressions as trees: mostly well typed, sometimes not. The same seed gives the same expressions.
import type { BinaryOperator, Macro, Tree } from "../../../src/cel/tree.ts";
import { Uint } from "../../../src/cel/value.ts";
import { addressTree } from "./generate-address.ts";
import { ADDRESSES, DOUBLES, DURATIONS, INTS, literal, name, PATTERNS, SPAN, TEXTS, TIMES } from "./values.ts";

/** The types of generated expressions. */
export type Kind = PlainKind | "ip" | "cidr";

const KINDS = ["bool", "int", "uint", "double", "string", "bytes", "list", "map", "time", "duration"] as const;

type PlainKind = (typeof KINDS)[number];

/**
 * Trees that refer to variables, by type; expressions are made of these and of literals. Addresses and networks are
 * generated only if `ip` is given, because other evaluators do not support them.
 */
export type Names = Readonly<Partial<Record<Kind, readonly Tree[]>>>;

/** Makes random expressions. */
export class Generator {
  readonly #random: () => number;
  readonly #names: Names;
  #locals = 0;

  constructor(random: () => number, names: Names) {
    this.#random = random;
    this.#names = names;
  }

  /** One of the items. */
  pick<T>(items: readonly T[]): T {
    const item = items[Math.floor(this.#random() * items.length)];
    if (item === undefined) throw new Error("nothing to pick from");
    return item;
  }

  /** An expression of a kind, at most `depth` levels deep. */
  tree(wanted: Kind, depth: number): Tree {
    const kind = this.#random() < 0.03 ? this.#anyKind() : wanted;
    if (depth <= 0 || this.#random() < 0.15) return this.#leaf(kind);
    if (this.#random() < 0.06) return this.#conditional(kind, depth - 1);
    return this.#made(kind, depth - 1);
  }

  #anyKind(): Kind {
    return this.pick(this.#names.ip === undefined ? KINDS : [...KINDS, "ip", "cidr"]);
  }

  #leaf(kind: Kind): Tree {
    const names = this.#names[kind];
    if (names !== undefined && this.#random() < 0.6) return this.pick(names);
    switch (kind) {
      case "bool":
        return literal(this.#random() < 0.5);
      case "int":
        return literal(this.pick(INTS));
      case "uint":
        return literal(new Uint(this.pick([0n, 1n, 3n, 42n, 2n ** 64n - 1n])));
      case "double":
        return literal(this.pick(DOUBLES));
      case "string":
        return literal(this.pick(TEXTS));
      case "bytes":
        return literal(Uint8Array.from(this.pick([[], [97], [97, 0, 255], [195, 169]])));
      case "list":
        return { kind: "list", elements: [literal("a"), literal("ab")], span: SPAN };
      case "map":
        return { kind: "map", entries: [{ key: literal("k"), value: literal(1n) }], span: SPAN };
      case "time":
        return this.#call("timestamp", [literal(this.pick(TIMES))]);
      case "duration":
        return this.#call("duration", [literal(this.pick(DURATIONS))]);
      case "ip":
      case "cidr":
        return this.#call(kind, [literal(this.pick(ADDRESSES))]);
    }
  }

  #made(kind: Kind, depth: number): Tree {
    switch (kind) {
      case "bool":
        return this.#bool(depth);
      case "int":
        return this.#int(depth);
      case "uint":
        return this.#random() < 0.6
          ? this.#binary(this.pick(["+", "-", "*", "/", "%"]), "uint", depth)
          : this.#call("uint", [this.tree(this.pick(["int", "double", "string"]), depth)]);
      case "double":
        return this.#random() < 0.6
          ? this.#binary(this.pick(["+", "-", "*", "/"]), "double", depth)
          : this.#call("double", [this.tree(this.pick(["int", "uint", "string"]), depth)]);
      case "string":
        return this.#string(depth);
      case "bytes":
        return this.#random() < 0.5
          ? this.#binary("+", "bytes", depth)
          : this.#call("bytes", [this.tree("string", depth)]);
      case "list":
        return this.#list(depth);
      case "map": {
        const keys = this.#random() < 0.8
          ? ["k", "a", "b"].map(literal)
          : [literal(1n), literal(new Uint(2n)), literal(true)];
        const entries = keys.slice(0, 1 + Math.floor(this.#random() * 3));
        return {
          kind: "map",
          entries: entries.map((key) => ({ key, value: this.tree(this.pick(KINDS), depth) })),
          span: SPAN,
        };
      }
      case "time":
        return this.#binary(this.pick(["+", "-"]), "time", depth, "duration");
      case "duration":
        return this.#random() < 0.5 ? this.#binary("-", "time", depth) : this.#binary("+", "duration", depth);
      case "ip":
      case "cidr":
        return this.#call(kind, [this.tree("string", depth)]);
    }
  }

  #bool(depth: number): Tree {
    const kind = this.#anyKind();
    if (this.#names.ip !== undefined && this.#random() < 0.12) {
      return addressTree({
        pick: (items) => this.pick(items),
        tree: (wanted) => this.tree(wanted, depth),
      });
    }
    switch (
      this.pick(["equal", "equal", "order", "logical", "logical", "not", "in", "has", "text", "macro", "matches"])
    ) {
      case "equal":
        return this.#binary(this.pick(["==", "!="]), kind, depth, this.#random() < 0.85 ? kind : this.pick(KINDS));
      case "order": {
        const ordered: Kind = this.pick(["int", "uint", "double", "string", "bool", "time", "duration", "bytes"]);
        const other: Kind = this.#random() < 0.8 ? ordered : this.pick(["int", "uint", "double"]);
        return this.#binary(this.pick(["<", "<=", ">", ">="]), ordered, depth, other);
      }
      case "logical": {
        const operator = this.pick(["&&", "||"] as const);
        const count = 2 + Math.floor(this.#random() * 3);
        const operands = Array.from({ length: count }, () => this.tree("bool", depth));
        return {
          kind: "logical",
          operator,
          operands: operands.flatMap((one) =>
            one.kind === "logical" && one.operator === operator ? one.operands : [one]
          ),
          span: SPAN,
        };
      }
      case "not":
        return { kind: "unary", operator: "!", operand: this.tree("bool", depth), span: SPAN };
      case "in":
        return this.#random() < 0.7
          ? this.#binary("in", "string", depth, "list")
          : this.#binary("in", this.pick(["string", "int"]), depth, "map");
      case "has":
        return {
          kind: "has",
          operand: this.tree("map", depth),
          field: this.pick(["k", "a", "nope"]),
          fieldSpan: SPAN,
          span: SPAN,
        };
      case "text":
        return this.#method(this.pick(["startsWith", "endsWith", "contains"]), "string", depth, ["string"]);
      case "macro":
        return this.#comprehension(this.pick(["all", "exists", "exists_one"]), depth);
      default:
        return {
          kind: "call",
          name: "matches",
          receiver: this.tree("string", depth),
          args: [literal(this.pick(PATTERNS))],
          span: SPAN,
        };
    }
  }

  #int(depth: number): Tree {
    if (this.#names.ip !== undefined && this.#random() < 0.05) return this.#method("family", "ip", depth, []);
    switch (this.pick(["math", "math", "size", "indexOf", "int", "minus", "date", "from"])) {
      case "math":
        return this.#binary(this.pick(["+", "-", "*", "/", "%"]), "int", depth);
      case "size":
        return this.#random() < 0.5
          ? this.#call("size", [this.tree(this.pick(["string", "list", "map", "bytes"]), depth)])
          : this.#method("size", this.pick(["string", "list", "map", "bytes"]), depth, []);
      case "indexOf":
        return this.#method(this.pick(["indexOf", "lastIndexOf"]), "string", depth, ["string"]);
      case "minus": {
        const operand = this.tree("int", depth);
        return operand.kind === "literal" ? operand : { kind: "unary", operator: "-", operand, span: SPAN };
      }
      case "date":
        return this.#method(
          this.pick(["getHours", "getDayOfYear", "getFullYear", "getMilliseconds"]),
          "time",
          depth,
          [],
        );
      case "from":
        return {
          kind: "index",
          operand: { kind: "list", elements: [1n, 2n, 5n].map(literal), span: SPAN },
          index: this.tree("int", depth),
          span: SPAN,
        };
      default:
        return this.#call("int", [this.tree(this.pick(["uint", "double", "string", "time"]), depth)]);
    }
  }

  #string(depth: number): Tree {
    switch (this.pick(["add", "substring", "charAt", "case", "join", "string", "index"])) {
      case "add":
        return this.#binary("+", "string", depth);
      case "substring":
        return this.#method("substring", "string", depth, this.#random() < 0.5 ? ["int"] : ["int", "int"]);
      case "charAt":
        return this.#method("charAt", "string", depth, ["int"]);
      case "case":
        return this.#method(this.pick(["lowerAscii", "upperAscii", "trim"]), "string", depth, []);
      case "join":
        return this.#method("join", "list", depth, this.#random() < 0.5 ? [] : ["string"]);
      case "index":
        return { kind: "index", operand: this.tree("list", depth), index: this.tree("int", depth), span: SPAN };
      default:
        return this.#call("string", [
          this.tree(this.pick(["int", "uint", "bool", "bytes", "duration", "time"]), depth),
        ]);
    }
  }

  #list(depth: number): Tree {
    switch (this.pick(["literal", "add", "split", "macro"])) {
      case "literal": {
        const count = Math.floor(this.#random() * 4);
        const elements = Array.from({ length: count }, () => this.tree("string", depth));
        return { kind: "list", elements, span: SPAN };
      }
      case "add":
        return this.#binary("+", "list", depth);
      case "split":
        return this.#method("split", "string", depth, this.#random() < 0.5 ? ["string"] : ["string", "int"]);
      default:
        return this.#comprehension(this.pick(["filter", "map"]), depth);
    }
  }

  #comprehension(macro: Macro, depth: number): Tree {
    const range = this.tree(this.#random() < 0.8 ? "list" : "map", depth);
    // The reference library allows two levels of comprehensions.
    if (this.#locals >= 2) return macro === "filter" || macro === "map" ? range : literal(true);
    const variable = `v${this.#locals++}`;
    const inner = new Generator(this.#random, {
      ...this.#names,
      string: [...(this.#names.string ?? []), name(variable), name(variable)],
    });
    inner.#locals = this.#locals;
    const predicate = macro === "map" && this.#random() < 0.6 ? null : inner.tree("bool", depth);
    const transform = macro === "map" ? inner.tree("string", depth) : null;
    this.#locals--;
    return { kind: "comprehension", macro, range, variable, variableSpan: SPAN, predicate, transform, span: SPAN };
  }

  #conditional(kind: Kind, depth: number): Tree {
    return {
      kind: "conditional",
      condition: this.tree("bool", depth),
      then: this.tree(kind, depth),
      otherwise: this.tree(kind, depth),
      span: SPAN,
    };
  }

  #binary(operator: BinaryOperator, kind: Kind, depth: number, other: Kind = kind): Tree {
    return { kind: "binary", operator, left: this.tree(kind, depth), right: this.tree(other, depth), span: SPAN };
  }

  #call(called: string, args: readonly Tree[]): Tree {
    return { kind: "call", name: called, receiver: null, args, span: SPAN };
  }

  #method(called: string, receiver: Kind, depth: number, args: readonly Kind[]): Tree {
    return {
      kind: "call",
      name: called,
      receiver: this.tree(receiver, depth),
      args: args.map((kind) => this.tree(kind, depth)),
      span: SPAN,
    };
  }
}
