// Hints for words of other policy languages, such as `action: deny` and `when:`.
import { quote } from "../core/quote.ts";

/** The hints for missing members of a rule. */
export const MISSING_HINTS: Readonly<Record<string, string>> = {
  id: "give the rule a name of its own: id: git.read",
  condition: 'say when the rule matches: condition: network.hostname == "example.com"',
  action: "say what the rule does: action: allow, or action: block",
  enrich: "a rule of action enrich names its hook: enrich: {script: <path>}",
};

/** The hint for an action in other words; undefined for unknown words and for members other than the action. */
export function actionHint(text: string, choices: readonly string[]): string | undefined {
  const meant = ACTIONS.get(text.toLowerCase());
  return meant === undefined || !choices.includes(meant) ? undefined : `did you mean ${quote(meant)}?`;
}

const ACTIONS: ReadonlyMap<string, string> = new Map([
  ...["deny", "denied", "drop", "reject", "refuse", "forbid", "disallow", "prohibit", "blocked", "stop"].map((word) =>
    [word, "block"] as const
  ),
  ...["permit", "accept", "pass", "grant", "approve", "allowed", "continue"].map((word) => [word, "allow"] as const),
  ...["hook", "script", "call"].map((word) => [word, "enrich"] as const),
]);

/** The hint for a boolean of YAML 1.1, which YAML 1.2 reads as text. */
export function booleanHint(text: string): string | undefined {
  if (/^(?:yes|y|on)$/i.test(text)) return "write true";
  return /^(?:no|n|off)$/i.test(text) ? "write false" : undefined;
}

/** The hint for a member that has another name here. */
export function memberHint(name: string, known: readonly string[]): string | undefined {
  const meant = MEMBERS.get(name.toLowerCase().replaceAll("-", "_"));
  return meant === undefined || !known.includes(meant) ? undefined : `did you mean ${quote(meant)}?`;
}

const MEMBERS: ReadonlyMap<string, string> = new Map([
  ["name", "id"],
  ["rule", "id"],
  ["when", "condition"],
  ["if", "condition"],
  ["expr", "condition"],
  ["expression", "condition"],
  ["match", "condition"],
  ["effect", "action"],
  ["decision", "action"],
  ["verdict", "action"],
  ["then", "action"],
  ["comment", "description"],
  ["message", "reason"],
  ["order", "priority"],
  ["hook", "enrich"],
  ["apiversion", "version"],
  ["vars", "definitions"],
  ["variables", "definitions"],
  ["macros", "definitions"],
  ["policies", "rules"],
]);

/** The hint for a file or a list of rules of another shape. */
export function shapeHint(path: readonly string[]): string | undefined {
  if (path.length === 0) return 'begin the file with version: "1", and list the rules under rules:';
  return path.length === 1 && path[0] === "rules" ? "begin each rule with a dash: - id: ..." : undefined;
}
