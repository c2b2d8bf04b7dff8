// Functions and macros of conditions: signatures as the checker knows them, a sentence and an example each.
import { FUNCTIONS } from "../../src/cel/functions.ts";
import type { Macro } from "../../src/cel/tree.ts";
import { fail } from "../failure.ts";
import { plainType, resultOf, RULE_ENVIRONMENT } from "./evaluate-example.ts";
import { code, table } from "./markdown.ts";

type Described = { readonly meaning: string; readonly example: string };

/** `dyn` is refused by the check. */
const NOT_OFFERED = "dyn";

const TIME = 'timestamp("2026-11-21T09:30:15.250Z")';
const part = (name: string, meaning: string): readonly [string, Described] => {
  return [name, { meaning: `${meaning}; in UTC, or in the zone that is named.`, example: `${TIME}.${name}()` }];
};

const DESCRIBED: ReadonlyMap<string, Described> = new Map<string, Described>([
  ["startsWith", { meaning: "Whether a text begins so.", example: '"/work/a".startsWith("/work/")' }],
  ["endsWith", { meaning: "Whether a text ends so.", example: '"api.corp.example".endsWith(".corp.example")' }],
  ["contains", { meaning: "Whether a part occurs.", example: '"a-b-c".contains("-b")' }],
  ["matches", {
    meaning: "Whether an RE2 pattern finds anything; the pattern is a literal. `^` and `$` are needed to match all.",
    example: '"v1.2.3".matches("^v[0-9.]+$")',
  }],
  ["size", { meaning: "Code points, bytes, elements or entries.", example: 'size("año")' }],
  ["lowerAscii", { meaning: "A to Z in lower case.", example: '"GitHub".lowerAscii()' }],
  ["upperAscii", { meaning: "a to z in upper case.", example: '"get".upperAscii()' }],
  ["trim", { meaning: "Without white space at both ends.", example: '" a ".trim()' }],
  ["substring", { meaning: "From an index, to one before another.", example: '"v1.2".substring(1, 4)' }],
  ["indexOf", { meaning: "Where a part occurs first, from an index on, or -1.", example: '"a.b.c".indexOf(".")' }],
  ["lastIndexOf", { meaning: "Where a part occurs last, or -1.", example: '"a.b.c".lastIndexOf(".")' }],
  ["charAt", { meaning: "The character at an index; empty at the end.", example: '"año".charAt(1)' }],
  ["split", { meaning: "The parts between separators, at most so many.", example: '"a,b,c".split(",", 2)' }],
  ["join", { meaning: "The texts of a list with a separator between them.", example: '["a", "b"].join("-")' }],
  ["bool", { meaning: "From a text: `true`, `t`, `1`, or `false`, `f`, `0`.", example: 'bool("true")' }],
  ["int", { meaning: "Cut towards zero; of a timestamp seconds since 1970.", example: "int(2.9)" }],
  ["uint", { meaning: "Never negative.", example: "uint(7)" }],
  ["double", { meaning: "The nearest.", example: 'double("1.5")' }],
  ["string", { meaning: "As text.", example: "string(443)" }],
  ["bytes", { meaning: "UTF-8 of a text.", example: 'bytes("añ")' }],
  ["timestamp", {
    meaning: "From RFC 3339, or from seconds since 1970.",
    example: 'timestamp("2026-11-21T10:30:00+01:00")',
  }],
  ["duration", { meaning: "From a text with units h, m, s, ms, us, ns.", example: 'duration("1h30m")' }],
  ["ip", {
    meaning: "An IPv4 or IPv6 address. Leading zeros, zones and IPv4-mapped IPv6 addresses fail.",
    example: 'ip("2001:DB8::1") == ip("2001:db8:0:0::1")',
  }],
  ["isIP", { meaning: "Whether `ip()` takes the text.", example: 'isIP("10.0.0.256")' }],
  ["cidr", { meaning: "A network in CIDR notation.", example: 'cidr("10.0.0.0/8").containsIP("10.1.2.3")' }],
  ["isCIDR", { meaning: "Whether `cidr()` takes the text.", example: 'isCIDR("10.0.0.0")' }],
  ["containsIP", {
    meaning: "Whether an address lies in the network; an address of the other family never does.",
    example: 'cidr("0.0.0.0/0").containsIP("::1")',
  }],
  ["containsCIDR", {
    meaning: "Whether all addresses of a network lie in this one.",
    example: 'cidr("10.0.0.0/8").containsCIDR("10.1.0.0/16")',
  }],
  ["family", { meaning: "4 or 6.", example: 'ip("::1").family()' }],
  ["isLoopback", { meaning: "In 127.0.0.0/8, or ::1.", example: 'ip("127.0.0.53").isLoopback()' }],
  ["isLinkLocalUnicast", {
    meaning: "In 169.254.0.0/16 or fe80::/10.",
    example: 'ip("169.254.169.254").isLinkLocalUnicast()',
  }],
  ["isGlobalUnicast", {
    meaning: "Not unspecified, loopback, link-local, multicast or 255.255.255.255. Private addresses are global.",
    example: 'ip("10.1.2.3").isGlobalUnicast()',
  }],
  ["isPrivate", {
    meaning: "In 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16 or fc00::/7.",
    example: 'ip("10.1.2.3").isPrivate()',
  }],
  ["type", { meaning: "The type, to be compared with its name.", example: "type(1) == int" }],
  part("getFullYear", "The year"),
  part("getMonth", "The month, 0 to 11"),
  part("getDate", "The day of the month, from 1"),
  part("getDayOfMonth", "The day of the month, from 0"),
  part("getDayOfWeek", "The day of the week, Sunday is 0"),
  part("getDayOfYear", "The day of the year, from 0"),
  part("getHours", "The hour; of a duration all hours"),
  part("getMinutes", "The minute; of a duration all minutes"),
  part("getSeconds", "The second; of a duration all seconds"),
  part("getMilliseconds", "The millisecond; of a duration those beyond whole seconds"),
]);

/** The table of functions; fails where one of them is not described, or one described does not exist. */
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

/** More signatures than this differ in their argument alone, as those of `type`. */
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

// Overloads that differ in one place are one signature: in the one argument, in the receiver, or in a last argument more.
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
    meaning: "Whether a field or key is there. It takes a field, never a namespace.",
    example: 'has({"a": 1}.a)',
  },
  all: {
    form: "list.all(x, test)",
    meaning: "Whether the test holds for every element.",
    example: "[1, 2].all(x, x > 0)",
  },
  exists: {
    form: "list.exists(x, test)",
    meaning: "Whether it holds for one.",
    example: '["-f"].exists(x, x == "-f")',
  },
  exists_one: {
    form: "list.exists_one(x, test)",
    meaning: "Whether it holds for exactly one.",
    example: "[1, 2, 2].exists_one(x, x == 2)",
  },
  filter: { form: "list.filter(x, test)", meaning: "Those for which it holds.", example: "[1, 2, 3].filter(x, x > 1)" },
  map: {
    form: "list.map(x, value), list.map(x, test, value)",
    meaning: "A value for each, or for each for which the test holds.",
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
