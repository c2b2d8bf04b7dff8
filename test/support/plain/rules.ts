// The plain evaluator of rule sets. Definitions are inserted as trees, not as text. Rules are evaluated one after the
// other, in an order found by comparing all of them.
import { parse } from "../../../src/cel/parse-expression.ts";
import type { Tree } from "../../../src/cel/tree.ts";
import type { Context } from "../../../src/core/context.ts";
import type { RuleAction } from "../../../src/core/decision.ts";
import type { JsonObject } from "../../../src/core/json.ts";
import { evaluatePlain } from "./evaluator.ts";
import type { Plain } from "./value.ts";

/** A rule as written in a file. */
export type PlainRule = {
  readonly id: string;
  readonly condition: string;
  readonly action: RuleAction;
  readonly priority?: number;
  readonly log?: boolean;
  readonly reason?: string;
  readonly description?: string;
  /** The time when an allow rule ends. */
  readonly expires?: string;
  /** The hook of an enrich rule. */
  readonly script?: string;
};

/** A rule file as written. */
export type PlainFile = {
  readonly name: string;
  readonly definitions: Readonly<Record<string, string>>;
  readonly rules: readonly PlainRule[];
};

/** The result of an evaluation; `warned` lists the rules with warnings, in order. */
export type PlainDecision = {
  readonly decision: "allow" | "block";
  readonly matched_rule: string | null;
  readonly file: string | null;
  readonly logged: boolean;
  readonly warned: readonly string[];
};

/** The output of a hook, or null if it fails. */
export type PlainHook = (script: string) => JsonObject | null;

/** A rule with its file and its condition, in which definitions are inserted. */
export type PlacedRule = PlainRule & { readonly file: string; readonly tree: Tree };

/** The rules of all files in their order of evaluation. */
export function orderPlain(files: readonly PlainFile[]): readonly PlacedRule[] {
  const byName = [...files].sort((a, b) => (a.name < b.name ? -1 : 1));
  const placed = byName.flatMap((file) =>
    file.rules.map((rule) => ({ ...rule, file: file.name, tree: expandPlain(rule.condition, file.definitions) }))
  );
  const priorities = [...new Set(placed.map(priorityOf))].sort((a, b) => a - b);
  return priorities.flatMap((priority) => placed.filter((rule) => priorityOf(rule) === priority));
}

function priorityOf({ priority = 100 }: PlainRule): number {
  return priority;
}

/** The fixed time of every evaluation, in milliseconds since 1970. */
export const PLAIN_NOW_MS = Date.UTC(2030, 0, 1);

/** The decision for a context. */
export function decidePlain(rules: readonly PlacedRule[], context: Context, runHook: PlainHook): PlainDecision {
  const warned: string[] = [];
  let request = { context, enriched: {} as JsonObject | "failed" };
  for (const rule of rules) {
    if (rule.expires !== undefined && Date.parse(rule.expires) <= PLAIN_NOW_MS) continue;
    const value = evaluatePlain(rule.tree, request);
    if (value.is !== "bool" && value.is !== "none") warned.push(rule.id);
    if (rule.action === "enrich" && value.is !== "bool" && value.is !== "none") request = afterHook(request, null);
    if (!matches(value, rule.action)) continue;
    if (rule.action !== "enrich") {
      return { decision: rule.action, matched_rule: rule.id, file: rule.file, logged: rule.log ?? false, warned };
    }
    const output = runHook(rule.script ?? "");
    if (output === null) warned.push(rule.id);
    request = afterHook(request, output);
  }
  return { decision: "block", matched_rule: null, file: null, logged: false, warned };
}

// True is a match. A condition that cannot be evaluated or is not boolean matches only in a block rule.
function matches(value: Plain, action: RuleAction): boolean {
  if (value.is === "bool") return value.bool;
  return value.is !== "none" && action === "block";
}

type Request = { readonly context: Context; readonly enriched: JsonObject | "failed" };

function afterHook({ context, enriched }: Request, output: JsonObject | null): Request {
  if (output === null || enriched === "failed") return { context, enriched: "failed" };
  const added = Object.entries(output).filter(([key]) => key !== "action_type" && key !== "target");
  const merged = (into: JsonObject): JsonObject => Object.fromEntries([...Object.entries(into), ...added]);
  const { run } = context;
  return {
    context: run === undefined ? context : { ...context, run: { ...run, context: merged(run.context ?? {}) } },
    enriched: merged(enriched),
  };
}

/** A condition with its definitions inserted as trees. */
export function expandPlain(text: string, definitions: Readonly<Record<string, string>>): Tree {
  const parsed = parse(text, { references: true });
  if (!parsed.ok) throw new Error(`${text}: ${parsed.error.message}`);
  return putIn(parsed.value.tree, definitions);
}

function putIn(tree: Tree, definitions: Readonly<Record<string, string>>): Tree {
  const inner = (part: Tree): Tree => putIn(part, definitions);
  const maybe = (part: Tree | null): Tree | null => (part === null ? null : inner(part));
  switch (tree.kind) {
    case "reference":
      return expandPlain(definitions[tree.name] ?? "", definitions);
    case "literal":
    case "name":
      return tree;
    case "select":
    case "has":
    case "unary":
      return { ...tree, operand: inner(tree.operand) };
    case "index":
      return { ...tree, operand: inner(tree.operand), index: inner(tree.index) };
    case "call":
      return { ...tree, receiver: maybe(tree.receiver), args: tree.args.map(inner) };
    case "binary":
      return { ...tree, left: inner(tree.left), right: inner(tree.right) };
    case "logical":
      return { ...tree, operands: tree.operands.map(inner) };
    case "conditional":
      return {
        ...tree,
        condition: inner(tree.condition),
        then: inner(tree.then),
        otherwise: inner(tree.otherwise),
      };
    case "list":
      return { ...tree, elements: tree.elements.map(inner) };
    case "map":
      return { ...tree, entries: tree.entries.map(({ key, value }) => ({ key: inner(key), value: inner(value) })) };
    case "comprehension":
      return {
        ...tree,
        range: inner(tree.range),
        predicate: maybe(tree.predicate),
        transform: maybe(tree.transform),
      };
  }
}
