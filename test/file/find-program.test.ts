// findProgram() finds the program that execvp would find, except for the shim itself.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findProgram } from "../../src/file/find-program.ts";

let root = "";

function put(path: string, mode: number): void {
  writeFileSync(join(root, path), "#!/bin/sh\n");
  chmodSync(join(root, path), mode);
}

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "outcall-resolve-")));
  for (const directory of ["shim", "links", "hard", "bin", "more", "deep/er", "bin/folder"]) {
    mkdirSync(join(root, directory), { recursive: true });
  }
  put("shim/outcall-agent", 0o755);
  symlinkSync("../shim/outcall-agent", join(root, "links/tool"));
  symlinkSync(join(root, "links"), join(root, "links-again"));
  linkSync(join(root, "shim/outcall-agent"), join(root, "hard/tool"));
  put("bin/tool", 0o755);
  put("more/tool", 0o755);
  put("more/closed", 0o755);
  put("bin/closed", 0o644);
  put("deep/tool", 0o755);
  symlinkSync("deep/er", join(root, "into"));
  symlinkSync("nowhere", join(root, "bin/dangling"));
  symlinkSync("round", join(root, "bin/round"));
  symlinkSync("tool", join(root, "bin/applet"));
});

afterAll(() => rmSync(root, { recursive: true }));

const cases: readonly [note: string, name: string, path: string, found: string | null][] = [
  ["the first in PATH", "tool", "bin:more", "bin/tool"],
  ["the first there is", "tool", "none:more:bin", "more/tool"],
  ["behind a link to the shim", "tool", "links:bin", "bin/tool"],
  ["behind a link in a linked directory", "tool", "links-again:bin", "bin/tool"],
  ["behind a hard link to the shim", "tool", "hard:bin", "bin/tool"],
  ["behind both", "tool", "links:hard:links:more", "more/tool"],
  ["nothing but the shim", "tool", "links:hard", null],
  ["the shim itself", "outcall-agent", "shim", null],
  ["past one that is not executable", "closed", "bin:more", "more/closed"],
  ["none that is executable", "closed", "bin", null],
  ["no directory", "folder", "bin", null],
  ["no dangling link", "dangling", "bin", null],
  ["no circle of links", "round", "bin", null],
  ["a link by its own name", "applet", "bin", "bin/applet"],
  ["nothing by an empty name", "", "bin", null],
  ["a path as it says, whatever PATH is", "./bin/tool", "more", "bin/tool"],
  ["a path without dots and double slashes", ".//bin/./tool", "", "bin/tool"],
  ["a path behind a link and back as the kernel goes", "into/../tool", "", "deep/tool"],
  ["a path that only text can go", "none/../bin/tool", "", null],
  ["a path to a directory", "bin/", "", null],
  ["a path that ends in dots", "bin/..", "", null],
];

describe("findProgram", () => {
  test.each(cases)("finds %s", (_note, name, path, found) => {
    const absolutePath = path.split(":").map((part) => join(root, part)).join(":");
    const search = { path: absolutePath, workingDirectory: root, shim: join(root, "shim/outcall-agent") };
    const result = findProgram(name, search);
    expect(result.ok ? result.value : null).toBe(found === null ? null : join(root, found));
    if (!result.ok) expect(result.error).toStartWith("cannot ");
  });

  const relative: readonly [path: string | undefined, found: string | null][] = [
    ["", "bin/tool"],
    [":/none", "bin/tool"],
    ["/none:", "bin/tool"],
    [".", "bin/tool"],
    ["../more", "more/tool"],
    [undefined, null],
  ];
  test.each(relative)("reads PATH %p from the working directory", (path, found) => {
    const search = { path, workingDirectory: join(root, "bin"), shim: join(root, "shim/outcall-agent") };
    const result = findProgram("tool", search);
    expect(result.ok ? result.value : null).toBe(found === null ? null : join(root, found));
  });

  test("finds the first program of the name if no shim is skipped", () => {
    const search = { path: `${join(root, "links")}:${join(root, "bin")}`, workingDirectory: root, shim: null };
    expect(findProgram("tool", search)).toEqual({ ok: true, value: join(root, "links/tool") });
  });

  test("finds nothing when the shim's own file is not known", () => {
    const result = findProgram("tool", {
      path: join(root, "bin"),
      workingDirectory: root,
      shim: join(root, "none"),
    });
    expect(result).toEqual({ ok: false, error: "cannot find the shim's own file" });
  });
});
