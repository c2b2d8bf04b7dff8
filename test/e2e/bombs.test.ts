// Hostile rule files with the built command, each in a process of its own: the expected finding, within ten times the
// time and memory of the specification (1 s and 256 MB for an operator's directory). Other tests check the exact
// counts.
import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { program } from "../support/program/programs.ts";

setDefaultTimeout(120_000);

const TIME_GUARD_MS = 10_000;
const MEMORY_GUARD_BYTES = 2_560 * 1024 * 1024;

const condition = (text: string) =>
  `version: "1"\nrules:\n  - id: r\n    action: allow\n    condition: ${JSON.stringify(text)}\n`;
const aliases = Array.from(
  { length: 9 },
  (_, at) => `a${at}: &a${at} [${Array(9).fill(at === 0 ? "x" : `*a${at - 1}`).join(", ")}]\n`,
);

type Bomb = { readonly note: string; readonly text: string; readonly code: string | null };
const BOMBS: readonly Bomb[] = [
  { note: "nine levels of aliases", text: aliases.join(""), code: "rule.limit" },
  { note: "nested flow lists", text: "[".repeat(100_000), code: "rule.limit" },
  { note: "nested block maps", text: "a: ".repeat(100_000), code: "rule.limit" },
  { note: "anchors without end", text: "&a ".repeat(100_000), code: "rule.limit" },
  { note: "100,000 keys", text: Array.from({ length: 100_000 }, (_, at) => `k${at}: 1\n`).join(""), code: null },
  { note: "a huge scalar", text: condition("x".repeat(1_900_000)), code: "rule.limit" },
  { note: "two MiB and one", text: "#".repeat(2 * 1024 * 1024 + 1), code: "rule.limit" },
  { note: "nested parentheses", text: condition("(".repeat(10_000) + "true" + ")".repeat(10_000)), code: "rule.limit" },
  { note: "negations", text: condition(`${"!".repeat(50_000)}true`), code: "rule.limit" },
  { note: "nested lists", text: condition("[".repeat(10_000) + "]".repeat(10_000)), code: "rule.limit" },
  { note: "unclosed brackets", text: condition("[".repeat(60_000)), code: null },
  {
    note: "a memory bomb of macros, which loads: its steps are counted when it runs",
    text: condition(`[[1,2]${".map(x, [x,x])".repeat(8)}].size() == 1`),
    code: "none",
  },
  {
    note: "nested comprehensions",
    text: condition(`${"[1].all(x, ".repeat(10)}true${")".repeat(10)}`),
    code: "rule.limit",
  },
  {
    note: "definitions that double",
    text: `version: "1"\ndefinitions:\n  d0: 'true && true'\n${
      Array.from({ length: 40 }, (_, at) => `  d${at + 1}: $d${at} && $d${at}\n`).join("")
    }rules: [{id: r, condition: $d40, action: allow}]\n`,
    code: "rule.limit",
  },
  {
    note: "a pattern that repeats repeats",
    text: condition('dns.query.matches("((a{100}){100}){100}")'),
    code: "rule.regex",
  },
  {
    note: "5,000 hosts, which are no bomb and load",
    text: condition(`network.hostname in [${Array.from({ length: 5_000 }, (_, at) => `"h${at}.ex"`).join(",")}]`),
    code: "none",
  },
];

test.each(BOMBS)("$note: $code", ({ text, code }) => {
  const dir = mkdtempSync(join(tmpdir(), "outcall-bomb-"));
  try {
    writeFileSync(join(dir, "a.yaml"), text);
    const done = Bun.spawnSync([...program("outcall"), "lint", "--format", "json", dir], { timeout: TIME_GUARD_MS });
    const { findings } = JSON.parse(done.stdout.toString());
    const codes: readonly string[] = findings.filter((each: { severity: string }) => each.severity === "error")
      .map((each: { code: string }) => each.code);
    if (code === "none") expect(codes).toEqual([]);
    else expect(codes.length).toBeGreaterThan(0);
    if (code !== null && code !== "none") expect(codes).toContain(code);
    expect(done.resourceUsage.maxRSS).toBeLessThan(MEMORY_GUARD_BYTES);
  } finally {
    rmSync(dir, { recursive: true });
  }
});

test("a memory bomb that loads is given up when it runs, with a warning, and allows nothing", () => {
  const dir = mkdtempSync(join(tmpdir(), "outcall-bomb-"));
  try {
    const doubling = `metadata.t${'.split("").join(metadata.t)'.repeat(8)}`;
    writeFileSync(join(dir, "a.yaml"), condition(`${doubling} != ""`), { mode: 0o644 });
    const context = JSON.stringify({ metadata: { t: "0123456789abcdef".repeat(64) } });
    const asked = ["rule", "evaluate", "--rules-dir", dir, "--context", context, "--json"];
    const done = Bun.spawnSync([...program("outcall"), ...asked], { timeout: TIME_GUARD_MS });
    const { decision, warnings } = JSON.parse(done.stdout.toString());
    expect({ decision, warnings: warnings.length }).toEqual({ decision: "block", warnings: 1 });
    expect(done.resourceUsage.maxRSS).toBeLessThan(MEMORY_GUARD_BYTES);
  } finally {
    rmSync(dir, { recursive: true });
  }
});
