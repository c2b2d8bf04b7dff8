// The functions of conditions by name: how each is called (`name(x)`, `x.name()` or both) and what it does. Arguments of a
// wrong type are a failure. `matches` is compiled together with its pattern, so only its name is listed here. Macros are
// syntax, not functions.
import { IpAddress } from "../core/ip-address.ts";
import type { Activation } from "./activation.ts";
import { charge, OVER_STEPS } from "./arithmetic.ts";
import { toBool, toBytes, toDouble, toDuration, toInt, toText, toTimestamp, toType, toUint } from "./conversions.ts";
import {
  IP_KINDS,
  isCidrText,
  isIpText,
  RANGE_STEPS,
  runContainsCidr,
  runContainsIp,
  toCidr,
  toIp,
} from "./network-functions.ts";
import {
  charAt,
  chargeText,
  contains,
  firstIndex,
  join,
  lastIndex,
  split,
  substring,
  textSize,
} from "./string-functions.ts";
import { lowerAscii, trim, upperAscii } from "./code-points.ts";
import { atOffset, inZone, zoneOffset } from "./time.ts";
import {
  type Abnormal,
  Duration,
  fail,
  isList,
  MapValue,
  type Term,
  Timestamp,
  typeName,
  type Value,
} from "./value.ts";
import { ZONE_PART_STEPS, ZONE_STEPS } from "./zones.ts";

/** The implementation of a function; a receiver is the first of the values. */
type Implementation = (values: readonly Value[], activation: Activation) => Term;

/** A function: how it is called, how many values it takes (a receiver counts), and its implementation. */
export type CelFunction = {
  readonly style: "global" | "method" | "both";
  readonly arity: readonly number[];
  readonly run: Implementation;
};

/** Every function by name. */
export const FUNCTIONS: ReadonlyMap<string, CelFunction> = new Map<string, CelFunction>([
  ["dyn", conversion((value) => value)], // conditions cannot call it; the official test cases need it
  ["bool", conversion(toBool)],
  ["bytes", conversion(toBytes)],
  ["double", conversion(toDouble)],
  ["duration", conversion(toDuration)],
  ["int", conversion(toInt)],
  ["string", conversion(toText)],
  ["timestamp", conversion(toTimestamp)],
  ["type", conversion(toType)],
  ["uint", conversion(toUint)],
  ["ip", conversion(toIp)],
  ["isIP", conversion(isIpText)],
  ["cidr", conversion(toCidr)],
  ["isCIDR", conversion(isCidrText)],
  ["containsIP", onTwo(runContainsIp)],
  ["containsCIDR", onTwo(runContainsCidr)],
  ...[...IP_KINDS].map(([name, kind]) => [name, onIp(kind)] as const),
  ["size", { style: "both", arity: [1], run: size }],
  ["matches", { style: "both", arity: [2], run: () => fail("pattern is not a literal") }],
  [
    "startsWith",
    onTwoTexts((text, part, activation) => chargeText(activation, part) ? text.startsWith(part) : OVER_STEPS),
  ],
  ["endsWith", onTwoTexts((text, part, activation) => chargeText(activation, part) ? text.endsWith(part) : OVER_STEPS)],
  ["contains", onTwoTexts(contains)],
  ["charAt", { style: "method", arity: [2], run: runCharAt }],
  ["substring", { style: "method", arity: [2, 3], run: runSubstring }],
  ["indexOf", search(firstIndex)],
  ["lastIndexOf", search(lastIndex)],
  ["lowerAscii", onText(lowerAscii)],
  ["upperAscii", onText(upperAscii)],
  ["trim", onText(trim)],
  ["split", { style: "method", arity: [2, 3], run: runSplit }],
  ["join", { style: "method", arity: [1, 2], run: runJoin }],
  ["getDate", datePart((date) => date.getUTCDate())],
  ["getDayOfMonth", datePart((date) => date.getUTCDate() - 1)],
  ["getDayOfWeek", datePart((date) => date.getUTCDay())],
  ["getDayOfYear", datePart(dayOfYear)],
  ["getFullYear", datePart((date) => date.getUTCFullYear())],
  ["getMonth", datePart((date) => date.getUTCMonth())],
  ["getHours", datePart((date) => date.getUTCHours(), (nanoseconds) => nanoseconds / 3_600_000_000_000n)],
  ["getMinutes", datePart((date) => date.getUTCMinutes(), (nanoseconds) => nanoseconds / 60_000_000_000n)],
  ["getSeconds", datePart((date) => date.getUTCSeconds(), (nanoseconds) => nanoseconds / 1_000_000_000n)],
  ["getMilliseconds", datePart((date) => date.getUTCMilliseconds(), (nanoseconds) => nanoseconds / 1_000_000n % 1000n)],
]);

function mismatch(values: readonly Value[]): Abnormal {
  return fail(`function does not take (${values.map(typeName).join(", ")})`);
}

function conversion(convert: (value: Value, activation: Activation) => Term): CelFunction {
  return {
    style: "global",
    arity: [1],
    run: ([value = null], activation) => convert(value, activation),
  };
}

function onText(change: (text: string) => string): CelFunction {
  return {
    style: "method",
    arity: [1],
    run: (values, activation) => {
      const [text] = values;
      if (typeof text !== "string") return mismatch(values);
      return chargeText(activation, text) ? change(text) : OVER_STEPS;
    },
  };
}

function onTwoTexts(apply: (text: string, part: string, activation: Activation) => Term): CelFunction {
  return {
    style: "method",
    arity: [2],
    run: (values, activation) => {
      const [text, part] = values;
      if (typeof text !== "string" || typeof part !== "string") return mismatch(values);
      return apply(text, part, activation);
    },
  };
}

function onTwo(apply: (receiver: Value, argument: Value, activation: Activation) => Term): CelFunction {
  return {
    style: "method",
    arity: [2],
    run: ([receiver = null, argument = null], activation) => apply(receiver, argument, activation),
  };
}

function onIp(kind: (ip: IpAddress) => boolean | bigint): CelFunction {
  return {
    style: "method",
    arity: [1],
    run: (values, activation) => {
      const [ip] = values;
      if (!(ip instanceof IpAddress)) return mismatch(values);
      return charge(activation, RANGE_STEPS) ? kind(ip) : OVER_STEPS;
    },
  };
}

type Search = (text: string, part: string, from: bigint | undefined, activation: Activation) => Term;

function search(find: Search): CelFunction {
  return {
    style: "method",
    arity: [2, 3],
    run: (values, activation) => {
      const [text, part, from] = values;
      if (typeof text !== "string" || typeof part !== "string") return mismatch(values);
      return from === undefined || typeof from === "bigint" ? find(text, part, from, activation) : mismatch(values);
    },
  };
}

function size(values: readonly Value[], activation: Activation): Term {
  const [value] = values;
  if (typeof value === "string") return textSize(value, activation);
  if (value instanceof Uint8Array) return BigInt(value.length);
  if (value instanceof MapValue) return BigInt(value.size);
  return value !== undefined && isList(value) ? BigInt(value.length) : mismatch(values);
}

function runCharAt(values: readonly Value[], activation: Activation): Term {
  const [text, index] = values;
  return typeof text === "string" && typeof index === "bigint" ? charAt(text, index, activation) : mismatch(values);
}

function runSubstring(values: readonly Value[], activation: Activation): Term {
  const [text, start, end] = values;
  if (typeof text !== "string" || typeof start !== "bigint") return mismatch(values);
  return end === undefined || typeof end === "bigint" ? substring(text, start, end, activation) : mismatch(values);
}

function runSplit(values: readonly Value[], activation: Activation): Term {
  const [text, separator, limit = -1n] = values;
  if (typeof text !== "string" || typeof separator !== "string" || typeof limit !== "bigint") return mismatch(values);
  return split(text, separator, limit, activation);
}

function runJoin(values: readonly Value[], activation: Activation): Term {
  const [list, separator = ""] = values;
  if (list === undefined || typeof separator !== "string") return mismatch(values);
  return join(list, separator, activation);
}

type DurationPart = (nanoseconds: bigint) => bigint;

function datePart(part: (date: Date) => number, ofDuration?: DurationPart): CelFunction {
  return {
    style: "method",
    arity: [1, 2],
    run: (values, activation) => {
      const [value, zone = "UTC"] = values;
      if (value instanceof Duration && ofDuration !== undefined && values.length === 1) {
        return ofDuration(value.nanoseconds);
      }
      if (!(value instanceof Timestamp) || typeof zone !== "string") return mismatch(values);
      const offset = zoneOffset(zone);
      if (offset !== null) return BigInt(part(atOffset(value, offset)));
      if (!chargeZone(activation, zone)) return OVER_STEPS;
      const formatter = activation.zones.find(zone);
      return formatter === undefined ? fail("unknown time zone") : BigInt(part(inZone(value, formatter)));
    },
  };
}

function chargeZone(activation: Activation, zone: string): boolean {
  const { usedZones } = activation;
  const isFirst = !usedZones.has(zone);
  usedZones.add(zone);
  return charge(activation, isFirst ? ZONE_STEPS : ZONE_PART_STEPS);
}

const DAY_MS = 86_400_000;

function dayOfYear(date: Date): number {
  const first = new Date(0);
  first.setUTCFullYear(date.getUTCFullYear(), 0, 1);
  return Math.floor((date.getTime() - first.getTime()) / DAY_MS);
}
