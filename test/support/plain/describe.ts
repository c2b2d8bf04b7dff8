// Values of the engine and of the plain evaluator as texts: equal values give equal texts.
import { Cidr, IpAddress } from "../../../src/core/ip-address.ts";
import { Duration, isList, MapValue, Timestamp, TypeValue, Uint, type Value } from "../../../src/cel/value.ts";
import type { Plain } from "./value.ts";

/** A value of the plain evaluator. */
export function describePlain(value: Plain): string {
  switch (value.is) {
    case "bool":
      return String(value.bool);
    case "int":
      return String(value.int);
    case "uint":
      return `${value.int}u`;
    case "double":
      return describeDouble(value.double);
    case "string":
      return JSON.stringify(value.text);
    case "bytes":
      return `b[${value.bytes.join(" ")}]`;
    case "list":
      return `[${value.items.map(describePlain).join(", ")}]`;
    case "map":
      return describeEntries(value.entries.map((entry) => [describePlain(entry.key), describePlain(entry.value)]));
    case "type":
      return `type ${value.name}`;
    case "ip":
      return `ip ${value.bits}`;
    case "cidr":
      return `ip ${value.bits}/${value.length}`;
    case "timestamp":
    case "duration":
      return `${value.is} ${value.nanoseconds}`;
    default:
      return value.is;
  }
}

/** A value of the engine. */
export function describeValue(value: Value): string {
  if (value === null) return "null";
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number") return describeDouble(value);
  if (typeof value !== "object") return String(value);
  if (value instanceof Uint) return `${value.value}u`;
  if (value instanceof Uint8Array) return `b[${value.join(" ")}]`;
  if (value instanceof Timestamp) return `timestamp ${value.nanoseconds}`;
  if (value instanceof Duration) return `duration ${value.nanoseconds}`;
  if (value instanceof IpAddress) return describeIp(value);
  if (value instanceof Cidr) return `${describeIp(value.address)}/${value.prefixLength}`;
  if (value instanceof TypeValue) return `type ${value.name}`;
  if (isList(value)) return `[${value.map(describeValue).join(", ")}]`;
  return describeMap(value);
}

function describeIp({ family, bits }: IpAddress): string {
  return `ip ${family}:${bits.toString(2).padStart(family === 4 ? 32 : 128, "0")}`;
}

function describeMap(map: MapValue): string {
  return describeEntries(map.keys().map((key) => [describeValue(key), describeValue(map.get(key) ?? null)]));
}

function describeEntries(entries: readonly (readonly [key: string, value: string])[]): string {
  return `{${entries.map(([key, value]) => `${key}: ${value}`).sort().join(", ")}}`;
}

function describeDouble(value: number): string {
  return `${Object.is(value, -0) ? "-0" : value}d`;
}
