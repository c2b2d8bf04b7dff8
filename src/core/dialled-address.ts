// An entry of `egress.addresses`: addresses, perhaps with one port, that the gateway may dial for a rule although they are
// special (private, loopback, or the host's own).
import { type Cidr, type IpAddress, isMasked, parseCidr, parseIp } from "./ip-address.ts";

/** Addresses that may be dialled: a network or one address, at one port or, with null, at every port. */
export type DialledAddress = { readonly network: Cidr | IpAddress; readonly port: number | null };

const PORT_MAX = 65_535;

/**
 * Reads `10.1.0.0/16`, `10.0.0.5`, `10.0.0.5:5432`, `fd00::/8`, `fd00::5` or `[fd00::5]:5432`; null for anything else. A
 * network with bits after its prefix is refused, because either the prefix or the address is a slip.
 */
export function parseDialledAddress(text: string): DialledAddress | null {
  const network = text.includes("/") ? parseCidr(text) : null;
  if (network !== null) return isMasked(network) ? { network, port: null } : null;
  const address = parseIp(text);
  if (address !== null) return { network: address, port: null };
  const [, bracketed, plain, digits = ""] = /^(?:\[([^\]]*)\]|([^:]*)):([1-9][0-9]{0,4})$/.exec(text) ?? [];
  const dialled = parseIp(bracketed ?? plain ?? "");
  const port = Number(digits);
  if (dialled === null || (dialled.family === 6) !== (bracketed !== undefined) || port > PORT_MAX) return null;
  return { network: dialled, port };
}
