// Checks every name of an expression against the environment. An unknown namespace or field is reported anywhere,
// even inside has(). A namespace is not a value: it can only be followed by a field.
import { didYouMean } from "../core/nearest.ts";
import { quote } from "../core/quote.ts";
import type { Environment } from "./environment.ts";
import { type CelProblem, celProblem } from "./cel-problem.ts";
import type { Has, Name, Select, Tree } from "./tree.ts";
import { fieldHint, nameHint } from "./type-slips.ts";
import { TYPE_NAMES } from "./value.ts";
import { children, type Scope } from "./walk-tree.ts";

/** Returns all problems of names. */
export function checkNames(tree: Tree, environment: Environment): readonly CelProblem[] {
  const problems: CelProblem[] = [];
  checkTree(tree, NO_NAMES, { environment, report: (problem) => problems.push(problem) });
  return problems;
}

const NO_NAMES: Scope = new Set();
const NOT_OFFERED: ReadonlySet<string> = new Set(["cel", "optional"]);

type Checking = { readonly environment: Environment; readonly report: (problem: CelProblem) => void };

function checkTree(tree: Tree, scope: Scope, checking: Checking): void {
  switch (tree.kind) {
    case "name":
      return checkName(tree, scope, checking);
    case "select":
    case "has":
      return checkField(tree, scope, checking);
    case "call":
      // checkCalls reports `cel.bind` and `optional.of` as unknown functions.
      if (tree.receiver?.kind === "name" && NOT_OFFERED.has(tree.receiver.name) && !scope.has(tree.receiver.name)) {
        return;
      }
      return children(tree).forEach((child) => checkTree(child, scope, checking));
    case "comprehension": {
      checkTree(tree.range, scope, checking);
      const inner = new Set(scope).add(tree.variable);
      for (const part of [tree.predicate, tree.transform]) {
        if (part !== null) checkTree(part, inner, checking);
      }
      return;
    }
    default:
      for (const child of children(tree)) checkTree(child, scope, checking);
  }
}

function checkField(tree: Select | Has, scope: Scope, checking: Checking): void {
  const { operand, field, fieldSpan } = tree;
  const namespace = operand.kind === "name" && !scope.has(operand.name)
    ? checking.environment.namespaces.get(operand.name)
    : undefined;
  if (namespace?.fields.has(field) === true || TYPE_NAMES.has(dottedName(tree) ?? "")) return;
  if (namespace === undefined) return checkTree(operand, scope, checking);
  const message = `namespace ${namespace.name} has no field ${quote(field)}`;
  const hint = fieldHint(namespace.name, field) ?? didYouMean(field, namespace.fields.keys());
  checking.report(celProblem("rule.unknown-field", message, fieldSpan, hint));
}

function checkName({ name, span }: Name, scope: Scope, { environment, report }: Checking): void {
  if (scope.has(name) || environment.variables.has(name) || TYPE_NAMES.has(name)) return;
  if (environment.namespaces.has(name)) {
    const message = `${name} is a namespace and has no value of its own`;
    report(celProblem("rule.type", message, span, `name one of its fields, as in has(${name}.field)`));
    return;
  }
  const known = [...scope, ...environment.namespaces.keys(), ...environment.variables.keys()];
  const hint = nameHint(name) ?? didYouMean(name, known);
  report(celProblem("rule.unknown-field", `unknown name ${quote(name)}`, span, hint));
}

// The name of a type with dots in it, such as google.protobuf.Timestamp.
function dottedName({ operand, field }: Select | Has): string | undefined {
  if (operand.kind === "name") return `${operand.name}.${field}`;
  const outer = operand.kind === "select" ? dottedName(operand) : undefined;
  return outer === undefined ? undefined : `${outer}.${field}`;
}
