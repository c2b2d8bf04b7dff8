// Functions and macros of conditions: for each the checker's signatures, a sentence, and an example with its result.
import { FUNCTIONS } from "../../src/cel/functions.ts";
import type { Macro } from "../../src/cel/tree.ts";
import { fail } from "../failure.ts";
import { plainType, resultOf, RULE_ENVIRONMENT } from "./evaluate-example.ts";
import { code, table } from "./markdown.ts";

type Described = { readonly meaning: string; readonly example: string };

/** The library has `dyn`, but the checker refuses it. */
const NOT_OFFERED = "dyn";

const TIME = 'timestamp("2026-11-21T09:30:15.250Z")';
const part = (name: string, meaning: string): readonly [string, Described] => {
  return [name, { meaning: `${meaning}; in UTC, or in the given time zone.`, example: `${TIME}.${name}()` }];
};

const DESCRIBED: ReadonlyMap<string, Described> = new Map<string, Described>([
  ["startsWith", { meaning: "Whether a string starts with the prefix.", example: '"/work/a".startsWith("/work/")' }],
  ["endsWith", {
    meaning: "Whether a string ends with the suffix.",
    example: '"api.corp.example".endsWith(".corp.example")',
  }],
  ["contains", { meaning: "Whether a string contains the other.", example: '"a-b-c".contains("-b")' }],
  ["matches", {
    meaning:
      "Whether an RE2 pattern matches a part of the string. The pattern must be a literal. Use `^` and `$` to match the whole string.",
    example: '"v1.2.3".matches("^v[0-9.]+$")',
  }],
  ["size", { meaning: "The number of code points, bytes, elements or entries.", example: 'size("año")' }],
  ["lowerAscii", { meaning: "Converts A to Z to lower case.", example: '"GitHub".lowerAscii()' }],
  ["upperAscii", { meaning: "Converts a to z to upper case.", example: '"get".upperAscii()' }],
  ["trim", { meaning: "Removes white space at both ends.", example: '" a ".trim()' }],
  ["substring", {
    meaning: "The characters from an index up to, but not including, another.",
    example: '"v1.2".substring(1, 4)',
  }],
  ["indexOf", {
    meaning: "The index of the first occurrence, at or after the given index; -1 if there is none.",
    example: '"a.b.c".indexOf(".")',
  }],
  ["lastIndexOf", {
    meaning: "The index of the last occurrence; -1 if there is none.",
    example: '"a.b.c".lastIndexOf(".")',
  }],
  ["charAt", { meaning: "The character at an index; the empty string at the end.", example: '"año".charAt(1)' }],
  ["split", {
    meaning: "The parts between separators; with a limit, at most that many.",
    example: '"a,b,c".split(",", 2)',
  }],
  ["join", { meaning: "Joins the strings of a list, with a separator between them.", example: '["a", "b"].join("-")' }],
  ["bool", { meaning: "Converts `true`, `t` or `1`, and `false`, `f` or `0`.", example: 'bool("true")' }],
  ["int", {
    meaning: "Converts to an integer, rounding towards zero. A timestamp gives the seconds since 1970.",
    example: "int(2.9)",
  }],
  ["uint", { meaning: "Converts to an unsigned integer; a negative number fails.", example: "uint(7)" }],
  ["double", { meaning: "Converts to the nearest double.", example: 'double("1.5")' }],
  ["string", { meaning: "Converts to a string.", example: "string(443)" }],
  ["bytes", { meaning: "The UTF-8 bytes of a string.", example: 'bytes("añ")' }],
  ["timestamp", {
    meaning: "A time, from RFC 3339 or from seconds since 1970.",
    example: 'timestamp("2026-11-21T10:30:00+01:00")',
  }],
  ["duration", {
    meaning: "A duration, from a string with the units h, m, s, ms, us, ns.",
    example: 'duration("1h30m")',
  }],
  ["ip", {
    meaning: "An IPv4 or IPv6 address. Leading zeros, zones and IPv4-mapped IPv6 addresses fail.",
    example: 'ip("2001:DB8::1") == ip("2001:db8:0:0::1")',
  }],
  ["isIP", { meaning: "Whether `ip()` accepts the string.", example: 'isIP("10.0.0.256")' }],
  ["cidr", { meaning: "A network in CIDR notation.", example: 'cidr("10.0.0.0/8").containsIP("10.1.2.3")' }],
  ["isCIDR", { meaning: "Whether `cidr()` accepts the string.", example: 'isCIDR("10.0.0.0")' }],
  ["containsIP", {
    meaning: "Whether an address is in the network; an address of the other family never is.",
    example: 'cidr("0.0.0.0/0").containsIP("::1")',
  }],
  ["containsCIDR", {
    meaning: "Whether all addresses of a network are in this one.",
    example: 'cidr("10.0.0.0/8").containsCIDR("10.1.0.0/16")',
  }],
  ["family", { meaning: "The version of the address, 4 or 6.", example: 'ip("::1").family()' }],
  ["isLoopback", {
    meaning: "Whether the address is in 127.0.0.0/8, or ::1.",
    example: 'ip("127.0.0.53").isLoopback()',
  }],
  ["isLinkLocalUnicast", {
    meaning: "Whether the address is in 169.254.0.0/16 or fe80::/10.",
    example: 'ip("169.254.169.254").isLinkLocalUnicast()',
  }],
  ["isGlobalUnicast", {
    meaning:
      "Whether the address is none of: unspecified, loopback, link-local, multicast, 255.255.255.255. Private addresses count as global.",
    example: 'ip("10.1.2.3").isGlobalUnicast()',
  }],
  ["isPrivate", {
    meaning: "Whether the address is in 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16 or fc00::/7.",
    example: 'ip("10.1.2.3").isPrivate()',
  }],
  ["type", { meaning: "The type of a value; compare it with a type name.", example: "type(1) == int" }],
  part("getFullYear", "The year"),
  part("getMonth", "The month, 0 to 11"),
  part("getDate", "The day of the month, from 1"),
  part("getDayOfMonth", "The day of the month, from 0"),
  part("getDayOfWeek", "The day of the week, Sunday is 0"),
  part("getDayOfYear", "The day of the year, from 0"),
  part("getHours", "The hour; for a duration, all its hours"),
  part("getMinutes", "The minute; for a duration, all its minutes"),
  part("getSeconds", "The second; for a duration, all its seconds"),
  part("getMilliseconds", "The millisecond; for a duration, those after the whole seconds"),
]);

/** The table of functions. It is a failure if one has no description, or if a described function does not exist. */
export function functionTable(): string {
  const names = [...FUNCTIONS.keys()].filter((name) => name !== NOT_OFFERED);
  const missing = names.find((name) => !DESCRIBED.has(name));
  if (missing !== undefined) fail(`function ${missing} is not described`);
  const extra = [...DESCRIBED.keys()].find((name) => !FUNCTIONS.has(name));
  if (extra !== undefined) fail(`function ${extra} is described and does not exist`);
  const rows = [...DESCRIBED].map(([name, { meaning, example }]) => {
    return [signaturesOf(name).map(code).join("<br>"), meaning, `${code(example)} gives ${resultOf(example)}`];
  });
  return table(["Function", "Meaning", "Example"], rows);
}

/** A function with more signatures than this, such as `type`, takes an argument of any type. */
const SIGNATURES_SHOWN = 8;

// The signatures of a function that conditions may use.
function signaturesOf(name: string): readonly string[] {
  const known = FUNCTIONS.get(name);
  const fitting = RULE_ENVIRONMENT.library.getDefinitions().functions.filter((each) => {
    const isMethod = each.receiverType !== null;
    const arity = each.params.length + (isMethod ? 1 : 0);
    const style = known?.style === "both" || known?.style === (isMethod ? "method" : "global");
    return each.name === name && style && known?.arity.includes(arity) === true;
  });
  const [first] = fitting;
  if (first === undefined) return fail(`function ${name} has no signature`);
  if (fitting.length > SIGNATURES_SHOWN) return [`${name}(any): ${plainType(first.returnType)}`];
  const parts = fitting.map(({ receiverType, params, returnType }) => ({
    receiver: receiverType === null ? null : shortType(receiverType),
    params: params.map(({ type }) => shortType(type)),
    returns: shortType(returnType),
  }));
  return [...new Set(parts.map((each) => signatureOf(name, each, parts)))];
}

type Parts = { readonly receiver: string | null; readonly params: readonly string[]; readonly returns: string };

// Overloads that differ in one place are shown as one signature: they differ in their only argument, in the receiver, or
// in an additional last argument.
function signatureOf(name: string, each: Parts, all: readonly Parts[]): string {
  const { receiver, params, returns } = each;
  const alike = all.filter((other) => (other.receiver === null) === (receiver === null) && other.returns === returns);
  if (receiver === null) {
    if (params.length !== 1) return `${name}(${params.join(", ")}): ${returns}`;
    return `${name}(${alike.map((other) => other.params[0]).join(" | ")}): ${returns}`;
  }
  const overloadsOn = (on: string | null) =>
    alike.filter((other) => other.receiver === on).map((other) => other.params);
  const [short = [], long = short] = overloadsOn(receiver).toSorted((a, b) => a.length - b.length);
  if (params.length === 1 && short.length === long.length) {
    return `${receiver}.${name}(${overloadsOn(receiver).map(([only]) => only).join(" | ")}): ${returns}`;
  }
  const more = long.slice(short.length).join(", ");
  const optional = more === "" ? "" : `[${short.length === 0 ? "" : ", "}${more}]`;
  const receivers = alike.map((other) => other.receiver).filter((on) => overloadsOn(on).length === 1);
  const on = more === "" && short.length === 0 && receivers.length > 1 ? `(${receivers.join(" | ")})` : receiver;
  return `${on}.${name}(${short.join(", ")}${optional}): ${returns}`;
}

function shortType(type: string): string {
  return plainType(type).replaceAll("<dyn>", "").replaceAll("<dyn, dyn>", "");
}

type DescribedMacro = Described & { readonly form: string };

const MACROS: Readonly<Record<Macro | "has", DescribedMacro>> = {
  has: {
    form: "has(x.field)",
    meaning: "Whether a field or key is present. The argument is a field, never a namespace.",
    example: 'has({"a": 1}.a)',
  },
  all: {
    form: "list.all(x, test)",
    meaning: "Whether the test is true for every element.",
    example: "[1, 2].all(x, x > 0)",
  },
  exists: {
    form: "list.exists(x, test)",
    meaning: "Whether the test is true for at least one element.",
    example: '["-f"].exists(x, x == "-f")',
  },
  exists_one: {
    form: "list.exists_one(x, test)",
    meaning: "Whether the test is true for exactly one element.",
    example: "[1, 2, 2].exists_one(x, x == 2)",
  },
  filter: {
    form: "list.filter(x, test)",
    meaning: "The elements for which the test is true.",
    example: "[1, 2, 3].filter(x, x > 1)",
  },
  map: {
    form: "list.map(x, value), list.map(x, test, value)",
    meaning: "A value for each element, or for each element for which the test is true.",
    example: "[1, 2, 3].map(x, x > 1, x * 10)",
  },
};

/** The table of macros. */
export function macroTable(): string {
  const rows = Object.values(MACROS).map(({ form, meaning, example }) => {
    return [form.split(/, (?=list)/).map(code).join("<br>"), meaning, `${code(example)} gives ${resultOf(example)}`];
  });
  return table(["Macro", "Meaning", "Example"], rows);
}
