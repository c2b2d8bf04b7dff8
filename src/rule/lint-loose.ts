// Lints allow rules that allow more than their text suggests: by a program's name without its path, or by a test of a host,
// path or target that is open at one end. Only tests that must be true for the rule to match are checked, because in a
// negation an open end makes the rule narrower.
import type { Tree } from "../cel/tree.ts";
import { visit } from "../cel/walk-tree.ts";
import type { Finding } from "../core/finding.ts";
import { escapeText } from "../core/quote.ts";
import { fact, type Facts, factsWhen, NO_FACTS, strength, visitWithFacts } from "./facts.ts";
import { literalValues } from "./lint-scope.ts";
import { type AnalyzedRule, warningOf } from "./linted-rule.ts";
import { alternativesOf, hasBareDot } from "./pattern-reach.ts";
import { pathOf } from "./tree-facts.ts";

/** Finds the loose tests of an allow rule. */
export function looseAllow(rule: AnalyzedRule): readonly Finding[] {
  if (rule.entry.action !== "allow" || !MAY_BE_LOOSE.test(rule.normal)) return [];
  return [...nameAlone(rule), ...openEnds(rule)];
}

// A condition without any of these has no loose test.
const MAY_BE_LOOSE = /run\.tool|contains\(|startsWith\(|endsWith\(|matches\(/;

// The rule tests the name of a program and not its path. A script in the work tree can have the same name.
function nameAlone(rule: AnalyzedRule): readonly Finding[] {
  const { tree } = rule.checked;
  const names = factsWhen(tree, true, (leaf, outcome) => {
    if (outcome && textTest(leaf)?.path === "run.tool") return fact("name");
    const tested = outcome ? literalValues(leaf) : null;
    if (tested === null) return NO_FACTS;
    if (tested.path === "run.tool") return fact("name");
    return tested.path === "action_type" && tested.values.has("file_access") && tested.values.size === 1
      ? fact("file")
      : NO_FACTS;
  });
  if (names?.has("name") !== true || names.has("file") || readsProgram(tree)) return [];
  let span = tree.span;
  visit(tree, (node) => {
    const tested = literalValues(node) ?? textTest(node);
    if (span === tree.span && tested?.path === "run.tool") span = node.span;
  });
  const message = "allows by run.tool, the name alone, so any program of that name is allowed";
  return [warningOf(rule, "rule.loose", message, span, 'test the whole path, as in run.path == "/usr/bin/git"')];
}

const PROGRAM_PATHS: ReadonlySet<string> = new Set(["run.path", "run.executable", "target"]);

function readsProgram(tree: Tree): boolean {
  let found = false;
  visit(tree, (node) => {
    found ||= PROGRAM_PATHS.has(pathOf(node) ?? "");
  });
  return found;
}

// Tests with an open end, unless another test of the same member is exact or closed.
function openEnds(rule: AnalyzedRule): readonly Finding[] {
  const findings: Finding[] = [];
  visitWithFacts(rule.checked.tree, closedTests, (node, { held, wanted }) => {
    const test = wanted === true ? textTest(node) : null;
    const open = test === null ? null : looseness(test);
    if (test === null || open === null || strength(held, test.path) > 0) return;
    findings.push(warningOf(rule, "rule.loose", open.message, node.span, open.hint));
  });
  return findings;
}

// The members that an exact or closed test determines.
function closedTests(leaf: Tree, outcome: boolean): Facts {
  if (!outcome) return NO_FACTS;
  const exact = literalValues(leaf);
  if (exact !== null) return fact(exact.path);
  const test = textTest(leaf);
  return test === null || KINDS[test.path] === undefined || looseness(test) !== null ? NO_FACTS : fact(test.path);
}

type TextTest = { readonly path: string; readonly name: string; readonly text: string };

// `member.startsWith("...")` and its like.
function textTest(tree: Tree): TextTest | null {
  if (tree.kind !== "call" || !TESTS.has(tree.name)) return null;
  const [text, member] = tree.receiver === null ? [tree.args[1], tree.args[0]] : [tree.args[0], tree.receiver];
  const path = member === undefined ? null : pathOf(member);
  if (path === null || text?.kind !== "literal" || typeof text.value !== "string" || text.value === "") return null;
  return { path, name: tree.name, text: text.value };
}

const TESTS: ReadonlySet<string> = new Set(["contains", "startsWith", "endsWith", "matches"]);

type Kind = "host" | "file" | "target" | "image" | "url-path";

const KINDS: Readonly<Record<string, Kind>> = {
  "network.hostname": "host",
  "http.host": "host",
  "dns.query": "host",
  "run.path": "file",
  "run.executable": "file",
  "run.cwd": "file",
  "target": "target",
  "docker.image": "image",
  "agent.image": "image",
  "http.path": "url-path",
};

type Looseness = { readonly message: string; readonly hint: string };

function looseness(test: TextTest): Looseness | null {
  const kind = KINDS[test.path];
  if (kind === undefined) return null;
  switch (test.name) {
    case "contains":
      return looseContains(test, kind);
    case "startsWith":
      return looseStart(test, kind);
    case "endsWith":
      return looseEnd(test, kind);
    default:
      return loosePattern(test, kind);
  }
}

function looseContains({ path, text }: TextTest, kind: Kind): Looseness {
  const message = `allows every ${path} that contains ${shown(text)}`;
  const wanted = kind === "host"
    ? `${path} == or ${path}.endsWith(".${shownIn(text)}")`
    : `${path} == or ${path}.startsWith(...)`;
  return { message, hint: `use ${wanted}` };
}

function looseStart({ path, text }: TextTest, kind: Kind): Looseness | null {
  if (kind === "host") {
    const message = `allows every host that begins with ${shown(text)}, such as ${
      shown(`${text.replace(/\.$/, "")}.evil.example`)
    }`;
    return { message, hint: `test the end of the host: ${path} == or ${path}.endsWith(".example.com")` };
  }
  const isOpenUrl = kind === "target" && /^[a-z][a-z0-9+.-]*:\/\/[^/]+$/.test(text);
  if (isOpenUrl) {
    const message = `allows every target that begins with ${shown(text)}, such as ${shown(`${text}.evil.example`)}`;
    return { message, hint: `end the host with a slash: ${shown(`${text}/`)}` };
  }
  const isOpenPath = (kind === "file" || kind === "target") && /^\/.*[^/]$/s.test(text) && !/\s/.test(text);
  if (isOpenPath) {
    const message = `allows every path that begins with ${shown(text)}, such as ${shown(`${text}-other`)}`;
    return { message, hint: `end the directory with a slash: ${shown(`${text}/`)}` };
  }
  if (kind !== "image" || /[/:@]/.test(text.at(-1) ?? "")) return null;
  const message = `allows every image that begins with ${shown(text)}, such as ${shown(`${text}-other`)}`;
  return { message, hint: `end the name with "/", ":" or "@"` };
}

function looseEnd({ path, text }: TextTest, kind: Kind): Looseness | null {
  if (kind === "host" && !text.startsWith(".")) {
    const message = `allows every host that ends with ${shown(text)}, such as ${shown(`evil${text}`)}`;
    return { message, hint: `use ${path} == ${shown(text)} || ${path}.endsWith(${shown(`.${text}`)})` };
  }
  if (kind === "url-path" || kind === "host") return null;
  const message = `allows every ${path} that ends with ${shown(text)}`;
  return {
    message,
    hint: kind === "file" ? `name the whole path, as in ${path} == "/usr/bin/git"` : `name all of ${path}`,
  };
}

function loosePattern({ path, text }: TextTest, kind: Kind): Looseness | null {
  const alternatives = alternativesOf(text);
  const open = alternatives.find((each) => isOpenAtStart(each.text, kind) && !each.isTiedToStart);
  if (open !== undefined) {
    const message = `allows by a pattern without ^, which matches anywhere in ${path}`;
    return { message, hint: 'begin and end the pattern with ^ and $, around all alternatives: "^(a|b)$"' };
  }
  if (kind !== "url-path" && alternatives.some((each) => !each.isTiedToEnd && isOpenAtEnd(each.text, kind))) {
    const message = `allows by a pattern without $, so anything may follow in ${path}`;
    return { message, hint: 'begin and end the pattern with ^ and $, around all alternatives: "^(a|b)$"' };
  }
  if (kind !== "host" || !hasBareDot(text)) return null;
  return {
    message: "allows by a pattern whose dot stands for any character",
    hint: 'write \\\\. for a dot: "^api\\\\.example\\\\.com$"',
  };
}

// `\.example\.com$` plainly means every name below a domain.
function isOpenAtStart(pattern: string, kind: Kind): boolean {
  return kind !== "host" || !/^(?:\(\?i\))?(?:\\\.|\[\.\])/.test(pattern);
}

// `^/workspace/` plainly means everything below a directory.
function isOpenAtEnd(pattern: string, kind: Kind): boolean {
  return kind === "host" ||
    !/(?:\/|\.[*+]|\[\^[^\]]*\][*+])\)?$/.test(kind === "image" ? pattern.replace(/[:@]$/, "/") : pattern);
}

function shown(text: string): string {
  return JSON.stringify(shownIn(text));
}

function shownIn(text: string): string {
  return escapeText(text, 80);
}
