// Network target -> host, port, path: a URL, host, host:port or [v6]:port (S004-FR-013). The authority is cut out here and
// not by a URL parser, because those drop tabs, turn backslashes and skip slashes, each in its own way.
import type { Problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { ok, type Result } from "../core/result.ts";
import { type CanonicalHost, canonicalHost } from "./canonical-host.ts";
import { refuse } from "./refusal.ts";

/** The ports that need not be said, by scheme. */
const DEFAULT_PORTS: ReadonlyMap<string, number> = new Map([
  ["http", 80],
  ["ws", 80],
  ["https", 443],
  ["wss", 443],
  ["ssh", 22],
  ["git", 9418],
  ["ftp", 21],
]);

/** The port of a target without scheme and port. */
const DEFAULT_PORT = 443;

/** The highest TCP or UDP port; 0 cannot be dialled. */
const PORT_MAX = 65_535;

/** What a network target names. */
export type NetworkTarget = {
  /** Lower case; null when the target is no URL. */
  readonly scheme: string | null;
  readonly host: CanonicalHost;
  readonly port: number;
  /** The URL's path after WHATWG parsing, without query and fragment; `/` without a URL. */
  readonly path: string;
  /** The URL's query string as given, without `?`; empty without one. */
  readonly query: string;
};

/** Takes a network target apart. */
export function parseNetworkTarget(text: string): Result<NetworkTarget, Problem> {
  if (/\p{Cc}/u.test(text)) return refuse("target has a control character");
  if (text.trim() !== text) return refuse("target begins or ends with a space");
  const [, given, inside = "", rest = ""] = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)(.*)$/is.exec(text) ?? [];
  const scheme = given === undefined ? null : given.toLowerCase();
  const authority = splitAuthority(scheme === null ? text : inside, scheme);
  if (!authority.ok) return authority;
  const host = canonicalHost(authority.value.host);
  if (!host.ok) return host;
  const port = portOf(authority.value.port, scheme);
  if (!port.ok) return port;
  return ok({ scheme, host: host.value, port: port.value, path: canonicalPath(rest), query: queryOf(rest) });
}

type Authority = { readonly host: string; readonly port: string | null };

function splitAuthority(text: string, scheme: string | null): Result<Authority, Problem> {
  if (text.includes("@")) return refuse("target has user info");
  const parts = /^(\[[^\]]*\]|[^:]*)(?::([^:]*))?$/s.exec(text);
  if (parts !== null && parts[1] !== "") return ok({ host: parts[1] ?? "", port: parts[2] ?? null });
  if (parts !== null || scheme !== null) return refuse("target has no host, or one without its brackets");
  // 2001:db8::1:443 is an address, and an address with a port: nobody can know which was meant.
  const [, head = "", tail] = /^(.*):([0-9]+)$/s.exec(text) ?? [];
  if (tail !== undefined && canonicalHost(head).ok) return refuse(`target ${quote(text)} needs brackets`);
  return ok({ host: text, port: null });
}

function portOf(text: string | null, scheme: string | null): Result<number, Problem> {
  if (text === null) {
    const known = scheme === null ? DEFAULT_PORT : DEFAULT_PORTS.get(scheme);
    return known === undefined
      ? refuse(`target needs a port: scheme ${quote(scheme ?? "")} has no known one`)
      : ok(known);
  }
  const port = /^[0-9]{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > PORT_MAX) return refuse(`port ${quote(text)} is not a number from 1 to ${PORT_MAX}`);
  return ok(port);
}

// A fixed host in front, so that nothing of the path can be taken for another authority. `^` is escaped by hand: the
// runtimes follow different years of the standard there.
function canonicalPath(rest: string): string {
  return new URL(`http://host${rest}`).pathname.replaceAll("^", "%5E");
}

// What stands between the first `?` and the fragment.
function queryOf(rest: string): string {
  return /^[^?#]*\?([^#]*)/.exec(rest)?.[1] ?? "";
}
