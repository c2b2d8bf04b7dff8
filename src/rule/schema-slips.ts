// Words of other policy languages -> what a rule file calls them.
import { quote } from "../core/quote.ts";

/** What to write for a member that a rule of each action needs and does not have. */
export const MISSING_HINTS: Readonly<Record<string, string>> = {
  id: "give the rule a name of its own: id: git.read",
  condition: 'say when the rule matches: condition: network.hostname == "example.com"',
  action: "say what the rule does: action: allow, or action: block",
  enrich: "a rule of action enrich names its hook: enrich: {script: <path>}",
};

/** The action that another word stands for, if the value is one of several. */
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

/** What to write for a word of YAML 1.1 that YAML 1.2 reads as text. */
export function booleanHint(text: string): string | undefined {
  if (/^(?:yes|y|on)$/i.test(text)) return "write true";
  return /^(?:no|n|off)$/i.test(text) ? "write false" : undefined;
}

/** The known member that an unknown one stands for. */
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

/** What to write where the file, its rules or a rule have another shape. */
export function shapeHint(path: readonly string[]): string | undefined {
  if (path.length === 0) return 'begin the file with version: "1", and list the rules under rules:';
  return path.length === 1 && path[0] === "rules" ? "begin each rule with a dash: - id: ..." : undefined;
}
