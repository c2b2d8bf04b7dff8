// Context -> one line for a log, with the members that the context table shows in logs. These never include values of headers,
// metadata, run.context, labels, facts or environment variables, nor query strings.
import type { Context } from "../core/context.ts";
import type { LogForm, MemberRow } from "../core/context-member.ts";
import { CONTEXT_NAMESPACES, CONTEXT_VARIABLES } from "../core/context-table.ts";
import { isJsonList, isJsonObject, type Json, type JsonObject } from "../core/json.ts";
import { escapeText } from "../core/quote.ts";

/** Longest text of one member in a summary, in code points. */
const MEMBER_LENGTH = 200;

/** The plain members of a context as `name=value` texts. */
export function summarize(context: Context): string {
  const given: JsonObject = context;
  const texts: string[] = [];
  for (const { label, namespace, member, form } of SHOWN) {
    const whole = namespace === null ? given : given[namespace];
    const value = isJsonObject(whole) ? whole[member] : undefined;
    const text = value === undefined ? null : textOf(form, value, context.action_type);
    if (text !== null) texts.push(`${label}=${escapeText(text, MEMBER_LENGTH)}`);
  }
  return texts.join(" ");
}

/** A variable, or a member of a namespace, that a log shows. */
type Shown = {
  readonly label: string;
  readonly namespace: string | null;
  readonly member: string;
  readonly form: LogForm;
};

const SHOWN: readonly Shown[] = [
  ...shownOf(null, CONTEXT_VARIABLES),
  ...Object.entries(CONTEXT_NAMESPACES).flatMap(([namespace, { members }]) => shownOf(namespace, members)),
];

function shownOf(
  namespace: string | null,
  rows: Readonly<Record<string, Pick<MemberRow, "type" | "log">>>,
): readonly Shown[] {
  return Object.entries(rows).flatMap(([member, { log }]) => {
    const label = namespace === null ? member : `${namespace}.${member}`;
    return log === undefined ? [] : [{ label, namespace, member, form: log }];
  });
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
