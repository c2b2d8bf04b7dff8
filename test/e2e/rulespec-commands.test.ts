// The rulespec commands of the built program: output files, stamps, installation, and an envelope of 10^5 facts.
import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Validator } from "@cfworker/json-schema";
import { parseProgram } from "../../src/datalog/parse-program.ts";
import { program } from "../support/program/programs.ts";
import { runProgram } from "../support/program/run-program.ts";
import { COMPLETE_ENVELOPE, COMPLETE_RULESPEC } from "../support/rulespec/complete.ts";

const top = mkdtempSync(join(tmpdir(), "outcall-rulespec-"));
afterAll(() => rmSync(top, { recursive: true }));

let directory = "";
beforeEach(() => {
  directory = mkdtempSync(join(top, "work-"));
  mkdirSync(join(directory, "analysis"));
  write("analysis/rulespec.yaml", COMPLETE_RULESPEC);
  write("envelope.yaml", COMPLETE_ENVELOPE);
  write("key", "a key of this test\n");
});

const path = (name: string): string => join(directory, name);
const write = (name: string, text: string): void => writeFileSync(path(name), text);
const outcall = (...words: readonly string[]) => runProgram([...program("outcall"), ...words], { directory });

const VERIFY = ["rulespec", "verify", "--envelope", "envelope.yaml"];
const STAMPED = [...VERIFY, "--out", "out", "--key-file", "key"];
const PLAN = ["rulespec", "plan-verify", "--session", "out", "--key-file", "key"];

describe("rulespec verify --out", () => {
  test("writes the envelope, the program and the report, readable by the owner only", async () => {
    const { stdout, code } = await outcall(...STAMPED);
    expect(code).toBe(0);
    expect(readdirSync(path("out")).sort()).toEqual([
      "datalog_evaluation.txt",
      "envelope.yaml",
      "rulespec.compiled.dl",
    ]);
    for (const name of readdirSync(path("out"))) expect(statSync(path(`out/${name}`)).mode & 0o777).toBe(0o600);
    expect(readFileSync(path("out/datalog_evaluation.txt"), "utf8")).toBe(stdout);
    const compiled = readFileSync(path("out/rulespec.compiled.dl"), "utf8");
    expect(parseProgram(compiled).ok).toBe(true);
    expect((await outcall("rulespec", "compile", "--envelope", "envelope.yaml")).stdout).toBe(compiled);
  });

  test("the same input gives the same program and report", async () => {
    await outcall(...STAMPED);
    const names = ["out/datalog_evaluation.txt", "out/rulespec.compiled.dl"];
    const first = names.map((name) => readFileSync(path(name), "utf8"));
    await outcall(...STAMPED);
    expect(names.map((name) => readFileSync(path(name), "utf8"))).toEqual(first);
  });

  test("gets a stamp only with a key, and only if it is verified", async () => {
    const stampOf = async (...words: readonly string[]) => JSON.parse((await outcall(...words, "--json")).stdout).stamp;
    expect(await stampOf(...VERIFY)).toBeNull();
    expect(await stampOf(...VERIFY, "--key-file", "key")).toMatch(/^hmac-sha256:[0-9a-f]{64}$/);
    write("envelope.yaml", COMPLETE_ENVELOPE.replace("src/", "lib/"));
    expect(await stampOf(...VERIFY, "--key-file", "key")).toBeNull();
  });

  test("says why it cannot write, or read the key", async () => {
    write("file", "");
    expect(await outcall(...VERIFY, "--out", "file/out")).toMatchObject({ code: 1, stdout: "" });
    expect((await outcall(...VERIFY, "--key-file", "nope")).stderr).toContain('cannot read "nope": it does not exist');
    expect((await outcall(...VERIFY, "--key-file", "file")).stderr).toContain(
      '"file" is not a key: a key has 1 to 4096 bytes',
    );
  });
});

describe("rulespec plan-verify", () => {
  test("the stamp holds", async () => {
    await outcall(...STAMPED);
    const { stdout, code } = await outcall(...PLAN);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Session "out": verified 20.*Z, and the stamp holds\.\n$/);
    expect(JSON.parse((await outcall(...PLAN, "--json")).stdout)).toEqual({ version: 1, verified: true, reason: null });
  });

  const broken: readonly { readonly note: string; readonly change: () => void; readonly says: string }[] = [
    {
      note: "a fact has changed",
      change: () =>
        write("out/envelope.yaml", readFileSync(path("out/envelope.yaml"), "utf8").replace("csv.rs", "tsv.rs")),
      says: "the facts have changed",
    },
    {
      note: "the rulespec has changed",
      change: () => write("analysis/rulespec.yaml", COMPLETE_RULESPEC.replace("value: 2", "value: 1")),
      says: "the rulespec has changed",
    },
    { note: "the rulespec does not load", change: () => write("analysis/rulespec.yaml", "x"), says: "does not load" },
    { note: "the key is another", change: () => write("key", "another"), says: "the stamp does not hold" },
    { note: "there is no envelope", change: () => rmSync(path("out/envelope.yaml")), says: "it does not exist" },
    {
      note: "it is an agent's",
      change: () => write("out/envelope.yaml", COMPLETE_ENVELOPE),
      says: "was never verified",
    },
  ];
  for (const { note, change, says } of broken) {
    test(`refuses when ${note}`, async () => {
      await outcall(...STAMPED);
      change();
      const { stderr, code } = await outcall(...PLAN);
      expect(code).toBe(1);
      expect(stderr).toStartWith("Error: ");
      expect(stderr).toContain(says);
      const output = JSON.parse((await outcall(...PLAN, "--json")).stdout);
      expect(output).toMatchObject({ version: 1, verified: false, reason: expect.stringContaining(says) });
    });
  }

  test("refuses an envelope that was not verified or has no stamp", async () => {
    write("envelope.yaml", COMPLETE_ENVELOPE.replace("src/", "lib/"));
    await outcall(...STAMPED);
    expect((await outcall(...PLAN)).stderr).toContain("its outcome is failed");
    write("envelope.yaml", COMPLETE_ENVELOPE);
    await outcall(...VERIFY, "--out", "out");
    expect((await outcall(...PLAN)).stderr).toContain("has no stamp");
  });

  test("without a key it asks the daemon", async () => {
    const { stderr, code } = await outcall("rulespec", "plan-verify", "--session", "x", "--socket", path("no.sock"));
    expect({ stderr, code }).toEqual({
      stderr: `Error: cannot connect to outcalld at ${path("no.sock")} -- is it running?\n`,
      code: 1,
    });
  });
});

describe("rulespec install", () => {
  const INSTALL = ["rulespec", "install", "analysis/rulespec.yaml", "--rulespec-dir", "specs"];
  beforeEach(() => mkdirSync(path("specs")));

  test("copies for all, or for one", async () => {
    expect(await outcall(...INSTALL)).toMatchObject({ code: 0, stdout: "Rulespec installed as specs/default.yaml.\n" });
    const one = await outcall(...INSTALL, "--agent", "web-1", "--json");
    expect(JSON.parse(one.stdout)).toEqual({ version: 1, file: "specs/web-1.yaml" });
    expect(readdirSync(path("specs")).sort()).toEqual(["default.yaml", "web-1.yaml"]);
    expect(readFileSync(path("specs/web-1.yaml"), "utf8")).toBe(COMPLETE_RULESPEC);
    expect(statSync(path("specs/web-1.yaml")).mode & 0o777).toBe(0o644);
  });

  test("does not install a rule file that does not load, and keeps the existing one", async () => {
    await outcall(...INSTALL);
    write("analysis/rulespec.yaml", "claims: 1\n");
    const { stdout, stderr, code } = await outcall(...INSTALL);
    expect({ stdout, code }).toEqual({ stdout: "", code: 1 });
    expect(stderr).toContain("error[rulespec.schema]: claims must be a list");
    expect(readFileSync(path("specs/default.yaml"), "utf8")).toBe(COMPLETE_RULESPEC);
  });

  const names = ["", "..", "../x", "a/b", ".hidden", "a b", "a\nb", "x".repeat(201)];
  test.each(names)("refuses %p for a container's name", async (name) => {
    expect((await outcall(...INSTALL, "--agent", name)).code).toBe(2);
    expect(readdirSync(path("specs"))).toEqual([]);
  });
});

describe("outcall lint", () => {
  test("reports the findings of rules and rulespec in one run and one SARIF file", async () => {
    mkdirSync(path("rules.d"));
    write("rules.d/a.yaml", 'version: "1"\nrules: [{id: a, condition: network.hostnam == "x", action: allow}]\n');
    write("analysis/rulespec.yaml", "claims: [{name: a, selector: a..b}]\n");
    const { stdout, code } = await outcall("lint", "rules.d", "--format", "sarif");
    expect(code).toBe(1);
    const { runs } = JSON.parse(stdout);
    expect(runs).toHaveLength(1);
    const found = runs[0].results.map((
      result: {
        readonly ruleId: string;
        readonly locations: readonly {
          readonly physicalLocation: { readonly artifactLocation: { readonly uri: string } };
        }[];
      },
    ) => `${result.locations[0]?.physicalLocation.artifactLocation.uri} ${result.ruleId}`);
    expect(found).toEqual(["analysis/rulespec.yaml rulespec.selector", "rules.d/a.yaml rule.unknown-field"]);
  });

  test("the rulespec alone is enough to lint", async () => {
    expect(await outcall("lint", "--json")).toMatchObject({ code: 0 });
    rmSync(path("analysis/rulespec.yaml"));
    // An explicit path, because the machine may have rules in the default directory.
    const { code, stderr } = await outcall("lint", "nowhere");
    expect({ code, stderr }).toEqual({ code: 2, stderr: 'Error: no such file or directory: "nowhere"\n' });
  });
});

test("the schema of rulespecs takes what loads and refuses what does not have the shape", async () => {
  const { stdout } = await outcall("schema", "rulespec");
  const validator = new Validator(JSON.parse(stdout), "7");
  const claims = [{ name: "c", selector: "x" }];
  const isValid = (predicate: unknown) => validator.validate({ claims, predicates: [predicate] }).valid;
  const base = { claim: "c", source: "memory" };
  expect(isValid({ ...base, rule: "any_of", value: [1], when: { claim: "c", rule: "exists" } })).toBe(true);
  expect(isValid({ ...base, rule: "exists", value: null, notes: null, when: null })).toBe(true);
  expect(validator.validate({}).valid).toBe(true);
  expect(validator.validate({ claims: null, predicates: null }).valid).toBe(true);
  for (
    const predicate of [
      { ...base, rule: "any_of", value: "x" },
      { ...base, rule: "equals" },
      { ...base, rule: "equals", value: null },
      { ...base, rule: "min_length", value: -1 },
      { ...base, rule: "min_length", value: 1.5 },
      { ...base, rule: "like", value: 1 },
      { ...base, rule: "exists", more: 1 },
      { claim: "c", rule: "exists" },
      { ...base, rule: "exists", when: { claim: "c", rule: "equals" } },
    ]
  ) expect(isValid(predicate)).toBe(false);
});

test("the documentation's rulespec loads, and its envelope verifies", async () => {
  const text = readFileSync(join(import.meta.dir, "..", "..", "docs", "rulespec.md"), "utf8");
  const block = (kind: string) => new RegExp("```yaml " + kind + "\\n([\\s\\S]*?)```").exec(text)?.[1] ?? "";
  write("analysis/rulespec.yaml", block("rulespec"));
  write("envelope.yaml", block("envelope"));
  expect(await outcall("rulespec", "lint", "--strict")).toMatchObject({ code: 0, stderr: "" });
  const { stdout } = await outcall(...VERIFY, "--json");
  expect(JSON.parse(stdout)).toMatchObject({ outcome: "verified", passed: 2, skipped: 1 });
  write("envelope.yaml", block("envelope").replace("breaking: false", "breaking: true"));
  expect(JSON.parse((await outcall(...VERIFY, "--json")).stdout)).toMatchObject({ outcome: "failed", failed: 1 });
});

test("an envelope of 10^5 facts", async () => {
  const items = Array.from({ length: 100_000 }, (_, at) => `    - item-${at}\n`).join("");
  write("envelope.yaml", `facts:\n  items:\n${items}`);
  write(
    "analysis/rulespec.yaml",
    `claims:
  - {name: items, selector: items}
  - name: each
    selector: items[*]
predicates:
  - {claim: items, rule: min_length, value: 100000, source: memory}
  - {claim: items, rule: contains, value: item-99999, source: memory}
  - {claim: items, rule: none_of, value: [item-100000, {no: map}], source: memory}
  - {claim: each, rule: matches, value: "^item-[0-9]+$", source: memory}
`,
  );
  const startMs = performance.now();
  const child = Bun.spawn([...program("outcall"), ...VERIFY, "--json"], { cwd: directory, stdout: "pipe" });
  const output = JSON.parse(await new Response(child.stdout).text());
  expect(await child.exited).toBe(0);
  expect(output).toMatchObject({ outcome: "verified", passed: 4, total: 4 });
  const usage = child.resourceUsage();
  const seconds = ((performance.now() - startMs) / 1_000).toFixed(1);
  console.log(`10^5 facts: ${seconds} s, ${Math.round((usage?.maxRSS ?? 0) / 1e6)} MB`);
}, 120_000);
