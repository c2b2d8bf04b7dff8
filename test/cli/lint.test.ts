import { Validator } from "@cfworker/json-schema";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SCHEMAS } from "../../src/cli/schema.ts";
import { type RunOptions, runOutcall } from "../support/program/cli-io.ts";

const home = process.cwd();
let cwd = "";

beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), "lint-"));
  const file = 'version: "1"\ndefinitions:\n  d: "true"\nrules:\n  - {id: a, condition: nope.x == 1, action: block}\n';
  writeFileSync(join(cwd, "bad.yaml"), file);
  writeFileSync(join(cwd, "warn.yaml"), 'version: "1"\ndefinitions:\n  d: "true"\nrules: []\n');
  process.chdir(cwd);
});

afterAll(() => {
  process.chdir(home);
  rmSync(cwd, { recursive: true, force: true });
});

const lint = (argv: readonly string[], options: RunOptions = {}) => runOutcall(["lint", ...argv], options);

describe("lint", () => {
  test("--json is --format json, and fits its schema", async () => {
    const { stdout, stderr, exit } = await lint(["--json", "bad.yaml"]);
    expect([stderr, exit]).toEqual(["", 1]);
    expect(await lint(["--format", "json", "bad.yaml"])).toEqual({ stdout, stderr, exit });
    expect(await lint(["--json", "--format", "json", "bad.yaml"])).toEqual({ stdout, stderr, exit });
    const schema = JSON.parse(JSON.stringify(SCHEMAS["lint"]));
    expect(new Validator(schema, "7").validate(JSON.parse(stdout)).errors).toEqual([]);
    const codes = JSON.parse(stdout).findings.map((finding: { code: string }) => finding.code);
    expect(codes).toEqual(["rule.unused-definition", "rule.unknown-field"]);
  });

  const formats = [
    { format: "text", start: "bad.yaml:3:3: warning[rule.unused-definition]: " },
    { format: "json", start: '{"version":1,"files":1,"rules":1,"findings":[{"code":"rule.unused-definition"' },
    { format: "github", start: "::warning file=bad.yaml,line=3," },
    { format: "sarif", start: '{\n  "$schema": "https://docs.oasis-open.org/sarif/' },
    { format: "junit", start: "<?xml " },
  ];
  for (const { format, start } of formats) {
    test(`--format ${format}`, async () => {
      const { stdout, stderr, exit } = await lint(["--format", format, "bad.yaml"]);
      expect(stdout).toStartWith(start);
      expect(stdout).toContain("rule.unknown-field");
      expect([stderr, exit]).toEqual(["", 1]);
    });
  }

  test("warnings fail with --strict alone", async () => {
    expect((await lint(["warn.yaml"])).exit).toBe(0);
    expect((await lint(["warn.yaml", "--strict"])).exit).toBe(1);
  });

  const colors: readonly { note: string; argv: readonly string[]; options: RunOptions; colored: boolean }[] = [
    { note: "a pipe", argv: [], options: {}, colored: false },
    { note: "a terminal", argv: [], options: { isTerminal: true }, colored: true },
    { note: "NO_COLOR", argv: [], options: { isTerminal: true, environment: { NO_COLOR: "1" } }, colored: false },
    {
      note: "an empty NO_COLOR",
      argv: [],
      options: { isTerminal: true, environment: { NO_COLOR: "" } },
      colored: true,
    },
    { note: "a dumb terminal", argv: [], options: { isTerminal: true, environment: { TERM: "dumb" } }, colored: false },
    { note: "--color never", argv: ["--color", "never"], options: { isTerminal: true }, colored: false },
    { note: "--color always", argv: ["--color=always"], options: { environment: { NO_COLOR: "1" } }, colored: true },
    { note: "OUTCALL_COLOR", argv: [], options: { environment: { OUTCALL_COLOR: "always" } }, colored: true },
  ];
  for (const { note, argv, options, colored } of colors) {
    test(`${note}: ${colored ? "colour" : "no colour"}`, async () => {
      expect((await lint([...argv, "bad.yaml"], options)).stdout.includes("\u001b[")).toBe(colored);
    });
  }

  test("progress is for a terminal, and gone when done", async () => {
    expect((await lint(["bad.yaml"], { isTerminal: true })).stderr).toBe("checking ...\r\u001b[K");
    expect((await lint(["bad.yaml", "--json"], { isTerminal: true })).stderr).toBe("");
  });
});
