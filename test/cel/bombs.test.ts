// Short texts that would expand to something large, deep or slow: each is refused, or stopped by the step limit.
import { describe, expect, test } from "bun:test";
import { bind } from "../../src/cel/bind.ts";
import { check } from "../../src/cel/check-expression.ts";
import { compile } from "../../src/cel/compile-expression.ts";
import { createMeter, evaluate, type Outcome } from "../../src/cel/evaluate-condition.ts";
import { CONDITION_STEPS, EVALUATION_STEPS } from "../../src/cel/limits.ts";
import { ZONE_PART_STEPS, ZONE_STEPS, ZoneCache } from "../../src/cel/zones.ts";
import type { Context } from "../../src/core/context.ts";
import { codesOf, RULES } from "../support/cel/rules.ts";

const MANY = 10_000;
const OVER: Outcome = { kind: "error", reason: `over ${CONDITION_STEPS} steps` };

function run(text: string, context: Context): { readonly outcome: Outcome; readonly steps: number } {
  const checked = check(text, RULES);
  if (!checked.ok) throw new Error(checked.error.map(({ message }) => message).join("; "));
  const meter = createMeter();
  const outcome = evaluate(compile(checked.value, RULES), bind(RULES, context, {}), meter);
  return { outcome, steps: EVALUATION_STEPS - meter.remaining };
}

describe("texts that nest", () => {
  const kinds: readonly (readonly [note: string, text: string])[] = [
    ["open parentheses", "(".repeat(MANY)],
    ["parentheses", `${"(".repeat(MANY)}1${")".repeat(MANY)}`],
    ["lists", `${"[".repeat(MANY)}${"]".repeat(MANY)}`],
    ["maps", `${"{1:".repeat(MANY)}1${"}".repeat(MANY)}`],
    ["calls", `${"size(".repeat(MANY)}1${")".repeat(MANY)}`],
    ["has", `${"has(".repeat(MANY)}a.b${")".repeat(MANY)}`],
    ["exclamation marks", `${"!".repeat(MANY)}true`],
    ["minus signs", `${"-".repeat(MANY)}1`],
    ["exclamation marks apart", `${"! //\n".repeat(MANY)}true`],
    ["exclamation marks and parentheses", `${"!(".repeat(MANY)}true${")".repeat(MANY)}`],
    ["unary operators in every bracket", `${`${"!".repeat(60)}(`.repeat(60)}true${")".repeat(60)}`],
    ["conditionals to the right", `${"true ? true : ".repeat(4000)}true`],
    ["conditionals in the middle", `${"true ? ".repeat(4000)}true${" : true".repeat(4000)}`],
    ["selections", `metadata${".a".repeat(MANY)}`],
    ["indexes", `metadata${"[0]".repeat(MANY)}`],
    ["methods", `""${".trim()".repeat(8000)}`],
    ["sums", `1${"+1".repeat(MANY)}`],
    ["comparisons", `1${"==1".repeat(MANY)}`],
    ["comprehensions", `${"[1].all(x,".repeat(5000)}true${")".repeat(5000)}`],
    ["comprehensions in ranges", `[1]${".map(x,x)".repeat(MANY / 2)}`],
  ];
  for (const [note, text] of kinds) {
    test(note, () => expect(codesOf(text)).toBe("rule.limit"));
  }

  test("100,000 exclamation marks, which overflow the parser's stack", () => {
    expect(codesOf(`${"!".repeat(100_000)}true`)).toBe("rule.limit");
  });

  test("a chain of thousands is not nested", () => {
    for (const operator of ["&&", "||"]) {
      const chain = Array(9_000).fill("true").join(operator);
      expect(codesOf(chain)).toBe("ok: bool");
      expect(codesOf(`(${chain}) == true`)).toBe("ok: bool");
      expect(run(chain, {}).outcome).toEqual({ kind: "value", value: true });
    }
  });
});

describe("texts that are cut off", () => {
  const motifs = [
    "{[(",
    "[{1:",
    "a.b[",
    "!(-",
    "a ? (",
    "x.all(y, [",
    "f(g(",
    "a && (",
    "//",
    "has(a.b == [",
    "]})",
  ];
  for (const motif of motifs) {
    test(`${motif}, 2 to 200 times`, () => {
      for (let times = 2; times <= 200; times++) {
        expect(["rule.limit", "rule.cel-syntax"]).toContain(codesOf(`${motif.repeat(times)} `));
      }
    });
  }
});

describe("lists of hosts", () => {
  test("5,000 hosts load, and cost no more than one", () => {
    const hosts = Array.from({ length: 5_000 }, (_, index) => `"host-${index}.example.com"`);
    const { outcome, steps } = run(`network.hostname in [${hosts.join(", ")}]`, {
      network: { hostname: "host-4999.example.com" },
    });
    expect(outcome).toEqual({ kind: "value", value: true });
    expect(steps).toBe(3);
  });
});

describe("types that double", () => {
  test("a map of itself to itself is refused", () => {
    expect(codesOf(`[1]${".map(a, {a: a})".repeat(2)} == []`)).toBe("rule.type");
    expect(codesOf(`[1]${".map(a, {a: a})".repeat(40)} == []`)).toBe("rule.type");
  });

  test("the name of a type stays short", () => {
    const checked = check(`[1]${".map(a, [[[a]]])".repeat(15)}`, RULES);
    expect(checked.ok && checked.value.type.length).toBeLessThan(40);
  });
});

describe("memory", () => {
  const cases: readonly (readonly [note: string, text: string])[] = [
    ["strings", `["aaaaaaaa"]${".map(x, x + x)".repeat(40)}[0] == ""`],
    ["lists", `[["a"]]${".map(x, x + x)".repeat(40)}[0] == [""]`],
    ["bytes", `[b"aaaaaaaa"]${".map(x, x + x)".repeat(40)}[0] == b""`],
    ["joined strings", `["aaaaaaaa"]${".map(x, [x, x, x, x].join(x))".repeat(25)}[0] == ""`],
    ["split strings", `["aaaaaaaa"]${".map(x, x + x)".repeat(16)}[0].split("").size() == 1`],
    ["shared lists, compared", `[["a"]]${".map(x, [x, x])".repeat(30)} == [["a"]]${".map(x, [x, x])".repeat(30)}`],
    ["lists of lists", "run.args.map(a, run.args.map(b, run.args)).size() == 0"],
  ];
  for (const [note, text] of cases) {
    test(`${note}: over the steps`, () => {
      const { outcome, steps } = run(text, { run: { args: Array(1000).fill("a") } });
      expect(outcome).toEqual(OVER);
      expect(steps).toBe(CONDITION_STEPS);
    });
  }
});

describe("time", () => {
  const numbers = `[${Array.from({ length: 1_000 }, (_, index) => index).join(",")}]`;
  const long = "x".repeat(60_000);
  const cases: readonly (readonly [note: string, text: string, context: Context])[] = [
    ["nested comprehensions", `${numbers}.all(a, ${numbers}.all(b, a + b >= 0))`, {}],
    ["searching", "metadata.a.contains(metadata.b)", { metadata: { a: long, b: "x".repeat(30_000) + "y" } }],
    ["comparing", `${numbers}.all(a, metadata.a != metadata.b)`, { metadata: { a: `${long}a`, b: `${long}b` } }],
    ["ordering", `${numbers}.all(a, metadata.a <= metadata.b)`, { metadata: { a: `${long}a`, b: `${long}b` } }],
    ["measuring", `${numbers}.all(a, size(metadata.a) > 0)`, { metadata: { a: long } }],
    ["time zones", `${numbers}.all(a, timestamp(a).getHours("Europe/Vienna") >= 0)`, {}],
    ["a list in a list", `${numbers}.all(a, !(1 in metadata.l))`, { metadata: { l: Array(1_000).fill(0) } }],
  ];
  for (const [note, text, context] of cases) {
    test(`${note}: over the steps`, () => {
      expect(run(text, context)).toEqual({ outcome: OVER, steps: CONDITION_STEPS });
    });
  }

  test("A9: the first use of a time zone's name in an evaluation is charged as if its zone had to be made", () => {
    const hours = 'timestamp(0).getHours("Europe/Vienna") == 1';
    const once = run(hours, {}).steps;
    expect(once).toBeGreaterThan(ZONE_STEPS);
    expect(once).toBeLessThan(ZONE_STEPS + 20);
    expect(run(`${hours} && ${hours}`, {}).steps).toBe(once + (once - ZONE_STEPS) + ZONE_PART_STEPS + 1);
    // Earlier evaluations do not change the number of steps.
    expect(run(hours, {}).steps).toBe(once);
    expect(run('timestamp(0).getHours("+01:00") == 1 && timestamp(0).getHours("UTC") == 0', {}).steps).toBeLessThan(20);
  });

  test("A9: a condition uses at most nine zones that have to be made", () => {
    const zones = Intl.supportedValuesOf("timeZone");
    const text = "metadata.zones.all(zone, timestamp(0).getHours(zone) >= 0)";
    expect(run(text, { metadata: { zones } })).toEqual({ outcome: OVER, steps: CONDITION_STEPS });
    expect(CONDITION_STEPS / ZONE_STEPS).toBeLessThanOrEqual(10);
    const nine = run(text, { metadata: { zones: zones.slice(0, 9) } });
    expect(nine.outcome).toEqual({ kind: "value", value: true });
  });

  test("A9: of the zones that were used, only the last ones are kept, and each is found again", () => {
    const cache = new ZoneCache();
    const zones = Intl.supportedValuesOf("timeZone").slice(0, 100);
    const made = zones.map((zone) => cache.find(zone));
    expect(cache.find(zones[99] ?? "")).toBe(made[99]);
    expect(cache.find(zones[0] ?? "")).not.toBe(made[0]);
    expect(cache.find(zones[0] ?? "")?.resolvedOptions().timeZone).toBe(made[0]?.resolvedOptions().timeZone);
    expect(cache.find("Nowhere/Town")).toBeUndefined();
  });

  test("A9: a long text that is no number is refused unread", () => {
    const long = "x".repeat(60_000);
    const text = `${numbers}.exists(a, double(metadata.a) == 1.0)`;
    expect(run(text, { metadata: { a: long } }).outcome).toEqual({ kind: "error", reason: "string is not a double" });
  });

  test("patterns that make others back-track", () => {
    const path = `${"a".repeat(30)}!`;
    expect(run('http.path.matches("(a+)+$")', { http: { path } }).outcome).toEqual({ kind: "value", value: false });
    expect(run('http.path.matches("^(a|a)*$")', { http: { path } }).outcome).toEqual({ kind: "value", value: false });
  });

  test("a pattern that costs too much for its text is not tried", () => {
    const text = 'http.path.matches("(?:[a-z]{1,30}x?){20}$")';
    expect(run(text, { http: { path: "a".repeat(16_384) } })).toEqual({ outcome: OVER, steps: CONDITION_STEPS });
    const { outcome, steps } = run(text, { http: { path: "a".repeat(1_024) } });
    expect(outcome).toEqual({ kind: "value", value: true });
    expect(steps).toBeGreaterThan(10_000);
  });

  test("repetitions are measured before they are compiled", () => {
    for (const pattern of ["a{1000}".repeat(2_000), "(?:a{10}){100}".repeat(500), "((a{30}){30}){30}"]) {
      expect(codesOf(`http.path.matches("${pattern}")`)).toBe("rule.regex");
    }
    const many = Array(2_000).fill('http.path.matches("a{1000}")').join(" || ");
    expect(codesOf(many)).toBe("rule.limit");
  });
});
