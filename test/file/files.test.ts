import { afterAll, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readFile } from "../../src/file/read-file.ts";
import { replaceFile } from "../../src/file/replace-file.ts";

const dir = mkdtempSync(join(tmpdir(), "outcall-file-"));
afterAll(() => rmSync(dir, { recursive: true }));

describe("readFile", () => {
  const path = join(dir, "a");
  writeFileSync(path, "0123456789");
  mkdirSync(join(dir, "folder"));
  symlinkSync("nowhere", join(dir, "dangling"));
  symlinkSync("a", join(dir, "link"));
  spawnSync("mkfifo", [join(dir, "fifo")]);

  const sizes = [
    { note: "at the limit", limitBytes: 10, length: 10 },
    { note: "over it, one byte more and no further", limitBytes: 8, length: 9 },
    { note: "far below", limitBytes: 1 << 20, length: 10 },
  ];
  for (const { note, limitBytes, length } of sizes) {
    test(note, () => {
      const read = readFile({ path, limitBytes });
      expect(read.ok ? read.value.length : read.error).toBe(length);
    });
  }

  test("follows a link, and reads what states no size", () => {
    expect(readFile({ path: join(dir, "link"), limitBytes: 99 })).toMatchObject({ ok: true });
    const read = readFile({ path: "/proc/self/status", limitBytes: 1 << 20 });
    expect(read.ok ? read.value.length : 0).toBeGreaterThan(100);
  });

  const refused = [
    { note: "nothing", name: "nope", kind: "missing", says: "it does not exist" },
    { note: "a dangling link", name: "dangling", kind: "missing", says: "it does not exist" },
    { note: "a directory", name: "folder", kind: "not-regular", says: "is not a regular file" },
    {
      note: "a FIFO, without waiting for its writer",
      name: "fifo",
      kind: "not-regular",
      says: "is not a regular file",
    },
  ];
  for (const { note, name, kind, says } of refused) {
    test(`refuses ${note}`, () => {
      const read = readFile({ path: join(dir, name), limitBytes: 9 });
      expect(read.ok ? "" : read.error.message).toContain(says);
      expect(read.ok ? "" : read.error.kind).toBe(kind);
    });
  }

  test("asks for judgement of the file that is open, and names the path that is shown", () => {
    const read = readFile({
      path,
      shown: "shown\n",
      limitBytes: 9,
      judge: ({ size }) => size === 10 ? "is ten bytes" : null,
    });
    expect(read).toEqual({ ok: false, error: { kind: "untrusted", message: '"shown\\u{a}" is ten bytes' } });
  });
});

describe("replaceFile", () => {
  test("creates and replaces a file with its mode, and leaves no other file", () => {
    const folder = join(dir, "kept");
    mkdirSync(folder);
    const path = join(folder, "file");
    for (const content of ["one", new TextEncoder().encode("two")]) {
      expect(replaceFile(path, content, 0o600)).toEqual({ ok: true, value: null });
    }
    expect(readFileSync(path, "utf8")).toBe("two");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(["file"]);
  });

  test("replaces a link, not what it leads to", () => {
    symlinkSync("a", join(dir, "replaced"));
    expect(replaceFile(join(dir, "replaced"), "new", 0o600).ok).toBe(true);
    expect(readFileSync(join(dir, "a"), "utf8")).toBe("0123456789");
  });

  test("says why it cannot", () => {
    expect(replaceFile(join(dir, "nope", "file"), "x", 0o600)).toEqual({
      ok: false,
      error: `cannot write "${join(dir, "nope", "file")}": it does not exist`,
    });
    expect(replaceFile(join(dir, "folder"), "x", 0o600).ok).toBe(false);
    expect(readdirSync(dir).filter((name) => name.endsWith(".new"))).toEqual([]);
  });
});
