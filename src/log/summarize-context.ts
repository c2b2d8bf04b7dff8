// Context -> the one line of it that a log may hold: the members that the context table shows in logs. These are never
// values of headers, metadata, run.context, labels, facts or environment variables, and never query strings.
import type { Context } from "../core/context.ts";
import type { LogForm, NamespaceRow, VariableRow } from "../core/context-member.ts";
import { CONTEXT_NAMESPACES, CONTEXT_VARIABLES } from "../core/context-table.ts";
import { isJsonList, isJsonObject, type Json, type JsonObject } from "../core/json.ts";
import { escapeText } from "../core/quote.ts";

/** Longest text of one member in a summary, in code points. */
const MEMBER_LENGTH = 200;

/** The plain members of a context as `name=value` texts. */
export function summarize(context: Context): string {
  const given: JsonObject = context;
  const show = (name: string, { log }: { readonly log?: LogForm }, value: Json | undefined): readonly string[] => {
    const text = log === undefined || value === undefined ? null : textOf(log, value, context.action_type);
    return text === null ? [] : [`${name}=${escapeText(text, MEMBER_LENGTH)}`];
  };
  const variables = Object.entries<VariableRow>(CONTEXT_VARIABLES).flatMap(([name, row]) =>
    show(name, row, given[name])
  );
  const members = Object.entries<NamespaceRow>(CONTEXT_NAMESPACES).flatMap(([namespace, { members }]) => {
    const values = given[namespace];
    if (!isJsonObject(values)) return [];
    return Object.entries(members).flatMap(([name, row]) => show(`${namespace}.${name}`, row, values[name]));
  });
  return [...variables, ...members].join(" ");
}

function textOf(form: LogForm, value: Json, actionType: string | undefined): string | null {
  switch (form) {
    case "value":
      return String(value);
    case "path":
      return cutQuery(String(value));
    case "target":
      return hideSecrets(actionType, String(value));
    case "count":
      return isJsonList(value) ? `${value.length}` : null;
    case "when-true":
      return value === true ? "true" : null;
  }
}

/** The target of a request as a log may show it, on one line. */
export function summarizeTarget(actionType: string, target: string): string {
  return escapeText(hideSecrets(actionType, target), MEMBER_LENGTH);
}

/** The method and path of a request on a socket, as a log may show them. */
export function summarizeRequest({ method, url }: Request): { readonly method: string; readonly path: string } {
  return { method, path: escapeText(new URL(url).pathname, MEMBER_LENGTH) };
}

// A shell line holds arguments, which may be headers, passwords or URLs, so only its length is shown.
function hideSecrets(actionType: string | undefined, target: string): string {
  return actionType === "shell_exec" ? `<line ${Buffer.byteLength(target)} bytes>` : cutQuery(target);
}

/** The text up to its query string, without the user info and the fragment of a URL. */
export function cutQuery(text: string): string {
  const query = text.indexOf("?");
  const path = query < 0 ? text : text.slice(0, query);
  const url = /^([a-z][a-z0-9+.-]*:\/\/)(?:[^/\\#]*@)?([^#]*)/i.exec(path);
  return url === null ? path : `${url[1]}${url[2]}`;
}
