// The recipes one by one: each file has no finding, and the built program decides each request as documented. Further
// spellings with which an agent would try to evade a recipe are blocked.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { missingProgram, requirement } from "../support/container/container.ts";
import { contextOfWords, judgedContext, readRequests } from "../support/document/requests.ts";
import { type Fence, fencesIn, fileNameOf, kindOf, pageText } from "../support/document/documents.ts";
import { program } from "../support/program/programs.ts";
import { EVASIONS } from "../support/rule/recipe-evasions.ts";

const PAGE = "docs/recipes.md";
const fences = fencesIn(PAGE, pageText(PAGE)).filter(({ info }) => info !== "console");
const sections = [...Map.groupBy(fences, ({ section }) => section)].map(([section, own]) => ({ section, own }));

let base = "";
beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), "outcall-recipes-"));
  for (const { section, own } of sections) layOut(directoryOf(section), own);
  layOut(join(base, "all"), fences);
});
afterAll(() => rmSync(base, { recursive: true }));

function directoryOf(section: string): string {
  return join(base, /^\d+/.exec(section)?.[0] ?? "none");
}

function layOut(directory: string, own: readonly Fence[]): void {
  for (const { info, text } of own) {
    const name = fileNameOf(info);
    if (name === undefined) continue;
    const path = join(directory, name.replace(/^recipes\//, ""));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { mode: text.startsWith("#!") ? 0o755 : 0o644 });
  }
}

function outcall(args: readonly string[], input = "") {
  const [command = "", ...rest] = program("outcall");
  return spawnSync(command, [...rest, ...args], { input, encoding: "utf8" });
}

/** The decisions of the rules in a directory for several contexts, in one run. */
function decide(directory: string, contexts: readonly unknown[]) {
  const input = contexts.map((each) => `${JSON.stringify(each)}\n`).join("");
  const done = outcall(["rule", "evaluate", "--rules-dir", directory, "--json", "--context", "-"], input);
  expect({ status: done.status, stderr: done.stderr }).toEqual({ status: 0, stderr: "" });
  return done.stdout.trimEnd().split("\n").map((line) => {
    const { decision, matched_rule, warnings } = JSON.parse(line);
    return { decision, rule: matched_rule, warnings };
  });
}

test("there are at least fifteen recipes, each with a rule file, a request that is allowed and one that is blocked", () => {
  expect(sections.length).toBeGreaterThanOrEqual(15);
  for (const { section, own } of sections) {
    const decisions = requestsOf(own).map(({ decision }) => decision);
    const rules = own.filter((fence) => kindOf(fence) === "rules");
    expect({ section, rules: rules.length > 0, allow: decisions.includes("allow"), block: decisions.includes("block") })
      .toEqual({ section, rules: true, allow: true, block: true });
  }
});

test("all of them together load: no id is given twice", () => {
  expect(outcall(["lint", join(base, "all")]).stdout).not.toContain("error[");
});

test("every evasion is tried on a recipe that is there", () => {
  const numbers = sections.map(({ section }) => /^\d+/.exec(section)?.[0]);
  expect(Object.keys(EVASIONS).filter((number) => !numbers.includes(number))).toEqual([]);
});

function requestsOf(own: readonly Fence[]) {
  return own.filter((fence) => kindOf(fence) === "requests").flatMap(({ text }) => readRequests(text));
}

const { label, skip } = requirement("recipes", missingProgram("jq"));

describe.skipIf(skip)(label, () => {
  test.each(sections)("$section", ({ section, own }) => {
    const directory = directoryOf(section);
    expect(outcall(["lint", "--strict", directory])).toMatchObject({ status: 0, stderr: "" });
    const requests = requestsOf(own);
    const wanted = requests.map(({ words, decision, rule }) => ({ words, decision, rule, warnings: [] }));
    const found = decide(directory, requests.map(({ words }) => contextOfWords(words)));
    expect(found.map((each, at) => ({ words: requests[at]?.words, ...each }))).toEqual(wanted);
  });

  test.each(sections.filter(({ section }) => EVASIONS[/^\d+/.exec(section)?.[0] ?? ""] !== undefined))(
    "$section: no way past",
    ({ section }) => {
      // A request that the daemon refuses is no way past either.
      const tried = (EVASIONS[/^\d+/.exec(section)?.[0] ?? ""] ?? []).filter((words) => judgedContext(words) !== null);
      expect(tried.length).toBeGreaterThan(0);
      const found = decide(directoryOf(section), tried.map(contextOfWords));
      expect(tried.filter((_words, at) => found[at]?.decision !== "block")).toEqual([]);
    },
  );

  test("17: while the file is there, and when the hook fails, nothing leaves", () => {
    const directory = join(base, "17");
    const script = join(directory, "hooks", "frozen.sh");
    const text = readFileSync(script, "utf8");
    const asked = [contextOfWords("check --type network_call --target https://npm.mirror.example/x")];
    const frozen = [expect.objectContaining({ decision: "block", rule: "freeze.block" })];
    writeFileSync(script, text.replace("/etc/outcall/frozen", script));
    expect(decideQuietly(directory, asked)).toEqual(frozen);
    writeFileSync(script, "#!/bin/sh\nexit 1\n");
    expect(decideQuietly(directory, asked)).toEqual(frozen);
    writeFileSync(script, text);
  });
});

/** Like `decide`, but the hook may print warnings. */
function decideQuietly(directory: string, contexts: readonly unknown[]) {
  const input = contexts.map((each) => `${JSON.stringify(each)}\n`).join("");
  const done = outcall(["rule", "evaluate", "--rules-dir", directory, "--json", "--context", "-"], input);
  return done.stdout.trimEnd().split("\n").map((line) => {
    const { decision, matched_rule } = JSON.parse(line);
    return { decision, rule: matched_rule };
  });
}
