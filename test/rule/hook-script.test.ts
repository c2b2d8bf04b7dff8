// The scripts of enrich rules when rules are loaded: valid, missing (a warning), or unsafe (an error).
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { loadRules } from "../../src/rule/load-rules.ts";
import { line } from "../support/rule/findings.ts";

let dir = "";

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "hooks-"));
});

afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});

function script(name: string, mode = 0o755): void {
  writeFileSync(join(dir, name), "#!/bin/sh\n");
  chmodSync(join(dir, name), mode);
}

// The findings about a rule's script; its path is in line 4, column 23.
function findings(path: string, trust: "owner" | "none" = "owner"): readonly string[] {
  const text = `version: "1"\nrules:\n  - {id: r, condition: dns.query == "x", action: enrich,\n` +
    `     enrich: {script: ${JSON.stringify(path)}, timeout_ms: 1}}\n`;
  writeFileSync(join(dir, "a.yaml"), text);
  return loadRules({ dir, trust }).findings.map(line);
}

const MISSING = "a.yaml:4:23-4";
const missing = (path: string, reason: string): string =>
  `${MISSING}:${23 + path.length + 2} warning rule.hook-missing [r] hook "${path}" ${reason}`;
const unsafe = (path: string, reason: string): string =>
  `${MISSING}:${23 + path.length + 2} error rule.hook-unsafe [r] hook "${path}" ${reason}`;

describe("a script", () => {
  const fine: readonly (readonly [note: string, path: string, make: () => void])[] = [
    ["beside the rules", "a.sh", () => script("a.sh")],
    ["executable by its owner alone", "a.sh", () => script("a.sh", 0o700)],
    ["in a sub-directory", "sub/a.sh", () => {
      mkdirSync(join(dir, "sub"));
      script("sub/a.sh");
    }],
    ["with dots that lead nowhere else", "./a..sh", () => script("a..sh")],
    ["of a name with white space and letters", "a b é.sh", () => script("a b é.sh")],
  ];
  for (const [note, path, make] of fine) {
    test(`${note}: fine`, () => {
      make();
      expect(findings(path)).toEqual([]);
    });
  }

  const without: readonly (readonly [note: string, path: string, reason: string, make?: () => void])[] = [
    ["that is not there", "a.sh", "does not exist or cannot be looked at"],
    ["in a directory that is not there", "sub/a.sh", "does not exist or cannot be looked at"],
    ["below a file", "a.yaml/a.sh", "does not exist or cannot be looked at"],
    ["that is a directory", "sub", "is not a regular file", () => mkdirSync(join(dir, "sub"))],
    ["that is a FIFO", "a.sh", "is not a regular file", () => void spawnSync("mkfifo", [join(dir, "a.sh")])],
    ["that is not executable", "a.sh", "is not executable", () => script("a.sh", 0o644)],
  ];
  for (const [note, path, reason, make] of without) {
    test(`${note}: a warning`, () => {
      make?.();
      expect(findings(path)).toEqual([missing(path, reason)]);
      expect(loadRules({ dir, trust: "owner" }).set).not.toBeNull();
    });
  }

  const refused: readonly (readonly [note: string, path: string, reason: string, make?: () => void])[] = [
    ["by an absolute path", "/bin/true", "must be a path relative to the rules directory"],
    ["above the directory", "../a.sh", "leaves the rules directory"],
    ["that comes back", "sub/../a.sh", "leaves the rules directory"],
    ["with an empty part", "sub//a.sh", "leaves the rules directory"],
    ["with nothing at its end", "a.sh/", "leaves the rules directory"],
    ["that is a link within the directory", "b.sh", "goes through a symbolic link", () => {
      script("a.sh");
      symlinkSync("a.sh", join(dir, "b.sh"));
    }],
    [
      "that is a link to outside",
      "b.sh",
      "goes through a symbolic link",
      () => symlinkSync("/bin/true", join(dir, "b.sh")),
    ],
    ["that is a link to nothing", "b.sh", "goes through a symbolic link", () => symlinkSync("nope", join(dir, "b.sh"))],
    [
      "below a link to a directory",
      "bin/true",
      "goes through a symbolic link",
      () => symlinkSync("/bin", join(dir, "bin")),
    ],
  ];
  for (const [note, path, reason, make] of refused) {
    test(`${note}: refused, by daemon and lint`, () => {
      make?.();
      for (const trust of ["owner", "none"] as const) {
        expect(findings(path, trust)).toEqual([unsafe(path, reason)]);
        expect(loadRules({ dir, trust }).set).toBeNull();
      }
    });
  }

  const OTHERS = "may be written by group or others (mode";
  const writable: readonly (readonly [note: string, reason: string, make: () => void])[] = [
    ["its group may write", `${OTHERS} 775)`, () => chmodSync(join(dir, "sub/a.sh"), 0o775)],
    ["everybody may write", `${OTHERS} 757)`, () => chmodSync(join(dir, "sub/a.sh"), 0o757)],
    [
      "in a directory that everybody may write",
      `is in a directory that ${OTHERS} 1777)`,
      () => chmodSync(join(dir, "sub"), 0o1777),
    ],
  ];
  for (const [note, reason, make] of writable) {
    test(`that ${note}: refused, by daemon and lint`, () => {
      mkdirSync(join(dir, "sub"));
      script("sub/a.sh");
      make();
      expect(findings("sub/a.sh", "owner")).toEqual([unsafe("sub/a.sh", reason)]);
      expect(findings("sub/a.sh", "none")).toEqual([unsafe("sub/a.sh", reason)]);
    });
  }

  test.skipIf(process.getuid?.() !== 0)("of another user: refused by a daemon", () => {
    script("a.sh");
    chownSync(join(dir, "a.sh"), 1234, 0);
    expect(findings("a.sh")).toEqual([unsafe("a.sh", "is owned by uid 1234, not by root or the daemon's user")]);
    expect(findings("a.sh", "none")).toEqual([]);
  });
});
