// Lint findings about files that the daemon refuses because of their owner or mode.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hasFailed } from "../../src/report/lint-report.ts";
import { lint } from "../../src/report/lint-paths.ts";
import { loadRules } from "../../src/rule/load-rules.ts";

let base = "";
beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), "untrusted-"));
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

const RULE = 'version: "1"\nrules:\n  - {id: a, condition: network.port == 443, action: allow}\n';

function directory(name: string, mode = 0o755): string {
  const dir = join(base, name);
  mkdirSync(dir);
  chmodSync(dir, mode);
  writeFileSync(join(dir, "a.yaml"), RULE);
  chmodSync(join(dir, "a.yaml"), 0o644);
  return dir;
}

function notes(dir: string): readonly string[] {
  const report = lint([dir]);
  if (!report.ok) throw new Error(report.error.message);
  // Lint does not fail, even with --strict, because the mode in a checkout may differ from the mode on the host.
  expect([hasFailed(report.value, false), hasFailed(report.value, true)]).toEqual([false, false]);
  return report.value.findings.map(({ severity, code, place, message, hint }) =>
    `${place.file.slice(base.length + 1)}:${place.line} ${severity} ${code} ${message} | ${hint}`
  );
}

/** Whether the daemon's own loader refuses the directory. */
function isRefused(dir: string): boolean {
  return loadRules({ dir, trust: "owner" }).set === null;
}

const onlyRoot = test.skipIf(process.getuid?.() !== 0);

describe("A3: lint reports the files that the daemon would refuse", () => {
  test("nothing of a directory that the daemon reads", () => {
    const dir = directory("fine");
    expect(notes(dir)).toEqual([]);
    expect(isRefused(dir)).toBe(false);
  });

  test("a file that its group may write", () => {
    const dir = directory("group");
    chmodSync(join(dir, "a.yaml"), 0o664);
    expect(notes(dir)).toEqual([
      "group/a.yaml:1 note rule.file outcalld refuses this file: it may be written by group or others (mode 664) | " +
      `on the daemon's host: chmod go-w ${dir}/a.yaml`,
    ]);
    expect(isRefused(dir)).toBe(true);
  });

  test("a directory that everybody may write, and the file in it, with a path that a shell takes", () => {
    const dir = directory("all of it", 0o777);
    chmodSync(join(dir, "a.yaml"), 0o666);
    expect(notes(dir)).toEqual([
      "all of it:1 note rule.file outcalld refuses this rules directory: it may be written by group or others (mode 777) | " +
      `on the daemon's host: chmod go-w '${dir}'`,
      "all of it/a.yaml:1 note rule.file outcalld refuses this file: it may be written by group or others (mode 666) | " +
      `on the daemon's host: chmod go-w '${dir}/a.yaml'`,
    ]);
    expect(isRefused(dir)).toBe(true);
  });

  test("a directory that other programs share, such as /tmp, which no advice may change", () => {
    const dir = directory("shared", 0o1777);
    expect(notes(dir)).toEqual([
      "shared:1 note rule.file outcalld refuses this rules directory: it may be written by group or others (mode 1777) | " +
      "give outcalld a directory of its own: --rules-dir /etc/outcall/rules.d",
    ]);
    expect(isRefused(dir)).toBe(true);
  });

  onlyRoot("another user's file, which its group may write too", () => {
    const dir = directory("owner");
    chownSync(join(dir, "a.yaml"), 4321, 4321);
    chmodSync(join(dir, "a.yaml"), 0o660);
    expect(notes(dir)).toEqual([
      "owner/a.yaml:1 note rule.file outcalld refuses this file: it is owned by uid 4321, not by root or the daemon's user | " +
      `on the daemon's host: chown root ${dir}/a.yaml && chmod go-w ${dir}/a.yaml`,
    ]);
    expect(isRefused(dir)).toBe(true);
  });

  test("the target of a link, by its own path", () => {
    const dir = directory("link");
    writeFileSync(join(base, "target"), RULE.replace("id: a", "id: b").replace("443", "80"));
    chmodSync(join(base, "target"), 0o606);
    symlinkSync("../target", join(dir, "b.yaml"));
    expect(notes(dir)).toEqual([
      "link/b.yaml:1 note rule.file outcalld refuses this file: it may be written by group or others (mode 606) | " +
      `on the daemon's host: chmod go-w ${base}/target`,
    ]);
    expect(isRefused(dir)).toBe(true);
  });

  test("nothing of files that are no rule files", () => {
    const dir = directory("others");
    writeFileSync(join(dir, "README"), "");
    chmodSync(join(dir, "README"), 0o666);
    expect(notes(dir)).toEqual([]);
    expect(isRefused(dir)).toBe(false);
  });
});
