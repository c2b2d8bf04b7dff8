// Command lines -> plans: what is accepted, which hint a refusal gives, and that plans have the types of the table.
import { describe, expect, test } from "bun:test";
import { defineCommand, defineProgram, type Plan } from "../../src/command/command.ts";
import { parseArgv } from "../../src/command/parse-argv.ts";
import { AGE_UNITS, parseDuration } from "../../src/core/quantity.ts";
import { err, ok, type Result } from "../../src/core/result.ts";

function readAge(text: string): Result<number, string> {
  const ms = parseDuration(text, AGE_UNITS);
  return ms === null ? err("is an age") : ok(ms);
}

const LOG = defineCommand({
  usage: "log",
  summary: "show the log",
  flags: {
    follow: { short: "f", summary: "follow" },
    lines: { short: "n", value: "count", summary: "how many" },
    since: { value: "age", summary: "since", reads: readAge, default: "1h" },
    tag: { short: "t", value: "key=value", summary: "tags", repeated: true },
    watch: { summary: "watch", negatable: true, default: true },
  },
  examples: [],
});
const LINT = defineCommand({
  usage: "lint [...path]",
  summary: "lint",
  flags: { format: { short: "f", value: "format", summary: "format", choices: ["text", "json"], default: "text" } },
  examples: [],
});
const PROGRAM = defineProgram({
  name: "p",
  summary: "p does",
  flags: { socket: { value: "path", summary: "socket", default: "/s" }, json: { summary: "json" } },
  commands: [
    LOG,
    LINT,
    defineCommand({ usage: "log verify", summary: "verify", flags: {}, examples: [] }),
    defineCommand({ usage: "rule show <id> [part]", summary: "show", flags: {}, examples: [] }),
    defineCommand({ usage: "rule list", summary: "list", flags: {}, examples: [] }),
    defineCommand({ usage: "box list", summary: "boxes", flags: {}, examples: [] }),
    defineCommand({ usage: "exec <program> [...args]", summary: "exec", flags: {}, examples: [], raw: true }),
    defineCommand({
      usage: "ask",
      summary: "ask",
      flags: { target: { value: "target", summary: "target", required: true } },
      examples: [],
    }),
    defineCommand({ usage: "secret", summary: "for programs", flags: {}, examples: [], hidden: true }),
  ],
  aliases: { rules: "rule" },
  synonyms: { ps: "box list" },
  environment: true,
});

function parse(line: string, environment: Readonly<Record<string, string>> = {}) {
  return parseArgv(PROGRAM, line === "" ? [] : line.split(" ").map((word) => word === "''" ? "" : word), environment);
}

function planOf(line: string, environment: Readonly<Record<string, string>> = {}) {
  const parsed = parse(line, environment);
  if (!parsed.ok || parsed.value.kind !== "run") throw new Error(`${line}: ${JSON.stringify(parsed)}`);
  return parsed.value;
}

describe("flags", () => {
  const log = { follow: false, lines: undefined, since: 3_600_000, tag: [], watch: true };
  const shared = { socket: "/s", json: false, help: false, version: false };
  const cases: readonly { readonly line: string; readonly flags: Readonly<Record<string, unknown>> }[] = [
    { line: "log", flags: {} },
    { line: "log -f", flags: { follow: true } },
    { line: "log -fn 5", flags: { follow: true, lines: "5" } },
    { line: "log -n5 -f", flags: { follow: true, lines: "5" } },
    { line: "log -n -5", flags: { lines: "-5" } },
    { line: "log -n 007", flags: { lines: "007" } },
    { line: "log --lines=", flags: { lines: "" } },
    { line: "log --lines -", flags: { lines: "-" } },
    { line: "log --lines --", flags: { lines: "--" } },
    { line: "log -t a=1 --tag b=2", flags: { tag: ["a=1", "b=2"] } },
    { line: "log --since 2d --no-watch", flags: { since: 172_800_000, watch: false } },
    { line: "--json log --socket /x", flags: { json: true, socket: "/x" } },
    { line: "--socket /x log -f", flags: { socket: "/x", follow: true } },
  ];
  test.each([...cases])("$line", ({ line, flags }) => {
    expect(planOf(line).flags).toEqual({ ...log, ...shared, ...flags });
  });

  test("the same letter is another flag in another command", () => {
    expect(planOf("lint -f json a b")).toMatchObject({ flags: { format: "json" }, arguments: { path: ["a", "b"] } });
  });

  test("variables, which a flag beats, and what was given", () => {
    const plan = planOf("log --lines 1", { OUTCALL_LINES: "2", OUTCALL_SINCE: "1m", OUTCALL_NO_WATCH: "1" });
    expect(plan.flags).toMatchObject({ lines: "1", since: 60_000, watch: false });
    expect(plan.given).toMatchObject({ lines: true, since: true, watch: true, follow: false, socket: false });
  });
});

describe("commands and arguments", () => {
  const cases: readonly { readonly line: string; readonly name: string; readonly words: unknown }[] = [
    { line: "log verify", name: "log verify", words: {} },
    { line: "rule show 007", name: "rule show", words: { id: "007", part: undefined } },
    { line: "rules show a b", name: "rule show", words: { id: "a", part: "b" } },
    { line: "rule --json show a", name: "rule show", words: { id: "a", part: undefined } },
    { line: "rule show -- -a", name: "rule show", words: { id: "-a", part: undefined } },
    { line: "rule show help", name: "rule show", words: { id: "help", part: undefined } },
    { line: "exec git push -f --json", name: "exec", words: { program: "git", args: ["push", "-f", "--json"] } },
    { line: "--json exec -- -x --help", name: "exec", words: { program: "-x", args: ["--help"] } },
    { line: "exec git -- a", name: "exec", words: { program: "git", args: ["--", "a"] } },
    { line: "secret", name: "secret", words: {} },
  ];
  test.each([...cases])("$line", ({ line, name, words }) => {
    const { name: found, arguments: given } = planOf(line);
    const plan: unknown = { name: found, words: given };
    expect(plan).toEqual({ name, words });
  });
});

test("D: help and version, where people ask for them", () => {
  const topics: readonly (readonly [line: string, topic: string])[] = [
    ["", ""],
    ["help", ""],
    ["-h", ""],
    ["--json", ""],
    ["rule", "rule"],
    ["rules", "rule"],
    ["rule -h", "rule"],
    ["help rule", "rule"],
    ["help rules show", "rule show"],
    ["rule help", "rule"],
    ["rule help show", "rule show"],
    ["rule show -h", "rule show"],
    ["log --help verify", "log verify"],
    ["help log", "log"],
  ];
  expect(topics.map(([line]) => parse(line))).toEqual(topics.map(([, topic]) => ok({ kind: "help", topic })));
  for (const line of ["-v", "--version", "rule --version", "log --version"]) {
    expect(parse(line)).toEqual(ok({ kind: "version" }));
  }
});

describe("D: refused command lines, and the hint", () => {
  const cases: readonly { readonly line: string; readonly message: string; readonly hint?: string }[] = [
    { line: "lg", message: 'unknown command "lg"', hint: 'did you mean "p log"?' },
    { line: "ps -a", message: 'unknown command "ps"', hint: 'did you mean "p box list"?' },
    { line: "show a", message: 'unknown command "show"', hint: 'did you mean "p rule show"?' },
    { line: "lsit", message: 'unknown command "lsit"', hint: 'did you mean "p rule list" or "p box list"?' },
    { line: "rule shwo a", message: 'unknown command "rule shwo"', hint: 'did you mean "p rule show"?' },
    { line: "rule zzzz", message: 'unknown command "rule zzzz"', hint: "p help lists the commands" },
    { line: "zzzz", message: 'unknown command "zzzz"', hint: "p help lists the commands" },
    { line: "zzzz --help", message: 'unknown command "zzzz"', hint: "p help lists the commands" },
    { line: "help zzzz", message: 'unknown command "zzzz"', hint: "p help lists the commands" },
    { line: "secre", message: 'unknown command "secre"', hint: "p help lists the commands" },
    { line: "constructor", message: 'unknown command "constructor"', hint: "p help lists the commands" },
    { line: "log veryfy", message: 'unknown command "log veryfy"', hint: 'did you mean "p log verify"?' },
    { line: "log x", message: 'log: unexpected argument "x"' },
    {
      line: "rule list help",
      message: 'rule list: unexpected argument "help"',
      hint: 'did you mean "p rule list --help"?',
    },
    { line: "-- log", message: "no command before --", hint: "p help lists the commands" },
    { line: "rule show", message: "rule show: missing <id>" },
    { line: "rule show ''", message: "rule show: <id> is empty" },
    { line: "exec", message: "exec: missing <program>" },
    { line: "ask", message: "ask: missing --target <target>" },
    { line: "log --folow", message: 'unknown flag "--folow"', hint: 'did you mean "--follow"?' },
    { line: "log -follow", message: 'unknown flag "-follow"', hint: 'did you mean "--follow"?' },
    { line: "lint -format json", message: 'unknown flag "-format"', hint: 'did you mean "--format"?' },
    { line: "log -x", message: 'unknown flag "-x"' },
    { line: "log --format json", message: 'unknown flag "--format"', hint: 'it is a flag of "p lint"' },
    { line: "log -fx", message: 'unknown flag "-fx"' },
    { line: "log -v", message: 'unknown flag "-v"' },
    {
      line: "--follow log",
      message: 'unknown flag "--follow"',
      hint: 'it is a flag of "p log", and goes after these words',
    },
    { line: "--sockt=/x nope", message: 'unknown flag "--sockt"', hint: 'did you mean "--socket"?' },
    { line: "rule --bogus", message: 'unknown flag "--bogus"' },
    { line: "--socket", message: "--socket needs a value <path>" },
    { line: "log -n", message: "-n needs a value <count>" },
    { line: "log --follow=1", message: "--follow takes no value" },
    { line: "log -f --follow", message: "--follow is given twice" },
    { line: "log --watch --no-watch", message: "--watch is given twice" },
    { line: "log --since soon", message: "--since is an age" },
    { line: "log --socket ''", message: "--socket is empty" },
    { line: "lint -f jsn", message: '-f is one of text, json, not "jsn"', hint: 'did you mean "json"?' },
  ];
  test.each([...cases])("$line", ({ line, message, hint }) => {
    const parsed = parse(line);
    const error = parsed.ok ? parsed.value : { message: parsed.error.message, hint: parsed.error.hint };
    expect(error).toEqual({ message, hint });
  });

  test("variables are named", () => {
    const parsed = parse("log", { OUTCALL_SINCE: "soon" });
    expect(parsed).toMatchObject({ ok: false, error: { code: "command.usage", message: "OUTCALL_SINCE is an age" } });
  });
});

type Has<T, Name extends string> = Name extends keyof T ? true : false;

test("B5: a plan has the types of the table, so a misspelt flag or argument does not compile", () => {
  const plan = planOf("rule show a");
  if (plan.name !== "rule show") throw new Error(plan.name);
  const id: string = plan.arguments.id;
  const part: string | undefined = plan.arguments.part;
  expect([id, part]).toEqual(["a", undefined]);
  const hasIds: Has<typeof plan.arguments, "ids"> = false;
  const log = planOf("log");
  if (log.name !== "log") throw new Error(log.name);
  const values: readonly [boolean, string | undefined, number, readonly string[], boolean] = [
    log.flags.follow,
    log.flags.lines,
    log.flags.since,
    log.flags.tag,
    log.flags.json,
  ];
  expect(values).toHaveLength(5);
  const hasFolow: Has<typeof log.flags, "folow"> = false;
  const lint = planOf("lint");
  if (lint.name !== "lint") throw new Error(lint.name);
  const format: "text" | "json" = lint.flags.format;
  expect(format).toBe("text");
  const hasSarif: "sarif" extends typeof lint.flags.format ? true : false = false;
  expect([hasIds, hasFolow, hasSarif]).toEqual([false, false, false]);
  const shared: Plan<typeof PROGRAM.flags> = lint;
  expect(shared.flags.socket).toBe("/s");
});
