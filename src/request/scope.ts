// Requester -> the condition that keeps every other container out, as a syntax tree: what an agent may be called is a
// literal's value here and never text.
import type { Tree } from "../cel/tree.ts";
import { type Problem, problem } from "../core/problem.ts";
import { err, ok, type Result } from "../core/result.ts";
import type { Requester } from "../wire/stored-request.ts";

/** Nodes of our own stand in no text. */
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

/** The condition with the scope before it; a chain of `&&` stays one chain. */
export function narrow(scope: Tree, condition: Tree): Tree {
  const isChain = condition.kind === "logical" && condition.operator === "&&";
  const operands = isChain ? condition.operands : [condition];
  return { kind: "logical", operator: "&&", operands: [scope, ...operands], span: NOWHERE };
}
