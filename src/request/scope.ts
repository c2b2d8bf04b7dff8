// Requester -> the condition that limits a rule to its container, as a syntax tree. The container's name is the value of a
// literal, so no name can change the condition.
import type { Tree } from "../cel/tree.ts";
import { type Problem, problem } from "../core/problem.ts";
import { err, ok, type Result } from "../core/result.ts";
import type { Requester } from "../wire/stored-request.ts";

/** The span of nodes that come from no text. */
const NOWHERE = { start: 0, end: 0 };

/** `agent.name == "..."`, or `agent.id == "..."` for a container without a name of its own. */
export function scopeOf({ id, name, named }: Requester): Result<Tree, Problem> {
  const [field, value] = named ? ["name", name] as const : ["id", id] as const;
  if (value === "") {
    return err(problem("request.unacceptable", `the container's ${field} is empty, so nothing can be scoped to it`));
  }
  return ok({
    kind: "binary",
    operator: "==",
    left: {
      kind: "select",
      operand: { kind: "name", name: "agent", span: NOWHERE },
      field,
      fieldSpan: NOWHERE,
      span: NOWHERE,
    },
    right: { kind: "literal", value, span: NOWHERE },
    span: NOWHERE,
  });
}

/** Joins scope and condition by `&&`. A condition that is a chain of `&&` stays one chain. */
export function narrow(scope: Tree, condition: Tree): Tree {
  const isChain = condition.kind === "logical" && condition.operator === "&&";
  const operands = isChain ? condition.operands : [condition];
  return { kind: "logical", operator: "&&", operands: [scope, ...operands], span: NOWHERE };
}
