// Context -> the one line of it that a log may hold: namespaces and their plain members, never the values of headers,
// metadata, run.context, labels, facts or environment, and no query strings (rule-engine.md 12).
import type { Context } from "../core/context.ts";
import { escapeText } from "../core/quote.ts";

/** Longest text of one member in a summary, in code points. */
const MEMBER_LENGTH = 200;

/** The plain members of a context as `name=value` texts. */
export function summarize(context: Context): string {
  const { network, http, dns, docker, run, agent } = context;
  const members: Record<string, string | number | undefined> = {
    action_type: context.action_type,
    target: context.target === undefined ? undefined : hideSecrets(context.action_type, context.target),
    "network.hostname": network?.hostname,
    "network.ip": network?.ip,
    "network.port": network?.port,
    "network.protocol": network?.protocol,
    "http.method": http?.method,
    "http.host": http?.host,
    "http.path": http?.path === undefined ? undefined : cutQuery(http.path),
    "http.body_size": http?.body_size,
    "dns.query": dns?.query,
    "dns.record_type": dns?.record_type,
    "docker.image": docker?.image,
    "run.tool": run?.tool,
    "run.path": run?.path,
    "run.args": run?.args === undefined ? undefined : `${run.args.length}`,
    "run.cwd": run?.cwd,
    "agent.name": agent?.name,
  };
  const texts = Object.entries(members).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${escapeText(String(value), MEMBER_LENGTH)}`]
  );
  return texts.join(" ");
}

/** The target of a request as a log may show it, on one line. */
export function summarizeTarget(actionType: string, target: string): string {
  return escapeText(hideSecrets(actionType, target), MEMBER_LENGTH);
}

/** What was asked of a socket as a log may show it: method and path. */
export function summarizeRequest({ method, url }: Request): { readonly method: string; readonly path: string } {
  return { method, path: escapeText(new URL(url).pathname, MEMBER_LENGTH) };
}

// A shell line is arguments, and those may be anything: headers, passwords, URLs in the middle.
function hideSecrets(actionType: string | undefined, target: string): string {
  return actionType === "shell_exec" ? `<line ${Buffer.byteLength(target)} bytes>` : cutQuery(target);
}

/** The text up to its query string, and without the user info and fragment of a URL. */
export function cutQuery(text: string): string {
  const query = text.indexOf("?");
  const path = query < 0 ? text : text.slice(0, query);
  const url = /^([a-z][a-z0-9+.-]*:\/\/)(?:[^/\\#]*@)?([^#]*)/i.exec(path);
  return url === null ? path : `${url[1]}${url[2]}`;
}
