// Timestamps and durations of the plain evaluator, based on JavaScript's dates and regular expressions.
import { ERROR, int, type Plain } from "./value.ts";

const SECOND = 10n ** 9n;

/** A timestamp from year 1 to year 9999; outside of that, an error. */
export function timestamp(nanoseconds: bigint): Plain {
  const first = BigInt(Date.parse("0001-01-01T00:00:00Z")) * 1_000_000n;
  const last = BigInt(Date.parse("9999-12-31T23:59:59Z")) * 1_000_000n + SECOND - 1n;
  return nanoseconds >= first && nanoseconds <= last ? { is: "timestamp", nanoseconds } : ERROR;
}

/** A duration in nanoseconds that fits into 64 bits; otherwise an error. */
export function duration(nanoseconds: bigint): Plain {
  return int(nanoseconds).is === "int" ? { is: "duration", nanoseconds } : ERROR;
}

/** Parses RFC 3339 text as a timestamp. */
export function readTimestamp(text: string): Plain {
  const match = /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/.exec(text);
  if (match === null) return ERROR;
  const [, day = "", time = "", fraction = "", sign = "+", hours = "00", minutes = "00"] = match;
  const milliseconds = Date.parse(`${day}T${time}Z`);
  // Refuses dates that do not exist, such as February 30.
  if (Number.isNaN(milliseconds) || !new Date(milliseconds).toISOString().startsWith(`${day}T${time}`)) return ERROR;
  if (Number(hours) > 23 || Number(minutes) > 59) return ERROR;
  const offset = BigInt(Number(hours) * 60 + Number(minutes)) * 60n * SECOND;
  const local = BigInt(milliseconds) * 1_000_000n + BigInt(fraction.padEnd(9, "0"));
  return timestamp(sign === "-" ? local + offset : local - offset);
}

const UNITS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  "µs": 1_000n,
  "μs": 1_000n,
  ms: 1_000_000n,
  s: SECOND,
  m: 60n * SECOND,
  h: 3600n * SECOND,
};

/** Parses a text such as `1h30m` or `-1.5s` as a duration. */
export function readDuration(text: string): Plain {
  if (/^[+-]?0$/.test(text)) return duration(0n);
  if (!/^[+-]?((\d+(\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h))+$/.test(text)) return ERROR;
  let total = 0n;
  for (const [, whole = "", fraction = "", unit = ""] of text.matchAll(/(\d*)\.?(\d*)(ns|us|µs|μs|ms|s|m|h)/g)) {
    const size = UNITS[unit] ?? 0n;
    total += BigInt(whole === "" ? "0" : whole) * size;
    total += (BigInt(fraction === "" ? "0" : fraction) * size) / 10n ** BigInt(fraction.length);
  }
  return duration(text.startsWith("-") ? -total : total);
}

/** A timestamp as RFC 3339 text in UTC, with as few fraction digits as possible. */
export function writeTimestamp(nanoseconds: bigint): string {
  const seconds = floor(nanoseconds, SECOND);
  const date = new Date(Number(seconds) * 1000).toISOString().slice(0, 19);
  return `${date}${writeFraction(nanoseconds - seconds * SECOND)}Z`;
}

/** A duration as text, in seconds. */
export function writeDuration(nanoseconds: bigint): string {
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  return `${nanoseconds < 0n ? "-" : ""}${size / SECOND}${writeFraction(size % SECOND)}s`;
}

function writeFraction(nanoseconds: bigint): string {
  return nanoseconds === 0n ? "" : `.${String(nanoseconds).padStart(9, "0").replace(/0+$/, "")}`;
}

/** The quotient, rounded down. */
export function floor(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return quotient * b > a ? quotient - 1n : quotient;
}

/** One of the methods `getHours`, ... for a timestamp in UTC or at an offset, or for a duration. */
export function timePart(name: string, value: Plain, zone: string | undefined): Plain {
  if (value.is === "duration") return zone === undefined ? durationPart(name, value.nanoseconds) : ERROR;
  if (value.is !== "timestamp") return ERROR;
  const offset = zoneMinutes(zone ?? "UTC");
  if (offset === undefined) return ERROR;
  const date = new Date(Number(floor(value.nanoseconds, 1_000_000n)) + offset * 60_000);
  const part = PARTS[name];
  return part === undefined ? ERROR : int(BigInt(part(date)));
}

const PARTS: Readonly<Record<string, (date: Date) => number>> = {
  getDate: (date) => date.getUTCDate(),
  getDayOfMonth: (date) => date.getUTCDate() - 1,
  getDayOfWeek: (date) => date.getUTCDay(),
  getDayOfYear: (date) => {
    const first = new Date(date);
    first.setUTCMonth(0, 1);
    return Math.round((date.getTime() - first.getTime()) / 86_400_000);
  },
  getFullYear: (date) => date.getUTCFullYear(),
  getMonth: (date) => date.getUTCMonth(),
  getHours: (date) => date.getUTCHours(),
  getMinutes: (date) => date.getUTCMinutes(),
  getSeconds: (date) => date.getUTCSeconds(),
  getMilliseconds: (date) => date.getUTCMilliseconds(),
};

function durationPart(name: string, nanoseconds: bigint): Plain {
  switch (name) {
    case "getHours":
      return int(nanoseconds / (3600n * SECOND));
    case "getMinutes":
      return int(nanoseconds / (60n * SECOND));
    case "getSeconds":
      return int(nanoseconds / SECOND);
    case "getMilliseconds":
      return int((nanoseconds / 1_000_000n) % 1000n);
    default:
      return ERROR;
  }
}

function zoneMinutes(zone: string): number | undefined {
  if (zone === "UTC" || zone === "") return 0;
  const match = /^([+-]?)(\d{2}):(\d{2})$/.exec(zone);
  if (match === null || Number(match[2]) > 23 || Number(match[3]) > 59) return undefined;
  const minutes = Number(match[2]) * 60 + Number(match[3]);
  return match[1] === "-" ? -minutes : minutes;
}
