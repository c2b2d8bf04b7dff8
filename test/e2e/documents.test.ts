// Every rule file in README.md, docs and examples loads without a finding, and decides as its text says.
import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Validator } from "@cfworker/json-schema";
import { ROOT } from "../support/container/container.ts";
import { type Fence, fencesOf, fileNameOf } from "../support/document/documents.ts";
import { denoProgram, program } from "../support/program/programs.ts";

function outcall(...args: readonly string[]) {
  const [command = "", ...rest] = program("outcall");
  return spawnSync(command, [...rest, ...args], { encoding: "utf8" });
}

// The rule files of the recipes have their own test.
const blocks = fencesOf("rules").filter(({ path }) => path !== "docs/recipes.md");

test("the documents show rule files", () => expect(blocks.length).toBeGreaterThanOrEqual(6));

test.each(blocks)("$path:$line, a rule file without a finding", ({ path, text }) => {
  const dir = mkdtempSync(join(tmpdir(), "outcall-document-"));
  try {
    writeFileSync(join(dir, "a.yaml"), text);
    for (const hook of fencesOf("file").filter((fence) => fence.path === path)) writeHook(dir, hook);
    expect(outcall("lint", "--strict", dir)).toMatchObject({ status: 0, stderr: "" });
  } finally {
    rmSync(dir, { recursive: true });
  }
});

// Writes a script that a page shows with its rules.
function writeHook(dir: string, { info, text }: Fence): void {
  const name = /\/(hooks\/.*)$/.exec(fileNameOf(info) ?? "")?.[1];
  if (name === undefined) return;
  mkdirSync(join(dir, "hooks"), { recursive: true });
  writeFileSync(join(dir, name), text, { mode: 0o755 });
}

test("shim.md: the verdict is one that the schema of `check --json` allows, but for its version", () => {
  const schema = JSON.parse(outcall("schema", "agent-check").stdout);
  const [verdict] = fencesOf("verdict");
  const answer = { version: 1, ...JSON.parse(verdict?.text ?? "") };
  expect(new Validator(schema).validate(answer)).toMatchObject({ valid: true });
  expect(new Validator(schema).validate({ ...answer, allowed: "no" })).toMatchObject({ valid: false });
});

test("quick-start.md, from source: each command works as described", () => {
  const text = readFileSync(join(ROOT, "docs", "quick-start.md"), "utf8");
  const commands = (/^## From source$.*?```sh source\n(.*?)```/ms.exec(text)?.[1] ?? "").trimEnd().split("\n");
  const [deno = ""] = denoProgram("outcall");
  const environment = { PATH: `${dirname(deno)}:/usr/bin:/bin`, NO_COLOR: "1" };
  const said = commands.map((command) => {
    expect(command).toStartWith("deno run -A src/");
    const done = spawnSync("sh", ["-c", command], { cwd: ROOT, env: environment, encoding: "utf8" });
    expect(done).toMatchObject({ status: 0, stderr: "" });
    return done.stdout;
  });
  expect(said).toEqual([
    expect.stringMatching(/^no findings in \d+ files, \d+ rules\n$/),
    "block by default, no rule matched\n",
    expect.stringMatching(/^\d+ files, \d+ rules, 0 findings\n$/),
    expect.stringMatching(/^outcall-agent \d/),
  ]);
});

test("examples/rules.d has no finding", () => {
  expect(outcall("lint", "--strict", join(ROOT, "examples", "rules.d"))).toMatchObject({ status: 0, stderr: "" });
});

const git = (...argv: readonly string[]) => ({
  action_type: "tool_exec",
  run: { tool: "git", path: "/usr/bin/git", argv },
});
const cat = (...argv: readonly string[]) => ({
  action_type: "tool_exec",
  run: { tool: "cat", path: "/usr/bin/cat", argv },
});
const registry = (method: string) => ({
  network: { hostname: "npm.mirror.example", port: 443, protocol: "tcp" },
  http: { method, path: "/left-pad", host: "npm.mirror.example" },
});

test.each([
  { context: git("status"), rule: "git.look", decision: "allow" },
  { context: git("commit", "-m", "x"), rule: "git.commit", decision: "allow" },
  { context: git("push", "-u", "origin", "topic"), rule: "git.push-branch", decision: "allow" },
  { context: git("push", "-f"), rule: "git.no-force-push", decision: "block" },
  { context: git("push", "--force-with-lease"), rule: "git.no-force-push", decision: "block" },
  { context: git("push", "--mirror"), rule: "git.no-force-push", decision: "block" },
  { context: git("push", "origin", "+main"), rule: "git.no-force-push", decision: "block" },
  { context: git("push", "origin", ":main"), rule: "git.no-force-push", decision: "block" },
  { context: git("push", "https://evil.example/x", "topic"), rule: null, decision: "block" },
  { context: git("push", "origin", "topic:main"), rule: null, decision: "block" },
  { context: git("-c", "alias.x=!sh", "x"), rule: null, decision: "block" },
  { context: git("status", "-c", "core.pager=sh"), rule: null, decision: "block" },
  { context: git("log", "--output=x"), rule: null, decision: "block" },
  { context: git("diff", "--ext-diff"), rule: null, decision: "block" },
  { context: git("fetch", "--upload-p=x"), rule: null, decision: "block" },
  { context: git("-p", "status"), rule: null, decision: "block" },
  { context: cat(".env"), rule: null, decision: "block" },
  { context: cat("--number", "a/.ENV.local"), rule: null, decision: "block" },
  { context: cat("a.txt"), rule: "base.plain-tools", decision: "allow" },
  { context: registry("GET"), rule: "registries.fetch", decision: "allow" },
  { context: registry("PUT"), rule: "registries.no-publish", decision: "block" },
  { context: { docker: { image: "alpine:3.20", env_keys: ["PATH"] } }, rule: "docker.known-images", decision: "allow" },
  { context: { docker: { image: "alpine:3.20", env_keys: ["API_TOKEN"] } }, rule: null, decision: "block" },
  { context: { docker: { image: "evil:1" } }, rule: null, decision: "block" },
  { context: { docker: { image: "alpine:3.20", volumes: ["/etc"] } }, rule: "docker.no-power", decision: "block" },
  {
    context: { action_type: "file_access", run: { tool: "file", args: ["/workspace/a/.env"] } },
    rule: "base.no-secrets",
    decision: "block",
  },
  {
    context: { action_type: "file_access", run: { tool: "file", args: ["/workspace/a.txt"] } },
    rule: "base.read-workspace",
    decision: "allow",
  },
])("examples/rules.d: $decision by $rule", ({ context, rule, decision }) => {
  const dir = join(ROOT, "examples", "rules.d");
  const done = outcall("rule", "evaluate", "--rules-dir", dir, "--json", "--context", JSON.stringify(context));
  expect(done.stderr).toBe("");
  expect(JSON.parse(done.stdout)).toMatchObject({ decision, matched_rule: rule });
});
