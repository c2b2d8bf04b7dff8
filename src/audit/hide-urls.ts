// URLs in a text -> the same without user info, query string and fragment. Each step goes forward, or back by a bounded length,
// so that no text makes it slow.
import { placeholder } from "./placeholder.ts";

/** The longest user info without a scheme before it that is found. */
const BACK_LIMIT = 256;

/** Every URL of a text without its user info, query string and fragment. */
export function hideUrls(text: string): string {
  let out = "";
  let done = 0;
  for (let at = text.indexOf("://"); at >= 0; at = text.indexOf("://", done)) {
    const start = at + "://".length;
    const end = endOfUrl(text, start);
    out += text.slice(done, start) + hideUrlRest(text.slice(start, end));
    done = end;
    if (end >= text.length) break;
  }
  return out + text.slice(done);
}

/** A text that is a path, or a URL whose scheme may be missing, without user info, query string and fragment. */
export function hideQuery(text: string): string {
  const scheme = text.indexOf("://");
  const start = scheme < 0 ? 0 : scheme + "://".length;
  return text.slice(0, start) + hideUrlRest(text.slice(start));
}

/** The text without query strings of addresses that have no scheme: what follows `?` up to a blank or quote, if it contains `=`. */
export function hideLooseQueries(text: string): string {
  return text.replaceAll(/\?([^\s"'?<]+)/g, (whole, query: string) => {
    return query.includes("=") ? `?${placeholder("query", query)}` : whole;
  });
}

/** The text without `name:password@` that has no scheme before it, as in addresses of proxies and registries. */
export function hideUserInfo(text: string): string {
  let out = "";
  let done = 0;
  for (let at = text.indexOf("@"); at >= 0; at = text.indexOf("@", at + 1)) {
    let start = at;
    const limit = Math.max(done, at - BACK_LIMIT);
    while (start > limit && !/[\s"'/<>@]/.test(text.charAt(start - 1))) start--;
    const user = text.slice(start, at);
    if (!/^[^:]+:./.test(user)) continue;
    out += `${text.slice(done, start)}${placeholder("user info", user)}`;
    done = at;
  }
  return out + text.slice(done);
}

function endOfUrl(text: string, start: number): number {
  const found = text.slice(start).search(/[\s"'<>`]/);
  return found < 0 ? text.length : start + found;
}

// Authority, path, query, fragment. If the authority has no valid port, the slash may be part of a password.
function hideUrlRest(rest: string): string {
  const path = rest.search(/[/\\?#]/);
  const authority = path < 0 ? rest : rest.slice(0, path);
  const isOdd = /:(?![0-9]{0,5}$)/.test(authority.replace(/^\[[^\]]*\]/, ""));
  const at = authority.includes("@") || !isOdd ? authority.lastIndexOf("@") : rest.lastIndexOf("@");
  const user = at < 0 ? "" : `${placeholder("user info", rest.slice(0, at))}@`;
  const after = rest.slice(at + 1);
  const hash = after.indexOf("#");
  const fragment = hash < 0 ? "" : `#${hidden("fragment", after.slice(hash + 1))}`;
  const main = hash < 0 ? after : after.slice(0, hash);
  const mark = main.indexOf("?");
  const query = mark < 0 ? "" : `?${hidden("query", main.slice(mark + 1))}`;
  return `${user}${mark < 0 ? main : main.slice(0, mark)}${query}${fragment}`;
}

// An empty part needs no placeholder. A part that is already hidden is empty here, because its placeholder begins with `<`,
// which ends a URL.
function hidden(kind: "query" | "fragment", text: string): string {
  return text === "" ? "" : placeholder(kind, text);
}
