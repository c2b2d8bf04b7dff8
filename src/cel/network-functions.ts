// The functions of IP addresses and networks, named and defined as in Kubernetes' CEL (`isPrivate` is our own). A text that
// is not an address is a failure; `isIP` and `isCIDR` test for that.
import { Cidr, containsCidr, containsIp, IpAddress, parseCidr, parseIp } from "../core/ip-address.ts";
import { isGlobalUnicast, isLinkLocalUnicast, isLoopback, isPrivate } from "../core/ip-ranges.ts";
import { quote } from "../core/quote.ts";
import type { Activation } from "./activation.ts";
import { charge, OVER_STEPS } from "./arithmetic.ts";
import { Abnormal, fail, type Term, typeName, type Value } from "./value.ts";

/** Steps for reading an address, which takes as long as some tens of other nodes. */
export const ADDRESS_STEPS = 30;

/** Steps for comparing an address with a few ranges. */
export const RANGE_STEPS = 8;

/** `ip(x)`. */
export function toIp(value: Value, activation: Activation): Term {
  if (typeof value !== "string") return unconvertible(value, "ip");
  if (!charge(activation, ADDRESS_STEPS)) return OVER_STEPS;
  return parseIp(value) ?? NOT_AN_IP;
}

/** `cidr(x)`. */
export function toCidr(value: Value, activation: Activation): Term {
  if (typeof value !== "string") return unconvertible(value, "cidr");
  if (!charge(activation, ADDRESS_STEPS)) return OVER_STEPS;
  return parseCidr(value) ?? NOT_A_CIDR;
}

/** `isIP(x)`. */
export function isIpText(value: Value, activation: Activation): Term {
  if (typeof value !== "string") return unconvertible(value, "ip");
  return charge(activation, ADDRESS_STEPS) ? parseIp(value) !== null : OVER_STEPS;
}

/** `isCIDR(x)`. */
export function isCidrText(value: Value, activation: Activation): Term {
  if (typeof value !== "string") return unconvertible(value, "cidr");
  return charge(activation, ADDRESS_STEPS) ? parseCidr(value) !== null : OVER_STEPS;
}

/** `cidr.containsIP(x)`; x is an address or its text. */
export function runContainsIp(cidr: Value, other: Value, activation: Activation): Term {
  if (!(cidr instanceof Cidr)) return unconvertible(cidr, "cidr");
  const ip = other instanceof IpAddress ? other : toIp(other, activation);
  if (ip instanceof IpAddress) return containsIp(cidr, ip);
  return ip instanceof Abnormal ? ip : unconvertible(other, "ip");
}

/** `cidr.containsCIDR(x)`; x is a network or its text. */
export function runContainsCidr(outer: Value, other: Value, activation: Activation): Term {
  if (!(outer instanceof Cidr)) return unconvertible(outer, "cidr");
  const inner = other instanceof Cidr ? other : toCidr(other, activation);
  if (inner instanceof Cidr) return containsCidr(outer, inner);
  return inner instanceof Abnormal ? inner : unconvertible(other, "cidr");
}

/** The functions that say what kind of address an address is, by name. */
export const IP_KINDS: ReadonlyMap<string, (ip: IpAddress) => boolean | bigint> = new Map<
  string,
  (ip: IpAddress) => boolean | bigint
>([
  ["family", ({ family }) => BigInt(family)],
  ["isLoopback", isLoopback],
  ["isLinkLocalUnicast", isLinkLocalUnicast],
  ["isGlobalUnicast", isGlobalUnicast],
  ["isPrivate", isPrivate],
]);

/** The names of the two types. */
export const NETWORK_TYPES = ["net.IP", "net.CIDR"] as const;

/** How the library declares all of these functions. */
export const NETWORK_SIGNATURES: readonly string[] = [
  "ip(string): net.IP",
  "isIP(string): bool",
  "cidr(string): net.CIDR",
  "isCIDR(string): bool",
  "net.CIDR.containsIP(string): bool",
  "net.CIDR.containsIP(net.IP): bool",
  "net.CIDR.containsCIDR(string): bool",
  "net.CIDR.containsCIDR(net.CIDR): bool",
  ...[...IP_KINDS.keys()].map((name) => `net.IP.${name}(): ${name === "family" ? "int" : "bool"}`),
];

/** The value of a literal argument that must be an address or network, read before any request; or the problem. */
export function readConstant(name: string, text: string): IpAddress | Cidr | string | null {
  switch (name) {
    case "ip":
    case "containsIP":
      return parseIp(text) ?? `${quote(text)} is not an IP address`;
    case "cidr":
    case "containsCIDR":
      return parseCidr(text) ?? `${quote(text)} is not a network in CIDR notation`;
    default:
      return null;
  }
}

const NOT_AN_IP = fail("string is not an IP address");
const NOT_A_CIDR = fail("string is not a network in CIDR notation");

function unconvertible(value: Value, type: string): Abnormal {
  return fail(`${typeName(value)} cannot become ${type}`);
}
