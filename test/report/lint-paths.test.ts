import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { toJson } from "../../src/report/format-json.ts";
import { hasFailed, type LintReport } from "../../src/report/lint-report.ts";
import { lint } from "../../src/report/lint-paths.ts";

const rule = (id: string, condition = 'network.hostname == "x"', action = "allow") =>
  `version: "1"\nrules:\n  - id: ${id}\n    condition: ${condition}\n    action: ${action}\n`;

const FILES: Readonly<Record<string, string>> = {
  "good/00.yaml": rule("a"),
  "good/10.yaml": rule("b", 'network.hostname == "y"'),
  "good/README": "not a rule file",
  "good/sub/00.yaml": "not: entered",
  "yml/00.yaml": rule("a"),
  "yml/10.yml": "version: 2",
  "yml/20.yml.bak": "version: 2",
  "int/00.yaml": rule("a", "1 + 1", "block"),
  "twice/a.yaml": rule("same"),
  "twice/b.yaml": rule("same", 'network.hostname == "y"'),
  "other/b.yaml": rule("same"),
  "bad/00.yaml": rule("a", "network.hostnam == 'x'"),
  "bad/10.yaml": "version: 1\n",
  "hook/00.yaml": `${rule("a", 'network.hostname == "x"', "enrich")}    enrich: { script: gone, timeout_ms: 10 }\n`,
  "free.txt": rule("a", "network.hostnam == 'x'"),
};

const home = process.cwd();
let cwd = "";

beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), "lint-"));
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), text);
  }
  mkdirSync(join(cwd, "empty"));
  mkdirSync(join(cwd, "links"));
  symlinkSync("../good/00.yaml", join(cwd, "links/00.yaml"));
  mkdirSync(join(cwd, "device"));
  symlinkSync("/dev/null", join(cwd, "device/00.yaml"));
  symlinkSync("nowhere", join(cwd, "links/10.yaml"));
  mkdirSync(join(cwd, "links/20.yaml"));
  mkdirSync(join(cwd, "open"));
  writeFileSync(join(cwd, "open/00.yaml"), rule("a"));
  chmodSync(join(cwd, "open/00.yaml"), 0o666);
  process.chdir(cwd);
});

afterAll(() => {
  process.chdir(home);
  rmSync(cwd, { recursive: true, force: true });
});

function run(...paths: readonly string[]): LintReport {
  const report = lint(paths);
  if (!report.ok) throw new Error(report.error.message);
  return report.value;
}

function short(report: LintReport): readonly string[] {
  return report.findings.map(toJson).map((each) => `${each.file}:${each.line} ${each.severity} ${each.code}`);
}

describe("lint", () => {
  const cases: readonly {
    readonly note: string;
    readonly paths: readonly string[];
    readonly found: readonly string[];
    readonly files: number;
    readonly rules: number;
  }[] = [
    { note: "a clean directory", paths: ["good"], found: [], files: 2, rules: 2 },
    { note: "a slash behind a directory", paths: ["bad/"], found: badIn("bad/"), files: 2, rules: 1 },
    { note: "a path with a dot", paths: ["./bad"], found: badIn("./bad/"), files: 2, rules: 1 },
    { note: "a directory twice", paths: ["bad", "./bad"], found: badIn("bad/"), files: 2, rules: 1 },
    {
      note: "a file of a directory that is named too",
      paths: ["bad/00.yaml", "bad"],
      found: badIn("bad/"),
      files: 2,
      rules: 1,
    },
    {
      note: "a file alone",
      paths: ["./bad/10.yaml"],
      found: ["./bad/10.yaml:1 error rule.version"],
      files: 1,
      rules: 0,
    },
    { note: "a file twice", paths: ["good/00.yaml", "./good/00.yaml"], found: [], files: 1, rules: 1 },
    {
      note: "a file of any name",
      paths: ["free.txt"],
      found: ["free.txt:4 error rule.unknown-field"],
      files: 1,
      rules: 1,
    },
    {
      note: "a .yml beside rule files",
      paths: ["yml"],
      found: ["yml/10.yml:1 note rule.ignored-file"],
      files: 1,
      rules: 1,
    },
    {
      note: "a .yml that is named is read as well",
      paths: ["yml/10.yml"],
      found: ["yml/10.yml:1 note rule.ignored-file", "yml/10.yml:1 error rule.version"],
      files: 1,
      rules: 0,
    },
    {
      note: "a condition that is no boolean",
      paths: ["int"],
      found: ["int/00.yaml:4 error rule.not-boolean"],
      files: 1,
      rules: 1,
    },
    { note: "an empty directory", paths: ["empty"], found: ["empty:1 warning rule.empty"], files: 0, rules: 0 },
    {
      note: "the same id in files of one directory, named themselves",
      paths: ["twice/b.yaml", "twice/a.yaml"],
      found: ["twice/b.yaml:3 error rule.duplicate-id"],
      files: 2,
      rules: 2,
    },
    { note: "the same id in different directories", paths: ["twice/a.yaml", "other"], found: [], files: 2, rules: 2 },
    {
      note: "links and what is no file",
      paths: ["links"],
      found: ["links/10.yaml:1 error rule.file", "links/20.yaml:1 error rule.file"],
      files: 3,
      rules: 1,
    },
    {
      note: "A3: a file that others may write is a note, since a checkout is not where a daemon reads",
      paths: ["open"],
      found: ["open/00.yaml:1 note rule.file"],
      files: 1,
      rules: 1,
    },
    { note: "A3: but not for a file that is named itself", paths: ["open/00.yaml"], found: [], files: 1, rules: 1 },
    {
      note: "D: a file that cannot be read, with no word about its directory",
      paths: ["device/00.yaml"],
      found: ["device/00.yaml:1 error rule.file"],
      files: 1,
      rules: 0,
    },
    {
      note: "a hook of a file named itself",
      paths: ["hook/00.yaml"],
      found: ["hook/00.yaml:6 warning rule.hook-missing"],
      files: 1,
      rules: 1,
    },
  ];
  for (const { note, paths, found, files, rules } of cases) {
    test(note, () => {
      const report = run(...paths);
      expect(short(report)).toEqual([...found]);
      expect([report.files, report.rules]).toEqual([files, rules]);
    });
  }

  test("every file that was read is there under the name its places use", () => {
    expect([...run("bad", "good/00.yaml").sources]).toEqual([
      ["bad/00.yaml", FILES["bad/00.yaml"] ?? ""],
      ["bad/10.yaml", FILES["bad/10.yaml"] ?? ""],
      ["good/00.yaml", FILES["good/00.yaml"] ?? ""],
    ]);
  });

  test("the rules directory is the default, and nothing at all is a usage error", () => {
    const found = lint([], join(cwd, "bad"));
    expect(found.ok && short(found.value)).toEqual(badIn(`${cwd}/bad/`));
    const none = lint([], join(cwd, "none"));
    expect(none.ok ? null : none.error.code).toBe("command.usage");
  });

  test("a path that does not exist is a usage error, even with another one that exists", () => {
    const report = lint(["good", "gone"]);
    expect(report.ok ? null : [report.error.code, report.error.message]).toEqual([
      "command.usage",
      'no such file or directory: "gone"',
    ]);
  });
});

function badIn(prefix: string): string[] {
  return [`${prefix}00.yaml:4 error rule.unknown-field`, `${prefix}10.yaml:1 error rule.version`];
}

describe("hasFailed", () => {
  const cases = [
    { note: "clean", path: "good", usual: false, strict: false },
    { note: "errors", path: "bad", usual: true, strict: true },
    { note: "warnings", path: "empty", usual: false, strict: true },
    { note: "notes", path: "yml", usual: false, strict: false },
  ];
  for (const { note, path, usual, strict } of cases) {
    test(note, () => {
      const report = run(path);
      expect([hasFailed(report, false), hasFailed(report, true)]).toEqual([usual, strict]);
    });
  }
});
