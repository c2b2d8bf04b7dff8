// Network target -> host, port, path, canonical text: a URL, host, host:port or [v6]:port (S004-FR-013). The authority is
// cut out here and not by a URL parser: URL parsers drop tabs, turn backslashes into slashes and skip slashes.
import type { Problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { ok, type Result } from "../core/result.ts";
import { type CanonicalHost, canonicalHost } from "./canonical-host.ts";
import { refuse } from "./refusal.ts";

/** The default ports of schemes. */
const DEFAULT_PORTS: ReadonlyMap<string, number> = new Map([
  ["http", 80],
  ["ws", 80],
  ["https", 443],
  ["wss", 443],
  ["ssh", 22],
  ["git", 9418],
  ["ftp", 21],
]);

/** The port of a target that has neither scheme nor port. */
const DEFAULT_PORT = 443;

/** The highest TCP or UDP port. Port 0 cannot be dialled. */
const PORT_MAX = 65_535;

/** The parts of a network target. */
export type NetworkTarget = {
  /** In lower case; null if the target is not a URL. */
  readonly scheme: string | null;
  readonly host: CanonicalHost;
  readonly port: number;
  /** The URL's path after WHATWG parsing, without query and fragment; `/` without a URL. */
  readonly path: string;
  /** The URL's query string as given, without `?`; empty without one. */
  readonly query: string;
  /** The target in canonical form: the URL without fragment and without the default port of its scheme, or `host:port`. */
  readonly canonical: string;
};

/** Parses a network target. */
export function parseNetworkTarget(text: string): Result<NetworkTarget, Problem> {
  if (/\p{Cc}/u.test(text)) return refuse("target has a control character");
  if (text.trim() !== text) return refuse("target begins or ends with a space");
  const [, given, inside = "", rest = ""] = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)(.*)$/is.exec(text) ?? [];
  const scheme = given === undefined ? null : given.toLowerCase();
  const split = splitAuthority(scheme === null ? text : inside, scheme);
  if (!split.ok) return split;
  const host = canonicalHost(split.value.host);
  if (!host.ok) return host;
  const port = portOf(split.value.port, scheme);
  if (!port.ok) return port;
  const location = parseLocation(rest);
  if (!location.ok) return location;
  const { path, search } = location.value;
  const authority = authorityOf(host.value, port.value, scheme);
  const canonical = scheme === null ? authority : `${scheme}://${authority}${path}${search}`;
  return ok({ scheme, host: host.value, port: port.value, path, query: queryOf(rest), canonical });
}

/** Makes an HTTP path canonical; a path that two programs may read differently is refused. */
export function canonicalPath(path: string): Result<string, Problem> {
  if (!path.startsWith("/")) return refuse("path does not begin with a slash");
  if (/[?#]/.test(path)) return refuse("path has a query or a fragment");
  if (/\p{Cc}/u.test(path)) return refuse("path has a control character");
  const parsed = parseLocation(path);
  return parsed.ok ? ok(parsed.value.path) : parsed;
}

type Authority = { readonly host: string; readonly port: string | null };

function splitAuthority(text: string, scheme: string | null): Result<Authority, Problem> {
  if (text.includes("@")) return refuse("target has user info");
  const parts = /^(\[[^\]]*\]|[^:]*)(?::([^:]*))?$/s.exec(text);
  if (parts !== null && parts[1] !== "") return ok({ host: parts[1] ?? "", port: parts[2] ?? null });
  if (parts !== null || scheme !== null) return refuse("target has no host, or one without its brackets");
  // 2001:db8::1:443 is both an address and an address with a port.
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

function authorityOf({ hostname }: CanonicalHost, port: number, scheme: string | null): string {
  const host = hostname.includes(":") ? `[${hostname}]` : hostname;
  return scheme !== null && DEFAULT_PORTS.get(scheme) === port ? host : `${host}:${port}`;
}

/** Spellings of a path that clients and servers read differently: WHATWG turns a backslash into a slash, curl sends it. */
const AMBIGUOUS_PATH = /\\|%2f|%5c|%2e/i;

// A fixed host is put in front, so that no part of the path is taken for another authority. `^` is escaped by hand, because
// the runtimes implement different versions of the URL standard.
function parseLocation(rest: string): Result<{ readonly path: string; readonly search: string }, Problem> {
  const [given = ""] = rest.split(/[?#]/, 1);
  if (AMBIGUOUS_PATH.test(given)) return refuse("path has a backslash, or a percent-encoded slash, backslash or dot");
  const { pathname, search } = new URL(`http://host${rest}`);
  return ok({ path: pathname.replaceAll("^", "%5E"), search });
}

// The text between the first `?` and the fragment.
function queryOf(rest: string): string {
  return /^[^?#]*\?([^#]*)/.exec(rest)?.[1] ?? "";
}
