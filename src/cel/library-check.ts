// Prepares the library's syntax tree for the library's checker, so that hostile text takes bounded time, memory and stack to
// check, and nothing is left unchecked. The checker calls `check` on each node; this file overrides that method on nodes:
// - a chain of `&&` or `||` is checked in a loop, not by recursion through thousands of operands;
// - the key of a map literal must be a key (`{m: m}` mapped over itself doubles the type, and its name, at each step);
// - lists and maps nested deeper than TYPE_NESTING are dyn, because the library keeps every type it has seen;
// - `has(a.b.c)` checks all of its argument, not only the name it begins with.
import { TYPE_NESTING } from "./limits.ts";
import type { ASTNode } from "./library.ts";

type Type = {
  readonly kind: string;
  readonly name: string;
  readonly keyType?: Type;
  readonly valueType?: Type;
  readonly isDynOrBool: () => boolean;
};

type Checker = {
  readonly check: (node: ASTNode, scope: unknown) => Type;
  readonly getType: (name: string) => Type;
  readonly formatType: (type: Type) => string;
  readonly createError: (code: string, message: string, node: ASTNode) => Error;
};

type CheckMethod = (checker: Checker, node: ASTNode, scope: unknown) => Type;

type Checkable = { check: CheckMethod; setMeta(key: string, value: unknown): unknown };

/** Marks a node as synchronous; otherwise the checker recurses to find that out. */
export function prepareNode(node: ASTNode): void {
  checkable(node).setMeta("async", false);
}

/** Makes the checker check a chain of one logical operator operand by operand. */
export function prepareChain(node: ASTNode, operands: readonly ASTNode[]): void {
  checkable(node).check = (checker, _node, scope) => {
    for (const operand of operands) {
      const type = checker.check(operand, scope);
      if (type.isDynOrBool()) continue;
      const message = `operand of '${node.op}' must be bool, found '${checker.formatType(type)}'`;
      throw checker.createError("invalid_logical_operand", message, operand);
    }
    return checker.getType("bool");
  };
}

/** Bounds the type of a list literal. */
export function prepareList(node: ASTNode): void {
  const check = checkable(node).check;
  checkable(node).check = function (checker, self, scope) {
    return bounded(checker, check.call(self, checker, self, scope));
  };
}

/** Bounds the type of a map literal and refuses what cannot be a key. */
export function prepareMap(node: ASTNode, keys: readonly ASTNode[]): void {
  const check = checkable(node).check;
  checkable(node).check = function (checker, self, scope) {
    for (const key of keys) {
      const type = checker.check(key, scope);
      if (KEY_TYPES.has(type.name) || type.kind === "dyn") continue;
      throw checker.createError("invalid_map_key", `'${checker.formatType(type)}' cannot be a key of a map`, key);
    }
    return bounded(checker, check.call(self, checker, self, scope));
  };
}

/** Makes the checker check the whole argument of `has()`. */
export function prepareHas(node: ASTNode, argument: ASTNode): void {
  checkable(node).setMeta("macro", {
    typeCheck: (checker: Checker, _macro: unknown, scope: unknown): Type => {
      checker.check(argument, scope);
      return checker.getType("bool");
    },
  });
}

const KEY_TYPES: ReadonlySet<string> = new Set(["bool", "int", "string", "uint"]);

function bounded(checker: Checker, type: Type): Type {
  if (nesting(type) <= TYPE_NESTING) return type;
  return checker.getType(type.kind === "map" ? "map<dyn, dyn>" : "list<dyn>");
}

function nesting(type: Type): number {
  return type.valueType === undefined ? 0 : 1 + nesting(type.valueType);
}

// The library does not declare these two methods of its nodes. Its version is pinned, and the tests of bombs and of has()
// fail if the methods disappear.
function checkable(node: ASTNode): Checkable {
  return node as unknown as Checkable;
}
