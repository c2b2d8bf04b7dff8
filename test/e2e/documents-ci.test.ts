// The pipelines of docs/ci.md: parsed as YAML, with each command run in the repository that the page shows, and again
// in one with a mistake.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parse } from "yaml";
import { missingProgram, requirement } from "../support/container/container.ts";
import { fencesIn, fencesOf, fileNameOf, pageText } from "../support/document/documents.ts";
import { program } from "../support/program/programs.ts";

const PAGE = "docs/ci.md";
const MISTAKE = "rules:\n  - {id: a, condition: nettwork.port == 1, action: allow}\n";

const { label, skip } = requirement("pipelines", missingProgram("jq"), missingProgram("curl"));

let repository = "";
let sum = "";
beforeAll(() => {
  repository = mkdtempSync(join(tmpdir(), "outcall-ci-"));
  for (const { info, text } of fencesIn(PAGE, pageText(PAGE))) {
    const name = fileNameOf(info);
    if (name === undefined) continue;
    mkdirSync(dirname(join(repository, name)), { recursive: true });
    writeFileSync(join(repository, name), text, { mode: text.startsWith("#!") ? 0o755 : 0o644 });
  }
  makeRelease();
  sum = sumOfArchive();
});
afterAll(() => rmSync(repository, { recursive: true }));

// Creates the parts of a release archive that a pipeline uses.
function makeRelease(): void {
  const release = join(repository, "outcall-0.1.0-linux-x64");
  mkdirSync(join(release, "bin"), { recursive: true });
  // A script that starts the program, because packing the program itself would take seconds.
  const starter = `#!/bin/sh\nexec ${program("outcall")[0] ?? ""} "$@"\n`;
  writeFileSync(join(release, "bin", "outcall"), starter, { mode: 0o755 });
  const packed = spawnSync("tar", ["-C", repository, "-cf", archive(), "--gzip", "outcall-0.1.0-linux-x64"]);
  expect(packed.status).toBe(0);
}

function archive(): string {
  return join(repository, "release.tar.gz");
}

function sumOfArchive(): string {
  return spawnSync("sha256sum", [archive()], { encoding: "utf8" }).stdout.split(" ")[0] ?? "";
}

/** Runs a command like a CI runner, with the path entries of earlier commands. */
function run(command: string, path: readonly string[] = []) {
  const githubPath = join(repository, "github-path");
  const PATH = [...path, "/usr/bin", "/bin"].join(":");
  const environment = {
    PATH,
    GITHUB_PATH: githubPath,
    HOME: repository,
    OUTCALL_ARCHIVE: `file://${archive()}`,
    OUTCALL_SHA256: sum,
  };
  const done = spawnSync("sh", ["-ec", command], { cwd: repository, env: environment, encoding: "utf8" });
  const added = existsSync(githubPath)
    ? readFileSync(githubPath, "utf8").split("\n").filter((line) => line !== "")
    : [];
  return { status: done.status, output: `${done.stdout}${done.stderr}`, added };
}

function only<T>(values: readonly T[]): T {
  const [first, ...rest] = values;
  if (first === undefined || rest.length > 0) throw new Error(`${values.length} instead of one`);
  return first;
}

/** Runs the steps of a job and returns the commands that failed. */
function failing(commands: readonly string[]): readonly string[] {
  const failed: string[] = [];
  let path: readonly string[] = [];
  for (const command of commands) {
    const done = run(command, path);
    path = done.added;
    if (done.status !== 0) failed.push(`${command}: ${done.output}`);
  }
  return failed;
}

describe.skipIf(skip)(label, () => {
  const workflow = parse(only(fencesOf("workflow")).text);
  const steps: readonly {
    readonly run?: string;
    readonly uses?: string;
    readonly with?: Readonly<Record<string, string>>;
  }[] = workflow.jobs.rules.steps;
  const commands = steps.flatMap((step) => step.run ?? []);
  const gitlab = parse(only(fencesOf("gitlab")).text).rules;

  test("GitHub: the workflow has the members that it needs, and every step is a command or an action of a version", () => {
    expect(Object.keys(workflow)).toEqual(["name", "on", "permissions", "env", "jobs"]);
    expect(workflow.jobs.rules["runs-on"]).toBe("ubuntu-latest");
    expect(commands.length).toBeGreaterThanOrEqual(4);
    for (const step of steps) {
      if (step.run === undefined) expect(step.uses).toMatch(/^[a-z-]+\/[a-z/-]+@v\d+$/);
    }
  });

  test("GitHub: every command succeeds, and the uploaded file is SARIF", () => {
    expect(failing(commands)).toEqual([]);
    const upload = steps.find(({ uses }) => uses?.includes("upload-sarif"));
    const report = JSON.parse(readFileSync(join(repository, upload?.with?.["sarif_file"] ?? ""), "utf8"));
    expect(report).toMatchObject({ version: "2.1.0", runs: [{ results: [] }] });
  });

  test("GitHub: a program of another sum is not run", () => {
    const kept = sum;
    sum = "0".repeat(64);
    try {
      expect(failing(commands.slice(0, 1))).toEqual([expect.stringContaining("outcall.tar.gz: FAILED")]);
    } finally {
      sum = kept;
    }
  });

  test("GitLab: every command succeeds, and the report file is JUnit", () => {
    expect(failing([commands[0] ?? "", gitlab.script.join("\n")])).toEqual([]);
    expect(readFileSync(join(repository, gitlab.artifacts.reports.junit), "utf8")).toContain("<testsuites");
  });

  test("with a mistake in the rules both fail, and say where", () => {
    const file = join(repository, "rules.d", "10-first.yaml");
    copyFileSync(file, join(repository, "kept"));
    writeFileSync(file, MISTAKE);
    try {
      const failed = failing(commands);
      expect(failed.length).toBe(3);
      expect(failed[0]).toContain("::error file=rules.d/10-first.yaml,line=2");
      expect(run(gitlab.script.join("\n"), [join(repository, "bin")]).status).toBe(1);
      expect(readFileSync(join(repository, gitlab.artifacts.reports.junit), "utf8")).toContain("<failure");
    } finally {
      copyFileSync(join(repository, "kept"), file);
    }
  });
});
