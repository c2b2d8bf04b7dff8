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
    target: context.target === undefined ? undefined : cutQuery(context.target),
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

/** The text up to its query string, and without the user info of a URL. */
export function cutQuery(text: string): string {
  const query = text.indexOf("?");
  const path = query < 0 ? text : text.slice(0, query);
  return path.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/i, "$1");
}
