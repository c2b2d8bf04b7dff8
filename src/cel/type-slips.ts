// Functions, names and types that conditions do not have -> what to write instead, for the slips that people coming from
// other languages make.
import { formatTree } from "./format-tree.ts";
import { type CelProblem, celProblem } from "./cel-problem.ts";
import type { Call, Tree } from "./tree.ts";
import { visit } from "./walk-tree.ts";

/** The hint for a function of other languages, with the value that it is called on. */
export function functionHint({ name, receiver, args: [argument] }: Call): string | undefined {
  const hint = FUNCTION_HINTS.get(name.toLowerCase().replaceAll("_", ""));
  const value = receiver ?? argument;
  const text = value === undefined ? "x" : formatTree(value);
  return hint?.replaceAll("{x}", () => text.length > SHOWN_LENGTH ? "x" : text);
}

/** The longest value that a hint repeats. */
const SHOWN_LENGTH = 60;

const SIZE = "write size({x})";
const MATCHES = 'write {x}.matches("^...$")';

const FUNCTION_HINTS: ReadonlyMap<string, string> = new Map([
  ["len", SIZE],
  ["length", SIZE],
  ["count", SIZE],
  ["isempty", "write size({x}) == 0"],
  ["empty", "write size({x}) == 0"],
  ["lower", "write {x}.lowerAscii()"],
  ["tolower", "write {x}.lowerAscii()"],
  ["tolowercase", "write {x}.lowerAscii()"],
  ["upper", "write {x}.upperAscii()"],
  ["toupper", "write {x}.upperAscii()"],
  ["touppercase", "write {x}.upperAscii()"],
  ["startswith", 'write {x}.startsWith("...")'],
  ["hasprefix", 'write {x}.startsWith("...")'],
  ["endswith", 'write {x}.endsWith("...")'],
  ["hassuffix", 'write {x}.endsWith("...")'],
  ["includes", 'write "..." in {x} for a list, and {x}.contains("...") for text'],
  ["any", 'write {x}.exists(x, x == "...")'],
  ["some", 'write {x}.exists(x, x == "...")'],
  ["every", 'write {x}.all(x, x == "...")'],
  ["equals", "write {x} == ..."],
  ["match", MATCHES],
  ["test", MATCHES],
  ["search", MATCHES],
  ["regex", MATCHES],
  ["regexmatch", MATCHES],
  ["strip", "write {x}.trim()"],
  ["haskey", 'write "key" in {x}'],
  ["containskey", 'write "key" in {x}'],
]);

/** The hint for a name that conditions do not have. */
export function nameHint(name: string): string | undefined {
  return NAME_HINTS.get(name) ?? NAME_HINTS.get(name.toLowerCase());
}

const NULL = "members of a request are never null: has(run.cwd) says whether one was given";
const REQUEST = "name what is asked for directly, as in http.method, network.hostname or run.path";

const NAME_HINTS: ReadonlyMap<string, string> = new Map([
  ["nil", NULL],
  ["none", NULL],
  ["null", NULL],
  ["undefined", NULL],
  ["True", "write true"],
  ["TRUE", "write true"],
  ["False", "write false"],
  ["FALSE", "write false"],
  ["request", REQUEST],
  ["req", REQUEST],
  ["input", REQUEST],
  ["ctx", REQUEST],
  ["context", REQUEST],
  ["url", "write target for the whole URL, or network.hostname and http.path"],
  ["host", "write network.hostname"],
  ["hostname", "write network.hostname"],
  ["port", "write network.port"],
  ["method", "write http.method"],
  ["path", "write run.path for a program, http.path for a URL"],
  ["command", "write run.path and run.argv"],
  ["cmd", "write run.path and run.argv"],
  ["argv", "write run.argv"],
  ["args", "write run.args"],
  ["container", "write agent.name, agent.image or agent.labels"],
  ["action", "write action_type"],
]);

/** The hint for a field that its namespace does not have. */
export function fieldHint(namespace: string, field: string): string | undefined {
  return FIELD_HINTS.get(`${namespace}.${field}`);
}

const FIELD_HINTS: ReadonlyMap<string, string> = new Map([
  ["http.url", "write target for the whole URL, or http.host and http.path"],
  ["http.uri", "write target for the whole URL, or http.host and http.path"],
  ["http.hostname", "write http.host"],
  ["http.verb", "write http.method"],
  ["http.body", "rules see the size of a body alone: http.body_size"],
  ["network.domain", "write network.hostname"],
  ["network.name", "write network.hostname"],
  ["network.address", "write network.ip"],
  ["run.command", "write run.path and run.argv"],
  ["run.cmd", "write run.path and run.argv"],
  ["run.program", "write run.path"],
  ["run.name", "write run.path, or run.tool for its last part"],
  ["run.arguments", "write run.args, or run.argv with the flags"],
  ["dns.name", "write dns.query"],
  ["dns.host", "write dns.query"],
  ["dns.type", "write dns.record_type"],
]);

/** Adds a hint to problems of names that are compared as if they were text. */
export function explainNames(tree: Tree, problems: readonly CelProblem[]): readonly CelProblem[] {
  if (!problems.some(isUnknownName)) return problems;
  const compared = new Map<number, string>();
  visit(tree, (node) => {
    if (node.kind !== "binary") return;
    for (const side of [node.left, ...(node.right.kind === "list" ? node.right.elements : [node.right])]) {
      if (side.kind === "name") compared.set(side.span.start, side.name);
    }
  });
  return problems.map((problem) => {
    const name = isUnknownName(problem) ? compared.get(problem.span.start) : undefined;
    return name === undefined ? problem : { ...problem, hint: `write text in quotes: ${JSON.stringify(name)}` };
  });
}

function isUnknownName({ code, message, hint }: CelProblem): boolean {
  return code === "rule.unknown-field" && hint === undefined && message.startsWith("unknown name ");
}

/** Adds the likely meaning to a problem of types, if its place in the tree shows one. */
export function explainType(tree: Tree, problem: CelProblem): CelProblem {
  if (problem.hint !== undefined || problem.code !== "rule.type") return problem;
  let hint: string | undefined;
  visit(tree, (node) => {
    const isHere = node.span.start <= problem.span.start && problem.span.end <= node.span.end;
    if (isHere) hint = hintOf(node, problem.message) ?? hint;
  });
  return hint === undefined ? problem : celProblem(problem.code, problem.message, problem.span, hint);
}

function hintOf(node: Tree, message: string): string | undefined {
  switch (node.kind) {
    case "call":
      return node.receiver === null ? undefined : methodHint(node.name, node.receiver, node.args, message);
    case "binary":
      return comparisonHint(node.operator, node.left, node.right, message);
    case "select":
      return /^(length|size|len|count)$/.test(node.field) ? `write size(${formatTree(node.operand)})` : undefined;
    case "unary":
      return message === "no such overload: !string"
        ? "put parentheses around what is negated, as in !(x in list)"
        : undefined;
    default:
      return undefined;
  }
}

function methodHint(name: string, receiver: Tree, [argument]: readonly Tree[], message: string): string | undefined {
  const of = /'(list|map)[^.]*\.\w+\(/.exec(message)?.[1];
  if (of === undefined || argument === undefined) return undefined;
  const [container, wanted] = [formatTree(receiver), formatTree(argument)];
  if (name === "contains") return `write ${wanted} in ${container}`;
  if (of === "list" && TEXT_TESTS.has(name)) return `write ${container}.exists(x, x.${name}(${wanted}))`;
  return undefined;
}

const TEXT_TESTS: ReadonlySet<string> = new Set(["startsWith", "endsWith", "matches"]);

function comparisonHint(operator: string, left: Tree, right: Tree, message: string): string | undefined {
  const types = /^no such overload: (.+) (==|!=|<=?|>=?|in) (.+)$/.exec(message);
  const [, leftType = "", found, rightType = ""] = types ?? [];
  if (found !== operator) return undefined;
  const [a, b] = [formatTree(left), formatTree(right)];
  const not = operator === "!=" ? "!" : "";
  const contained = (element: string, list: string) =>
    not === "" ? `write ${element} in ${list}` : `write !(${element} in ${list})`;
  if (operator === "in") {
    if (leftType === "string" && rightType === "string") {
      return right.kind === "literal" ? `write ${a} == ${b}` : `write ${b}.contains(${a})`;
    }
    return leftType === "int" && rightType === "list<string>" ? "write the numbers without quotes" : undefined;
  }
  if (leftType === "list<string>" && rightType === "string") return contained(b, a);
  if (leftType === "string" && rightType === "list<string>") {
    return right.kind === "list" && not === "" ? `write ${a} in ${b}` : contained(a, b);
  }
  if (`${leftType} ${rightType}`.includes("null")) return NULL;
  const number = leftType === "int" ? right : left;
  const isNumber = number.kind === "literal" && typeof number.value === "string" && /^[0-9]+$/.test(number.value);
  return isNumber ? `write the number without quotes: ${String(number.value)}` : undefined;
}
