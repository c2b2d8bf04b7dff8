// Text -> IP address or CIDR, strictly, as Go's net/netip and Kubernetes' CEL read them: no leading zeros, no zone, no
// IPv4-mapped IPv6 address, because each of these is a second way to write an address that filters compare as text.

/** An IPv4 or IPv6 address. Equal addresses have equal family and bits. */
export class IpAddress {
  readonly family: 4 | 6;
  /** The address as a number of 32 or 128 bits. */
  readonly bits: bigint;

  constructor(family: 4 | 6, bits: bigint) {
    this.family = family;
    this.bits = bits;
  }
}

/** An address with the length of its network prefix. Bits after the prefix may be set, and only count for equality. */
export class Cidr {
  readonly address: IpAddress;
  readonly prefixLength: number;

  constructor(address: IpAddress, prefixLength: number) {
    this.address = address;
    this.prefixLength = prefixLength;
  }
}

/** The longest text of an address: eight groups of which the last two are written as IPv4. */
const ADDRESS_LENGTH = "ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255".length;

/** The longest text of a CIDR. */
const CIDR_LENGTH = ADDRESS_LENGTH + "/128".length;

/** Bits of an address, by family. */
const WIDTH = { 4: 32, 6: 128 } as const;

/** The address that a text spells, or null. */
export function parseIp(text: string): IpAddress | null {
  if (text.length > ADDRESS_LENGTH) return null;
  if (!text.includes(":")) {
    const bits = parseIpv4(text);
    return bits === null ? null : new IpAddress(4, BigInt(bits));
  }
  const bits = parseIpv6(text);
  return bits === null || isMapped(bits) ? null : new IpAddress(6, bits);
}

/** The CIDR that a text spells, or null. */
export function parseCidr(text: string): Cidr | null {
  if (text.length > CIDR_LENGTH) return null;
  const slash = text.indexOf("/");
  const address = slash < 0 ? null : parseIp(text.slice(0, slash));
  const digits = text.slice(slash + 1);
  if (address === null || !/^(?:0|[1-9][0-9]{0,2})$/.test(digits)) return null;
  const prefixLength = Number(digits);
  return prefixLength > WIDTH[address.family] ? null : new Cidr(address, prefixLength);
}

/** Whether two addresses are the same. */
export function sameIp(a: IpAddress, b: IpAddress): boolean {
  return a.family === b.family && a.bits === b.bits;
}

/** Whether an address lies in a network; addresses of the other family never do. */
export function containsIp({ address, prefixLength }: Cidr, ip: IpAddress): boolean {
  const hostBits = BigInt(WIDTH[address.family] - prefixLength);
  return address.family === ip.family && (address.bits ^ ip.bits) >> hostBits === 0n;
}

/** Whether all addresses of one network lie in another. */
export function containsCidr(outer: Cidr, inner: Cidr): boolean {
  return outer.prefixLength <= inner.prefixLength && containsIp(outer, inner.address);
}

/** Whether the bits after the prefix are all zero. */
export function isMasked({ address, prefixLength }: Cidr): boolean {
  return BigInt.asUintN(WIDTH[address.family] - prefixLength, address.bits) === 0n;
}

function parseIpv4(text: string): number | null {
  const parts = text.split(".");
  if (parts.length !== 4) return null;
  let bits = 0;
  for (const part of parts) {
    if (!/^(?:0|[1-9][0-9]{0,2})$/.test(part) || Number(part) > 255) return null;
    bits = bits * 256 + Number(part);
  }
  return bits;
}

function parseIpv6(text: string): bigint | null {
  const [head = "", tail, ...more] = text.split("::");
  if (more.length > 0) return null;
  const before = parseGroups(head, tail === undefined);
  const after = tail === undefined ? [] : parseGroups(tail, true);
  if (before === null || after === null) return null;
  const missing = 8 - before.length - after.length;
  // `::` stands for one group at least.
  if (tail === undefined ? missing !== 0 : missing < 1) return null;
  const groups = [...before, ...new Array<number>(missing).fill(0), ...after];
  return groups.reduce((bits, group) => (bits << 16n) | BigInt(group), 0n);
}

// Groups of 16 bits; the last two of an address may be written as IPv4.
function parseGroups(text: string, isEnd: boolean): readonly number[] | null {
  if (text === "") return [];
  const groups: number[] = [];
  const parts = text.split(":");
  for (const [index, part] of parts.entries()) {
    if (/^[0-9a-f]{1,4}$/i.test(part)) {
      groups.push(Number.parseInt(part, 16));
      continue;
    }
    const bits = isEnd && index === parts.length - 1 ? parseIpv4(part) : null;
    if (bits === null) return null;
    groups.push(Math.floor(bits / 65_536), bits % 65_536);
  }
  return groups;
}

// ::ffff:0:0/96
function isMapped(bits: bigint): boolean {
  return bits >> 32n === 0xffffn;
}
