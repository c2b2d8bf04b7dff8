// Parts of random expressions: nodes without source text, and values at interesting limits.
import type { LiteralValue, Tree } from "../../../src/cel/tree.ts";

/** The span of nodes that have no source text. */
export const SPAN = { start: 0, end: 0 };

/** A literal node. */
export function literal(value: LiteralValue): Tree {
  return { kind: "literal", value, span: SPAN };
}

/** A name node. */
export function name(text: string): Tree {
  return { kind: "name", name: text, span: SPAN };
}

/** A selection node. */
export function select(operand: Tree, field: string): Tree {
  return { kind: "select", operand, field, fieldSpan: SPAN, span: SPAN };
}

/** Texts that are addresses or networks, or almost. */
export const ADDRESSES = [
  "10.1.2.3",
  "172.16.0.0",
  "127.0.0.1",
  "169.254.1.1",
  "0.0.0.0",
  "224.0.0.1",
  "255.255.255.255",
  "8.8.8.8",
  "01.2.3.4",
  "1.2.3",
  "::",
  "::1",
  "fe80::1",
  "FD00::0:1",
  "fe80::1%eth0",
  "::ffff:1.2.3.4",
  "::ffff:102:304",
  "2001:db8::1.2.3.4",
  "1:2:3:4:5:6:7:8",
  "1:2:3:4:5:6:7::",
  "1::2::3",
  ":::1",
  "10.0.0.0/8",
  "10.1.2.3/8",
  "10.0.0.0/08",
  "10.0.0.0/33",
  "0.0.0.0/0",
  "::/0",
  "fd00::/8",
  "2001:db8::/129",
  "::ffff:0:0/96",
  "10.0.0.0/",
  "1.2.3.4/32/1",
];

/** Texts of different lengths and scripts, some of which can be read as other types. */
export const TEXTS = [
  "",
  "a",
  "b",
  "ab",
  "aab",
  "A-b",
  "é",
  "😀x",
  "x😀é",
  "/v1/users/42",
  " a ",
  "1",
  "-7",
  "true",
  "1.5",
  "k",
];

/** Integers around the limits of arithmetic. */
export const INTS = [
  0n,
  0n,
  1n,
  1n,
  2n,
  2n,
  3n,
  3n,
  -1n,
  7n,
  7n,
  42n,
  2n ** 31n,
  2n ** 53n + 1n,
  2n ** 63n - 1n,
  -(2n ** 63n),
];

/** Doubles, including both zeros and whole numbers. */
export const DOUBLES = [0, -0, 0.5, 1, 1.5, -2.25, 3, 42, 1e15, 9007199254740992, 1e300];

/** RE2 patterns. */
export const PATTERNS = ["a", "^a+b?$", "[0-9]+", "^/v1/users/[0-9]+$", "(a|b)*", "\\pL", "x.?\\b", "", "^😀"];

/** Timestamps, valid and invalid. */
export const TIMES = [
  "2009-02-13T23:31:30Z",
  "2024-02-29T12:00:00Z",
  "1969-12-31T23:59:59.25Z",
  "2009-02-13T23:31:30Z",
  "2009-02-13T23:31:30.5+02:00",
  "0001-01-01T00:00:00Z",
  "nonsense",
];

/** Durations, valid and invalid. */
export const DURATIONS = ["1s", "2h", "90s", "0s", "1h30m", "-1.5s", "300ms", "nonsense"];
