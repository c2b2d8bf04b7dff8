// Addresses in the plain evaluator: Node.js and its URL parser validate and normalize them, and an address is a string
// of bits.
import { isIPv4, isIPv6 } from "node:net";
import { bool, ERROR, int, type Plain } from "./value.ts";

/** The functions on addresses and networks; null for any other function. */
export function addressFunction(name: string, first: Plain, second: Plain | undefined): Plain | null {
  switch (name) {
    case "ip":
      return readIp(first);
    case "cidr":
      return readCidr(first);
    case "isIP":
      return first.is === "string" ? bool(readIp(first).is === "ip") : ERROR;
    case "isCIDR":
      return first.is === "string" ? bool(readCidr(first).is === "cidr") : ERROR;
    case "containsIP": {
      const ip = second?.is === "ip" ? second : readIp(second);
      return first.is === "cidr" && ip.is === "ip" ? bool(ip.bits.startsWith(networkOf(first))) : ERROR;
    }
    case "containsCIDR": {
      const inner = second?.is === "cidr" ? second : readCidr(second);
      if (first.is !== "cidr" || inner.is !== "cidr") return ERROR;
      return bool(inner.length >= first.length && inner.bits.startsWith(networkOf(first)));
    }
    case "family":
      return first.is === "ip" ? int(isFour(first.bits) ? 4n : 6n) : ERROR;
    case "isLoopback":
    case "isLinkLocalUnicast":
    case "isPrivate":
      return first.is === "ip" ? bool(isIn(first.bits, RANGES[name])) : ERROR;
    case "isGlobalUnicast": {
      const not = [...RANGES.isLoopback, ...RANGES.isLinkLocalUnicast, ...RANGES.other];
      return first.is === "ip" ? bool(!isIn(first.bits, not)) : ERROR;
    }
    default:
      return null;
  }
}

const RANGES = {
  isLoopback: ["4:01111111", `6:${"0".repeat(127)}1`],
  isLinkLocalUnicast: ["4:1010100111111110", "6:1111111010"],
  isPrivate: ["4:00001010", "4:101011000001", "4:1100000010101000", "6:1111110"],
  // Unspecified, broadcast and multicast addresses.
  other: [`4:${"0".repeat(32)}`, `4:${"1".repeat(32)}`, "4:1110", `6:${"0".repeat(128)}`, "6:11111111"],
} as const;

function isIn(bits: string, ranges: readonly string[]): boolean {
  return ranges.some((range) => bits.startsWith(range));
}

function isFour(bits: string): boolean {
  return bits.startsWith("4:");
}

function networkOf({ bits, length }: Extract<Plain, { is: "cidr" }>): string {
  return bits.slice(0, "4:".length + length);
}

function readIp(value: Plain | undefined): Plain {
  if (value?.is !== "string") return ERROR;
  if (isIPv4(value.text)) {
    return {
      is: "ip",
      bits: `4:${value.text.split(".").map((part) => binary(part, 10, 8)).join("")}`,
    };
  }
  if (!isIPv6(value.text) || value.text.includes("%")) return ERROR;
  // A URL normalizes an address: lower case, hexadecimal, the longest run of zeros as `::`.
  const canonical = new URL(`http://[${value.text}]`).hostname.slice(1, -1);
  const [before = "", after] = canonical.split("::").map((half) => half.split(":").filter((group) => group !== ""));
  const groups = after === undefined
    ? before
    : [...before, ...new Array(8 - before.length - after.length).fill("0"), ...after];
  const bits = [...groups].map((group) => binary(group, 16, 16)).join("");
  return bits.startsWith("0".repeat(80) + "1".repeat(16)) ? ERROR : { is: "ip", bits: `6:${bits}` };
}

function binary(text: string, base: number, width: number): string {
  return Number.parseInt(text, base).toString(2).padStart(width, "0");
}

function readCidr(value: Plain | undefined): Plain {
  if (value?.is !== "string") return ERROR;
  const [address = "", digits = "", ...more] = value.text.split("/");
  const ip = readIp({ is: "string", text: address });
  const length = Number(digits);
  if (ip.is !== "ip" || more.length > 0 || String(length) !== digits || !Number.isInteger(length) || length < 0) {
    return ERROR;
  }
  return length > (isFour(ip.bits) ? 32 : 128) ? ERROR : { is: "cidr", bits: ip.bits, length };
}
