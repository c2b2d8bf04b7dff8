// Tests of the kind of an IP address, by the same ranges as Go's net/netip.
import { type Cidr, containsIp, type IpAddress, parseCidr } from "./ip-address.ts";
import { invariant } from "./invariant.ts";

/** Whether packets to the address stay on the machine. */
export function isLoopback(ip: IpAddress): boolean {
  return isIn(LOOPBACK, ip);
}

/** Whether the address is link-local, so that routers do not forward its packets. */
export function isLinkLocalUnicast(ip: IpAddress): boolean {
  return isIn(LINK_LOCAL, ip);
}

/** Whether the address is in a private network (RFC 1918, RFC 4193). */
export function isPrivate(ip: IpAddress): boolean {
  return isIn(PRIVATE, ip);
}

/**
 * Whether the address is global unicast: not unspecified, broadcast, multicast, loopback or link-local. As in Go and
 * Kubernetes, private addresses count as global unicast; to exclude them, test `isPrivate()` too.
 */
export function isGlobalUnicast(ip: IpAddress): boolean {
  return !isIn(NOT_GLOBAL, ip) && !isIn(LOOPBACK, ip) && !isIn(LINK_LOCAL, ip);
}

const LOOPBACK = cidrs("127.0.0.0/8", "::1/128");
const LINK_LOCAL = cidrs("169.254.0.0/16", "fe80::/10");
const PRIVATE = cidrs("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7");
/** Unspecified, limited broadcast and multicast. */
const NOT_GLOBAL = cidrs("0.0.0.0/32", "255.255.255.255/32", "224.0.0.0/4", "::/128", "ff00::/8");

function isIn(ranges: readonly Cidr[], ip: IpAddress): boolean {
  return ranges.some((range) => containsIp(range, ip));
}

function cidrs(...texts: readonly string[]): readonly Cidr[] {
  return texts.map((text) => {
    const parsed = parseCidr(text);
    invariant(parsed !== null, `${text} is a CIDR`);
    return parsed;
  });
}
