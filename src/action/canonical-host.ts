// Host text -> its canonical form, or a refusal. Every host that is judged, recorded or dialled is made canonical here, so that
// two spellings of one host cannot get two verdicts. The result is ASCII, and a canonical host stays as it is.
//
// The WHATWG host parser handles names and numeric forms (lower case, IDNA, 0x7f.1 -> 127.0.0.1). Characters that it would
// silently strip, decode or cut (tabs, %-escapes, everything from a slash on) are refused before.
import type { Problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { ok, type Result } from "../core/result.ts";
import { refuse } from "./refusal.ts";

/** The longest host name in bytes, as text; RFC 1035 allows 255 octets on the wire. */
export const HOST_LIMIT_BYTES = 253;

/** A canonical host. If it is an address, `ip` is set and equal to `hostname`. */
export type CanonicalHost = {
  /** A lower-case ASCII name without a trailing dot, a dotted IPv4 address, or a compressed IPv6 address without brackets. */
  readonly hostname: string;
  /** The address. An IPv4-mapped IPv6 address is written as the IPv4 address that the kernel dials, also in `hostname`. */
  readonly ip?: string;
};

/** Makes a host name or an address canonical; IPv6 with or without brackets. */
export function canonicalHost(text: string): Result<CanonicalHost, Problem> {
  // User info may hold a password, so the message does not repeat the text.
  if (text.includes("@")) return refuse("host has user info");
  const fault = faultOf(text);
  if (fault !== null) return refuse(`host ${quote(text)} ${fault}`);
  const host = text.startsWith("[") || text.includes(":") ? canonicalAddress(text) : canonicalName(text);
  return typeof host === "string" ? refuse(`host ${quote(text)} ${host}`) : ok(host);
}

function faultOf(text: string): string | null {
  if (text === "") return "is empty";
  // IDNA only makes names longer, except for characters that it drops. One more character may be the trailing dot.
  if (text.length > HOST_LIMIT_BYTES + 1) return `is over ${HOST_LIMIT_BYTES} bytes`;
  if (!text.isWellFormed()) return "is not well-formed Unicode";
  if (/[\p{Cc}\p{Z}]/u.test(text)) return "has a control character or a space";
  if (text.includes("%")) return "has a percent sign";
  if (/[/\\?#]/.test(text)) return "has a character that ends a host";
  return null;
}

function canonicalName(text: string): CanonicalHost | string {
  const parsed = URL.parse(`http://${text}/`)?.hostname;
  if (parsed === undefined) return "is not a host name or address";
  if (/^[0-9]+(\.[0-9]+){3}$/.test(parsed)) return { hostname: parsed, ip: parsed };
  const hostname = parsed.endsWith(".") ? parsed.slice(0, -1) : parsed;
  if (hostname.split(".").includes("")) return "has an empty label";
  // WHATWG accepts quotes, stars and brackets. No host name has them, and logs and shells read them differently.
  if (!/^[a-z0-9._-]+$/.test(hostname)) return "has a character that no host name has";
  if (hostname.length > HOST_LIMIT_BYTES) return `is over ${HOST_LIMIT_BYTES} bytes`;
  return { hostname };
}

function canonicalAddress(text: string): CanonicalHost | string {
  const inner = /^\[(.*)\]$/s.exec(text)?.[1] ?? text;
  if (!/^[0-9A-Fa-f:.]+$/.test(inner)) return "is no IPv6 address";
  const parsed = URL.parse(`http://[${inner}]/`)?.hostname.slice(1, -1);
  if (parsed === undefined) return "is no IPv6 address";
  const ip = unmapped(parsed) ?? parsed;
  return { hostname: ip, ip };
}

// ::ffff:7f00:1 -> 127.0.0.1: the kernel connects over IPv4, so rules must see the IPv4 address.
function unmapped(address: string): string | null {
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(address) ?? [];
  if (high === undefined || low === undefined) return null;
  return [high, low].map((part) => Number.parseInt(part, 16)).map((word) => `${word >> 8}.${word & 255}`).join(".");
}
