// Timestamps and durations: reading and writing them, and the parts of a point in time in a time zone. The parser is our
// own, so that text from an agent reaches neither a regular expression nor the lenient Date parser.
import { TIME_TEXT_LENGTH } from "./limits.ts";
import { INT_MAX, INT_MIN } from "./numbers.ts";
import { type Abnormal, Duration, fail, Timestamp } from "./value.ts";

const SECOND = 1_000_000_000n;
const MILLISECOND = 1_000_000n;
const FIRST = -62_135_596_800n * SECOND;
const LAST = 253_402_300_800n * SECOND - 1n;

/** Returns a timestamp, or a failure outside of the years 1 to 9999. */
export function timestamp(nanoseconds: bigint): Timestamp | Abnormal {
  return nanoseconds >= FIRST && nanoseconds <= LAST ? new Timestamp(nanoseconds) : fail("timestamp out of range");
}

/** Returns a duration, or a failure beyond 64 bits. */
export function duration(nanoseconds: bigint): Duration | Abnormal {
  return nanoseconds >= INT_MIN && nanoseconds <= INT_MAX ? new Duration(nanoseconds) : fail("duration out of range");
}

/** Reads RFC 3339, such as `2009-02-13T23:31:30.5Z`. */
export function parseTimestamp(text: string): Timestamp | Abnormal {
  const reader = new Reader(text);
  const [year, month, day] = [reader.digits(4), reader.after("-").digits(2), reader.after("-").digits(2)];
  const [hour, minute, second] = [
    reader.after("Tt").digits(2),
    reader.after(":").digits(2),
    reader.after(":").digits(2),
  ];
  const fraction = reader.fraction();
  const offset = reader.zone();
  if (!reader.complete || hour > 23 || minute > 59 || second > 59) return fail("timestamp is not RFC 3339");
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) {
    return fail("timestamp names a day that does not exist");
  }
  const seconds = BigInt(date.getTime() / 1000 + hour * 3600 + minute * 60 + second - offset * 60);
  return timestamp(seconds * SECOND + fraction);
}

/** Writes RFC 3339 in UTC, with no more digits of the fraction than needed. */
export function formatTimestamp({ nanoseconds }: Timestamp): string {
  const fraction = ((nanoseconds % SECOND) + SECOND) % SECOND;
  const whole = new Date(Number((nanoseconds - fraction) / MILLISECOND)).toISOString().slice(0, 19);
  return `${whole}${formatFraction(fraction)}Z`;
}

const UNITS: readonly (readonly [string, bigint])[] = [
  ["ns", 1n],
  ["us", 1_000n],
  ["µs", 1_000n],
  ["μs", 1_000n],
  ["ms", MILLISECOND],
  ["s", SECOND],
  ["m", 60n * SECOND],
  ["h", 3600n * SECOND],
];

/** Reads a duration such as `1h30m`, `-1.5s` or `300ms`. */
export function parseDuration(text: string): Duration | Abnormal {
  const malformed = fail("duration is malformed");
  if (text.length > TIME_TEXT_LENGTH) return malformed;
  const signed = text.startsWith("-") || text.startsWith("+");
  let rest = signed ? text.slice(1) : text;
  if (rest === "0") return new Duration(0n);
  if (rest === "") return malformed;
  let total = 0n;
  while (rest !== "") {
    const whole = leadingDigits(rest);
    rest = rest.slice(whole.length);
    const fraction = rest.startsWith(".") ? leadingDigits(rest.slice(1)) : undefined;
    if (fraction !== undefined) rest = rest.slice(1 + fraction.length);
    const unit = UNITS.find(([name]) => rest.startsWith(name));
    if (unit === undefined || whole + (fraction ?? "") === "") return malformed;
    rest = rest.slice(unit[0].length);
    total += BigInt(whole || "0") * unit[1];
    total += BigInt(fraction || "0") * unit[1] / 10n ** BigInt(fraction?.length ?? 0);
  }
  return duration(text.startsWith("-") ? -total : total);
}

/** Writes a duration in seconds, such as `90s` or `-1.5s`. */
export function formatDuration({ nanoseconds }: Duration): string {
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  return `${nanoseconds < 0n ? "-" : ""}${size / SECOND}${formatFraction(size % SECOND)}s`;
}

/** Returns the minutes east of UTC of a zone that is an offset, such as `+02:00`; null for any other text. */
export function zoneOffset(zone: string): number | null {
  return zone === "UTC" || zone === "" ? 0 : new Reader(zone).wholeOffset() ?? null;
}

/** Returns a Date whose UTC parts are the local time this many minutes east of UTC, to the millisecond. */
export function atOffset(point: Timestamp, minutes: number): Date {
  return new Date(toDate(point).getTime() + minutes * 60_000);
}

/** Returns a Date whose UTC parts are the local time in the formatter's zone, to the millisecond. */
export function inZone(point: Timestamp, formatter: Intl.DateTimeFormat): Date {
  const date = toDate(point);
  const parts = new Map(formatter.formatToParts(date).map(({ type, value }) => [type, Number(value)]));
  const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  const local = new Date(0);
  // In a zone west of UTC the first day of year 1 begins in year 0, which Intl calls year 1 of the era before.
  const isBeforeYearOne = date.getUTCFullYear() === 1 && date.getUTCMonth() === 0 && part("month") === 12;
  local.setUTCFullYear(isBeforeYearOne ? 0 : part("year"), part("month") - 1, part("day"));
  local.setUTCHours(part("hour"), part("minute"), part("second"), date.getUTCMilliseconds());
  return local;
}

function toDate({ nanoseconds }: Timestamp): Date {
  const fraction = ((nanoseconds % MILLISECOND) + MILLISECOND) % MILLISECOND;
  return new Date(Number((nanoseconds - fraction) / MILLISECOND));
}

function formatFraction(nanoseconds: bigint): string {
  if (nanoseconds === 0n) return "";
  let digits = nanoseconds.toString().padStart(9, "0");
  while (digits.endsWith("0")) digits = digits.slice(0, -1);
  return `.${digits}`;
}

function leadingDigits(text: string): string {
  let length = 0;
  while (isDigit(text.charAt(length))) length++;
  return text.slice(0, length);
}

function isDigit(character: string): boolean {
  return character >= "0" && character <= "9" && character !== "";
}

// Reads from left to right. After the first unexpected character, `complete` is false.
class Reader {
  readonly #text: string;
  #at = 0;
  #failed: boolean;

  constructor(text: string) {
    this.#text = text;
    this.#failed = text.length > TIME_TEXT_LENGTH;
  }

  get complete(): boolean {
    return !this.#failed && this.#at === this.#text.length;
  }

  after(characters: string): this {
    const character = this.#text.charAt(this.#at++);
    if (character === "" || !characters.includes(character)) this.#failed = true;
    return this;
  }

  digits(count: number): number {
    const digits = this.#text.slice(this.#at, this.#at + count);
    this.#at += count;
    if (digits.length === count && leadingDigits(digits) === digits) return Number(digits);
    this.#failed = true;
    return 0;
  }

  fraction(): bigint {
    if (this.#text.charAt(this.#at) !== ".") return 0n;
    const digits = leadingDigits(this.#text.slice(this.#at + 1));
    this.#at += 1 + digits.length;
    if (digits.length === 0 || digits.length > 9) this.#failed = true;
    return BigInt(digits.slice(0, 9).padEnd(9, "0"));
  }

  // Reads `Z` or a sign with hours and minutes; returns minutes east of UTC.
  zone(): number {
    const sign = this.#text.charAt(this.#at++);
    if (sign === "Z" || sign === "z") return 0;
    if (sign !== "+" && sign !== "-") this.#failed = true;
    return this.#offset(sign);
  }

  // Reads a zone that is an offset; the sign may be left out.
  wholeOffset(): number | undefined {
    const sign = this.#text.charAt(0);
    if (sign === "+" || sign === "-") this.#at++;
    const offset = this.#offset(sign);
    return this.complete ? offset : undefined;
  }

  #offset(sign: string): number {
    const hours = this.digits(2);
    const minutes = this.after(":").digits(2);
    if (hours > 23 || minutes > 59) this.#failed = true;
    return (sign === "-" ? -1 : 1) * (hours * 60 + minutes);
  }
}
