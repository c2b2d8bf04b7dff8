// The text of each flag of outcalld -> its value or an error. Every value is checked before the daemon changes anything.
import { Buffer } from "node:buffer";
import { parseRequiredLabel, type RequiredLabel } from "../container/required-label.ts";
import { AGE_UNITS, LIMIT_UNITS, parseDuration, parseSize } from "../core/quantity.ts";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import type { Rate } from "../session/rate-window.ts";

/** The longest path that a Unix socket's address holds, its final NUL not counted (unix(7)). */
const SOCKET_PATH_BYTES = 107;

/** The name of a network device: visible ASCII without `/` and `:`, its final NUL not counted (netdevice(7), IFNAMSIZ). */
const DEVICE_NAME = /^(?!\.{1,2}$)[\x21-\x2e\x30-\x39\x3b-\x7e]{1,15}$/;

/** The longest timeout: a day, far below where timers overflow. */
const TIMEOUT_MAX_MS = 86_400_000;

/** The most requests in a window, and the longest window in seconds: the daemon keeps as many times for each container. */
const RATE_COUNT_MAX = 1_000_000;
const RATE_SECONDS_MAX = 86_400;

/** The smallest decision log: a day's denials of one container must fit. */
const LOG_MIN_BYTES = 1e6;

/** The path of a socket. */
export function readSocketPath(text: string): Result<string, string> {
  if (!text.startsWith("/")) return err(`must be an absolute path, not ${quote(text)}`);
  if (Buffer.byteLength(text) > SOCKET_PATH_BYTES) return err(`is over ${SOCKET_PATH_BYTES} bytes`);
  return text.includes("\0") ? err("holds a NUL") : ok(text);
}

/** The name of a network device, or `none`. */
export function readBridge(text: string): Result<string, string> {
  return DEVICE_NAME.test(text) ? ok(text) : err(`is the name of a device, not ${quote(text)}`);
}

/** Milliseconds of a time limit, at most a day. */
export function readTimeout(text: string): Result<number, string> {
  const ms = parseDuration(text, LIMIT_UNITS);
  if (ms !== null && ms <= TIMEOUT_MAX_MS) return ok(ms);
  return err(`is a duration such as 500ms, 2s or 1m, not ${quote(text)}`);
}

/** Milliseconds of an age. */
export function readAge(text: string): Result<number, string> {
  const ms = parseDuration(text, AGE_UNITS);
  return ms === null ? err(`is an age such as 12h, 30d or 8w, not ${quote(text)}`) : ok(ms);
}

/** Bytes of a decision log. */
export function readLogSize(text: string): Result<number, string> {
  const bytes = parseSize(text);
  if (bytes !== null && bytes >= LOG_MIN_BYTES) return ok(bytes);
  return err(`is a size of at least 1MB, such as 500MB or 1GB, not ${quote(text)}`);
}

/** The rate of `100/10`, a hundred in ten seconds. */
export function readRate(text: string): Result<Rate, string> {
  const match = /^([1-9][0-9]{0,6})\/([1-9][0-9]{0,4})$/.exec(text);
  const [count, seconds] = [Number(match?.[1]), Number(match?.[2])];
  if (count <= RATE_COUNT_MAX && seconds <= RATE_SECONDS_MAX) return ok({ count, periodMs: seconds * 1_000 });
  return err(`is a count and seconds such as 100/10, not ${quote(text)}`);
}

/** A rate as `readRate` reads it. */
export function formatRate({ count, periodMs }: Rate): string {
  return `${count}/${periodMs / 1_000}`;
}

/** A label of containers. */
export function readLabel(text: string): Result<RequiredLabel, string> {
  const label = parseRequiredLabel(text);
  return label === null ? err(`is key or key=value, not ${quote(text)}`) : ok(label);
}

/** The number of a user: 32 bits, of which the last one means none (chown(2)). */
export function readUid(text: string): Result<number, string> {
  const isUid = /^(0|[1-9][0-9]{0,9})$/.test(text) && Number(text) < 0xffff_ffff;
  return isUid ? ok(Number(text)) : err(`is a user's number, not ${quote(text)}`);
}
