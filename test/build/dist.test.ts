// The three built programs as files: static, and without any path of the machine that built them.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { buildProgram } from "../../scripts/build-program.ts";
import { DIST, entryOf, PROGRAMS, PROJECT, startOf, tuningOf } from "../../scripts/project.ts";
import { readElf, SEGMENT } from "../../scripts/static-relink/elf.ts";
import { hostMachine } from "../../scripts/static-relink/machine.ts";
import { findStaticLibc } from "../../scripts/static-relink/toolchain.ts";

// Compiling and linking takes seconds, and longer on a busy machine.
setDefaultTimeout(120_000);

const canLinkStatically = findStaticLibc(hostMachine()) !== undefined;
// strace may be installed but not permitted.
const canTrace = canLinkStatically && spawnSync("strace", ["-o", "/dev/null", "true"]).status === 0;

describe.each([...PROGRAMS])("dist/%s", (program) => {
  test.skipIf(!canLinkStatically)("is static", () => {
    const types = readElf(readFileSync(join(DIST, program))).headers.map(({ type }) => type);
    expect(types).toContain(SEGMENT.load);
    expect(types).not.toContain(SEGMENT.interpreter);
    expect(types).not.toContain(SEGMENT.dynamic);
  });

  test.skipIf(!canTrace)("opens no library and starts no interpreter", () => {
    const trace = join(mkdtempSync(join(tmpdir(), "dist-trace-")), "trace");
    try {
      const words = [
        "-f",
        "-o",
        trace,
        "-e",
        "trace=open,openat,openat2,execve,execveat",
        join(DIST, program),
        "--version",
      ];
      const traced = spawnSync("strace", words, { encoding: "utf8" });
      expect({ status: traced.status, stderr: traced.stderr }).toEqual({ status: 0, stderr: "" });
      const calls = readFileSync(trace, "utf8").split("\n").filter((line) => !line.includes("ENOENT"));
      expect(calls.filter((line) => line.includes("execve"))).toHaveLength(1);
      const opened = calls.flatMap((line) =>
        [...line.matchAll(/ open\w*\([^"]*"([^"]+)"/g)].map(([, path = ""]) => path)
      );
      expect(opened).toContain("/proc/self/maps");
      expect(opened.filter((path) => /\.so\b|\/lib|ld-linux|\.node$/.test(path))).toEqual([]);
      expect(opened.filter((path) => !/^\/(proc|sys|etc|dev)\//.test(path))).toEqual([]);
    } finally {
      rmSync(dirname(trace), { recursive: true });
    }
  });

  test("is the same file when built again", () => {
    const directory = mkdtempSync(join(tmpdir(), "dist-again-"));
    try {
      const again = join(directory, program);
      const linkage = canLinkStatically ? "static" : "dynamic";
      buildProgram({ entry: entryOf(program), output: again, linkage, start: startOf(program), ...tuningOf(program) });
      expect(readFileSync(again).equals(readFileSync(join(DIST, program)))).toBe(true);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  test("contains no path of the machine that built it", () => {
    const bytes = readFileSync(join(DIST, program));
    for (const directory of ["src", "node_modules", "dist"]) {
      expect(bytes.includes(join(PROJECT, directory, "/"))).toBe(false);
    }
  });
});
